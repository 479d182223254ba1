// SPDX-License-Identifier: Apache-2.0

import Foundations

/// `bytea` in the server's hex form: `\x` and two lower-case digits a byte.
enum ByteaText {
    private static let mark = Array("\\x".utf8)

    static func format(_ bytes: [UInt8]) -> String {
        var text = mark
        text.reserveCapacity(mark.count + bytes.count * 2)
        Hex.append(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes, or nil if the text is not in that form.
    static func parse(_ text: String) -> [UInt8]? {
        let utf8 = Array(text.utf8)
        guard utf8.starts(with: mark) else { return nil }
        return Hex.decode(utf8[mark.count...])
    }
}
