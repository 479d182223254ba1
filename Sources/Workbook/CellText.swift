// SPDX-License-Identifier: Apache-2.0

/// Text as a cell can hold it.
package enum CellText {
    /// Characters that a cell holds, in UTF-16 as spreadsheets count them.
    package static let limit = 32_767

    /// The text itself, nearly always: what is longer than a cell ends with `…`, the two characters that no XML may
    /// hold become `U+FFFD`, and what looks like a spreadsheet's escape (`_x0041_`) is told from one.
    ///
    /// The library escapes control characters.
    static func writable(_ text: String) -> String {
        guard text.utf8.count > limit || isRare(text) else { return text }
        var text = text.replacing(/_(?=x[0-9A-Fa-f]{4}_)/, with: "_x005F_")
        if text.unicodeScalars.contains(where: isForbidden) {
            text = String(String.UnicodeScalarView(text.unicodeScalars.map { isForbidden($0) ? "\u{FFFD}" : $0 }))
        }
        return text.utf16.count > limit ? cut(text) : text
    }

    /// True if it may hold one of those.
    private static func isRare(_ text: String) -> Bool {
        var last: UInt8 = 0
        for byte in text.utf8 {
            if byte == 0xEF || (byte == UInt8(ascii: "x") && last == UInt8(ascii: "_")) { return true }
            last = byte
        }
        return false
    }

    private static func cut(_ text: String) -> String {
        var fitting = ""
        var count = 0
        for scalar in text.unicodeScalars {
            count += UTF16.width(scalar)
            guard count < limit else { break }
            fitting.unicodeScalars.append(scalar)
        }
        return fitting + "…"
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{FFFE}" || scalar == "\u{FFFF}"
    }
}
