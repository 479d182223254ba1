// SPDX-License-Identifier: Apache-2.0

/// CSV as RFC 4180 has it, with LF line ends: a header, then one line per row; empty is NULL.
///
/// A text that a spreadsheet would run as a formula gets an apostrophe in front. Numbers keep their sign.
package enum CSVText {
    /// The full-width ones, too: spreadsheets set to an East Asian language read them as the plain ones.
    private static let formulaStarts: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]
    static func append(header columns: [ReportColumn], to line: inout [UInt8]) {
        append(columns.map { Optional($0.name) }, isText: { _ in true }, to: &line)
    }

    /// `values` in the order of the columns; nil is NULL.
    static func append(_ values: [String?], columns: [ReportColumn], to line: inout [UInt8]) {
        append(values, isText: { columns[$0].isText }, to: &line)
    }

    /// One field. An empty text is `""`, to distinguish it from NULL.
    package static func field(_ value: String?, isText: Bool) -> String {
        guard var text = value else { return "" }
        if isText, let first = text.unicodeScalars.first, formulaStarts.contains(first) { text = "'" + text }
        guard text.isEmpty || text.utf8.contains(where: isQuoted) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    private static func append(_ values: [String?], isText: (Int) -> Bool, to line: inout [UInt8]) {
        for (place, value) in values.enumerated() {
            if place > 0 { line.append(UInt8(ascii: ",")) }
            line.append(contentsOf: field(value, isText: isText(place)).utf8)
        }
        line.append(UInt8(ascii: "\n"))
    }

    private static func isQuoted(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
        default: false
        }
    }
}
