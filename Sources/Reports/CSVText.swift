// SPDX-License-Identifier: Apache-2.0

/// Lines of a CSV file, as RFC 4180 quotes them: a header, then one line per row; empty is NULL.
///
/// A text that a spreadsheet would run as a formula gets an apostrophe in front. Numbers keep their sign.
package enum CSVText {
    /// The full-width ones, too: spreadsheets set to an East Asian language read them as the plain ones.
    private static let formulaStarts: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]

    static func append(header columns: [ReportColumn], as profile: CSVProfile = .issued, to line: inout [UInt8]) {
        append(columns.map { field($0.name, isText: true, as: profile) }, as: profile, to: &line)
    }

    /// `values` in the order of the columns; nil is NULL.
    static func append(
        _ values: [String?], columns: [ReportColumn], as profile: CSVProfile = .issued, to line: inout [UInt8]
    ) {
        let fields = zip(values, columns).map { value, column in
            field(column.kind == .decimal ? decimal(value, as: profile) : value, isText: column.isText, as: profile)
        }
        append(fields, as: profile, to: &line)
    }

    /// One field. An empty text is `""`, to distinguish it from NULL.
    package static func field(_ value: String?, isText: Bool, as profile: CSVProfile = .issued) -> String {
        guard var text = value else { return "" }
        if isText, let first = text.unicodeScalars.first, formulaStarts.contains(first) { text = "'" + text }
        guard text.isEmpty || text.utf8.contains(where: { isQuoted($0, profile) }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    private static func decimal(_ value: String?, as profile: CSVProfile) -> String? {
        guard profile.decimalSign != UInt8(ascii: "."), let value else { return value }
        return value.replacing(".", with: String(UnicodeScalar(profile.decimalSign)))
    }

    private static func append(_ fields: [String], as profile: CSVProfile, to line: inout [UInt8]) {
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
