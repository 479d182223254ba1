// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a Swift or SQL file names and says: its identifiers, its comments, and titles between backticks.
///
/// Text in quotes is neither; what is interpolated into it is not looked at.
struct SourceText {
    private(set) var names: Set<String> = []
    private(set) var titles: [String] = []
    private(set) var comments: [String] = []

    private let bytes: [UInt8]
    private let commentMark: [UInt8]
    private let quote: [UInt8]
    private var place = 0

    init(swift text: String) {
        self.init(text, comment: "//", quote: "\"")
        // Suites have their titles in quotes.
        titles += text.components(separatedBy: "@Suite(\"").dropFirst().map { String($0.prefix { $0 != "\"" }) }
    }

    init(sql text: String) {
        self.init(text, comment: "--", quote: "'")
    }

    private init(_ text: String, comment: String, quote: String) {
        (bytes, commentMark, self.quote) = (Array(text.utf8), Array(comment.utf8), Array(quote.utf8))
        while place < bytes.count { step() }
    }

    private mutating func step() {
        if isAt(commentMark) { return comments.append(take(until: "\n")) }
        if isAt(quote + quote + quote), quote == Array("\"".utf8) { return skipText(quote + quote + quote) }
        if isAt(quote) { return skipText(quote) }
        if bytes[place] == UInt8(ascii: "`") { return addBackticked() }
        if Self.isLetter(bytes[place]) { return addName() }
        place += 1
    }

    private mutating func addName() {
        let start = place
        while place < bytes.count, Self.isLetter(bytes[place]) || Self.isDigit(bytes[place]) { place += 1 }
        names.insert(String(decoding: bytes[start..<place], as: UTF8.self))
    }

    private mutating func addBackticked() {
        place += 1
        let text = take(until: "`")
        place += 1
        if text.contains(" ") { titles.append(text) } else { names.insert(text) }
    }

    private mutating func skipText(_ mark: [UInt8]) {
        place += mark.count
        while place < bytes.count, !isAt(mark) {
            place += bytes[place] == UInt8(ascii: "\\") && mark != Array("'".utf8) ? 2 : 1
        }
        place += mark.count
    }

    private mutating func take(until end: Character) -> String {
        let start = place
        let last = end.asciiValue ?? 0
        while place < bytes.count, bytes[place] != last { place += 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private func isAt(_ mark: [UInt8]) -> Bool { bytes[place...].starts(with: mark) }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// The words of a name, in small letters: `isSeenIndirectly` and `is_seen_indirectly` are three.
    static func words(of name: String) -> [String] {
        var words: [String] = []
        var isInWord = false
        for character in name {
            guard character.isLetter else {
                isInWord = false
                continue
            }
            let goesOn = isInWord && character.isLowercase
            if goesOn { words[words.count - 1].append(character) } else { words.append(character.lowercased()) }
            isInWord = true
        }
        return words
    }
}
