// SPDX-License-Identifier: Apache-2.0

import Model

/// The figures of the Summary, gathered while the rows of the reports pass by; sums are exact.
struct MonthlyFigures {
    private struct Value {
        /// Nil where no row of the day knows it.
        var micros: Int128?
        var day: String
    }

    /// A figure, and where its rows hold it.
    private struct Source {
        let figure: Int
        let column: Int
        let total: MonthlyFigure.Total
    }

    private static let none = [Value?](repeating: nil, count: MonthlyFigure.all.count)

    /// The last day that the reports are of.
    let lastDate: BusinessDate
    /// The reporting currency; nil while no row has said it.
    private(set) var currency: String?
    private var months: [String: [Value?]] = [:]
    private var sources: [Source] = []
    private var currencyColumn: Int?

    init(through lastDate: BusinessDate) { self.lastDate = lastDate }

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
        var started: Set<Int> = []
        return months.sorted { $0.key < $1.key }.map { month, values in
            let end = lastDay(of: month)
            started.formUnion(values.indices.filter { values[$0] != nil })
            return [month, currency]
                + values.indices.map { text($0, values[$0], at: end, hasStarted: started.contains($0)) }
        }
    }

    /// Reports have no row of a day of which every figure is 0.
    private func text(_ place: Int, _ value: Value?, at end: String?, hasStarted: Bool) -> String? {
        let figure = MonthlyFigure.all[place]
        let isOver = figure.total == .last && hasStarted && value?.day != end
        return (isOver ? 0 : value?.micros).map { figure.column.kind == .count ? "\($0 / 1_000_000)" : Self.text($0) }
    }

    /// Of a month that goes on, the last day reported.
    private func lastDay(of month: String) -> String? {
        let end = (28...31).reversed().lazy.compactMap { BusinessDate("\(month)-\($0)") }.first
        return end.map { min($0, lastDate).description }
    }

    private mutating func add(_ row: [String?], of day: String) {
        let month = String(day.prefix(7))
        for source in sources {
            let micros: Int128? = row[source.column].flatMap { DecimalText.micros($0) }
            guard micros != nil || source.total == .last else { continue }
            Self.add(micros, of: day, source.total, to: &months[month, default: Self.none][source.figure])
        }
    }

    /// What the last day does not know is not known: an earlier day's figure is none of its own.
    private static func add(_ micros: Int128?, of day: String, _ total: MonthlyFigure.Total, to value: inout Value?) {
        guard let known = value, total == .sum || known.day >= day else {
            value = Value(micros: micros, day: day)
            return
        }
        guard let micros, total == .sum || known.day == day else { return }
        value = Value(micros: (known.micros ?? 0) + micros, day: day)
    }

    /// Micros as a decimal with six decimals.
    static func text(_ micros: Int128) -> String {
        let (whole, fraction) = micros.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        return "\(micros < 0 ? "-" : "")\(whole).\(String(String(1_000_000 + fraction).dropFirst()))"
    }
}
