// SPDX-License-Identifier: Apache-2.0

/// Which figure of an issue is meant: a file, which of its rows, and the column.
///
///     revenue[date=2026-05-03,app_id=acme-ios].net
///     mrr_bridge[date=2026-05-01..2026-05-31,currency=USD].churn_voluntary+churn_involuntary
///
/// A value with a comma, a bracket or two dots in it stands in double quotes; `country=` asks for what is unknown.
package struct FigureName: Sendable, Hashable, CustomStringConvertible {
    /// What a row must have in a column.
    struct Condition: Sendable, Hashable, CustomStringConvertible {
        let column: String
        let first: String
        /// Of a span of days or months, both ends included; nil: `first` alone.
        let last: String?

        /// In a CSV file a text that spreadsheets take for a formula has an apostrophe in front.
        func matches(_ value: String) -> Bool {
            guard let last else { return value == first || value == "'" + first }
            return first <= value && value <= last
        }

        var description: String { "\(column)=" + (last.map { "\(first)..\($0)" } ?? Self.quoted(first)) }

        private static func quoted(_ value: String) -> String {
            let isPlain =
                !value.contains { ",]\"".contains($0) } && !value.contains("..") && value.first != " "
                && value.last != " "
            return isPlain ? value : "\"" + value.replacing("\"", with: "\"\"") + "\""
        }
    }

    let report: String
    let conditions: [Condition]
    /// Added up, where there are several.
    let columns: [String]

    init(report: String, conditions: [Condition], columns: [String]) {
        self.report = report
        self.conditions = conditions
        self.columns = columns
    }

    /// Throws `CitationError` for any other text.
    init(_ text: String) throws(CitationError) {
        var scanner = FigureScanner(text)
        report = scanner.word()
        conditions = scanner.take("[") ? try scanner.conditions() : []
        guard !report.isEmpty, scanner.take(".") else { throw scanner.refusal("a file and a column") }
        var columns: [String] = []
        repeat { columns.append(scanner.word()) } while scanner.take("+")
        guard scanner.isAtEnd, !columns.contains("") else { throw scanner.refusal("a column at its end") }
        self.columns = columns
    }

    package var description: String {
        let rows = conditions.isEmpty ? "" : "[" + conditions.map(\.description).joined(separator: ",") + "]"
        return report + rows + "." + columns.joined(separator: "+")
    }
}

/// Reads a name from left to right.
private struct FigureScanner {
    private let text: String
    private var rest: Substring

    init(_ text: String) {
        self.text = text
        rest = text[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    func refusal(_ missing: String) -> CitationError {
        CitationError(
            .name,
            "`\(text)` names no figure: \(missing) is missing; a name is like revenue[date=2026-05-03,currency=USD].net"
        )
    }

    mutating func take(_ mark: Character) -> Bool {
        guard rest.first == mark else { return false }
        rest.removeFirst()
        return true
    }

    mutating func word() -> String {
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        rest = rest.dropFirst(word.count)
        return String(word)
    }

    /// Behind the opening bracket, up to the closing one.
    mutating func conditions() throws(CitationError) -> [FigureName.Condition] {
        var conditions: [FigureName.Condition] = []
        repeat {
            rest = rest.drop { $0 == " " }
            let column = word()
            guard !column.isEmpty, take("=") else { throw refusal("column=value in its brackets") }
            guard !conditions.contains(where: { $0.column == column }) else {
                throw CitationError(.name, "`\(text)` names \(column) twice")
            }
            conditions.append(try value(of: column))
        } while take(",")
        guard take("]") else { throw refusal("the closing bracket") }
        return conditions
    }

    private mutating func value(of column: String) throws(CitationError) -> FigureName.Condition {
        if take("\"") { return FigureName.Condition(column: column, first: try quoted(), last: nil) }
        let plain = rest.prefix { $0 != "," && $0 != "]" }
        rest = rest.dropFirst(plain.count)
        let value = String(plain).trimmed
        let ends = value.split(separator: "..", maxSplits: 1).map(String.init)
        return ends.count == 2
            ? FigureName.Condition(column: column, first: ends[0], last: ends[1])
            : FigureName.Condition(column: column, first: value, last: nil)
    }

    /// Behind the opening quote; two quotes are one of the value's.
    private mutating func quoted() throws(CitationError) -> String {
        var value = ""
        while let next = rest.popFirst() {
            guard next == "\"" else {
                value.append(next)
                continue
            }
            guard take("\"") else { return value }
            value.append(next)
        }
        throw refusal("the closing quote")
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
