// SPDX-License-Identifier: Apache-2.0

/// Fields and lines of a CSV file, as RFC 4180 quotes them; an empty field is NULL.
///
/// A text that a spreadsheet would run as a formula gets an apostrophe in front. Numbers retain their sign.
package enum CSVText {
    /// The full-width ones, too: spreadsheets set to an East Asian language read them as the plain ones.
    private static let formulaStarts: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]

    /// One field as it is written.
    ///
    /// An empty text is `""`, to distinguish it from NULL.
    ///
    /// `value`: nil is NULL.
    /// `isText`: people may have written it, so that it may begin like a formula; false for numbers and dates.
    package static func field(_ value: String?, isText: Bool, as profile: CSVProfile = .standard) -> String {
        guard var text = value else { return "" }
        if isText, let first = text.unicodeScalars.first, formulaStarts.contains(first) { text = "'" + text }
        guard text.isEmpty || text.utf8.contains(where: { isQuoted($0, profile) }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    /// A decimal number, written with a point, with the profile's decimal sign; nil is NULL.
    package static func decimal(_ value: String?, as profile: CSVProfile) -> String? {
        guard profile.decimalSign != UInt8(ascii: "."), let value else { return value }
        return value.replacing(".", with: String(UnicodeScalar(profile.decimalSign)))
    }

    /// Writes a line, its end included, behind what is there.
    ///
    /// `fields`: as `field` writes them.
    package static func append(_ fields: [String], as profile: CSVProfile = .standard, to line: inout [UInt8]) {
        for (place, field) in fields.enumerated() {
            if place > 0 { line.append(profile.delimiter) }
            line.append(contentsOf: field.utf8)
        }
        line.append(contentsOf: profile.lineEnd.utf8)
    }

    private static func isQuoted(_ byte: UInt8, _ profile: CSVProfile) -> Bool {
        switch byte {
        case profile.delimiter, UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
        default: false
        }
    }
}
