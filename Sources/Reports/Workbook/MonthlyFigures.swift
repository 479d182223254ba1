// SPDX-License-Identifier: Apache-2.0

/// The figures of the Summary, gathered while the rows of the reports pass by; sums are exact.
struct MonthlyFigures {
    private struct Value {
        var micros: Int128
        var day: String
    }

    /// A figure, and where its rows hold it.
    private struct Source {
        let figure: Int
        let column: Int
        let total: MonthlyFigure.Total
    }

    private static let none = [Value?](repeating: nil, count: MonthlyFigure.all.count)

    /// The reporting currency; nil while no row has said it.
    private(set) var currency: String?
    private var months: [String: [Value?]] = [:]
    private var sources: [Source] = []
    private var currencyColumn: Int?

    /// Rows of that report follow; their first column is the day.
    mutating func begin(_ report: String, _ columns: [SheetColumn]) {
        sources = MonthlyFigure.all.enumerated().compactMap { place, figure in
            guard figure.report == report, let column = columns.firstIndex(where: { $0.name == figure.source }) else {
                return nil
            }
            return Source(figure: place, column: column, total: figure.total)
        }
        currencyColumn = columns.firstIndex { $0.name == "reporting_currency" }
    }

    mutating func append(_ rows: [[String?]]) {
        guard !sources.isEmpty else { return }
        for row in rows {
            guard let day = row.first ?? nil else { continue }
            if currency == nil, let currencyColumn { currency = row[currencyColumn] }
            add(row, of: day)
        }
    }

    /// The rows of the sheet, oldest month first.
    var rows: [[String?]] {
        months.sorted { $0.key < $1.key }.map { month, values in
            [month, currency]
                + zip(MonthlyFigure.all, values).map { figure, value in
                    value.map { figure.column.kind == .count ? "\($0.micros / 1_000_000)" : Self.text($0.micros) }
                }
        }
    }

    private mutating func add(_ row: [String?], of day: String) {
        let month = String(day.prefix(7))
        for source in sources {
            guard let text = row[source.column], let micros: Int128 = DecimalText.micros(text) else { continue }
            Self.add(micros, of: day, source.total, to: &months[month, default: Self.none][source.figure])
        }
    }

    private static func add(_ micros: Int128, of day: String, _ total: MonthlyFigure.Total, to value: inout Value?) {
        guard let known = value, total == .sum || known.day == day else {
            if value.map({ $0.day < day }) ?? true { value = Value(micros: micros, day: day) }
            return
        }
        value = Value(micros: known.micros + micros, day: day)
    }

    /// Micros as a decimal with six decimals.
    static func text(_ micros: Int128) -> String {
        let (whole, fraction) = micros.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        return "\(micros < 0 ? "-" : "")\(whole).\(String(String(1_000_000 + fraction).dropFirst()))"
    }
}
