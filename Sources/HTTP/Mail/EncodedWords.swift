// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A header's text as it may be sent (RFC 2047): plain where it is short and of printable ASCII, else as UTF-8 in Base64.
enum EncodedWords {
    private static let opening = "=?UTF-8?B?"
    private static let closing = "?="
    /// Characters of one line that holds encoded words.
    private static let lineLength = 76

    /// `used`: how many characters are on the first line already.
    static func encode(_ text: String, after used: Int) -> String {
        guard !isPlain(text, within: lineLength - used) else { return text }
        var words: [String] = []
        var part = ""
        for character in text {
            let room = lineLength - opening.count - closing.count - (words.isEmpty ? used : 1)
            if base64Length(part.utf8.count + character.utf8.count) > room, !part.isEmpty {
                words.append(word(part))
                part = ""
            }
            part.append(character)
        }
        words.append(word(part))
        return words.joined(separator: "\r\n ")
    }

    private static func isPlain(_ text: String, within room: Int) -> Bool {
        text.utf8.count <= room && text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.contains("=?")
            && !text.hasPrefix(" ") && !text.hasSuffix(" ")
    }

    private static func base64Length(_ bytes: Int) -> Int { (bytes + 2) / 3 * 4 }

    private static func word(_ text: String) -> String {
        opening + Data(text.utf8).base64EncodedString() + closing
    }
}
