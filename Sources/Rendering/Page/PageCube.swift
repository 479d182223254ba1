// SPDX-License-Identifier: Apache-2.0

package import Model

/// What the page knows of one report: its rows of the last thirteen months by day, and all of them by month.
///
/// Rows come as they are written to the CSV file, so the page says the same.
package struct PageCube {
    /// The columns that every report has where they make sense.
    static let common = ["app_id", "store", "product_id", "country", "currency"]
    /// Days of thirteen months.
    static let dayCount = 396

    let name: String
    let spec: PageSpec
    let columns: [PageColumn]
    let layout: PageLayout
    /// The values of the columns that tell rows apart, by number.
    private(set) var values: [String: [String]] = [:]
    private(set) var days: PageGrain
    private(set) var months: PageGrain
    /// The first and the last day with rows.
    private(set) var firstSpan: Int?
    private let keys: [(name: String, index: Int)]
    private let time: Int?
    private let isMonthly: Bool
    private let lastDay: Int
    private let firstDay: Int
    private var numbers: [[String: Int32]]
    /// Rows of one day follow one another.
    private var latest: (text: String, span: Span)?

    private typealias Span = (day: Int?, month: Int)

    /// `last`: the last day of the report.
    package init(
        name: String, spec: PageSpec, columns: [ReportColumn], first: BusinessDate?, last: BusinessDate
    ) throws(ReportError) {
        self.name = name
        self.spec = spec
        self.columns = try PageColumn.all(spec, of: columns)
        let wanted = Self.common + (spec.by ?? [])
        keys = wanted.compactMap { name in columns.firstIndex { $0.name == name }.map { (name, $0) } }
        numbers = keys.map { _ in [:] }
        time = spec.time.flatMap { name in columns.firstIndex { $0.name == name } }
        isMonthly = time.map { columns[$0].kind != .date } ?? false
        lastDay = PageSpan.day(last.description) ?? 0
        firstDay = first.flatMap { PageSpan.day($0.description) } ?? .min
        layout = PageLayout(self.columns, strict: Set(spec.strict ?? []))
        days = PageGrain(columns: keys.map(\.name), layout: layout)
        months = days
    }

    /// What `churn_windows.sql` gives: the first and the last day of a span do not matter to it, so its figures are sums.
    package static var windows: (PageSpec, [ReportColumn]) {
        let spec = PageSpec(
            order: .max, title: "", time: "date", ahead: nil, by: nil, sum: ["opening", "lost"], first: nil, last: nil,
            strict: nil, ratios: nil, tables: [])
        let kinds: [(String, ReportColumn.Kind)] = [
            ("date", .date), ("app_id", .text), ("store", .text), ("product_id", .text), ("opening", .count),
            ("lost", .count),
        ]
        return (spec, kinds.map { ReportColumn(name: $0, kind: $1, definition: "") })
    }

    /// Whether any amount is known in the reporting currency.
    var isConverted: Bool {
        let lines = columns.indices.filter { columns[$0].reportingIndex != nil }
            .map { layout.amount($0, inReporting: true) }
        return months.groups.values.contains { group in
            lines.contains { !group.lines[$0].entries.isEmpty }
        }
    }

    var keyColumns: [String] { keys.map(\.name) }

    /// False where the report has no column of days: by month only, or without time.
    var hasDays: Bool { time != nil && !isMonthly }

    package mutating func add(_ row: [String?]) throws(ReportError) {
        guard let (day, month) = spans(of: row) else { return }
        if let day { firstSpan = min(firstSpan ?? day, day) }
        let values = keys.indices.map { number(of: row[keys[$0].index] ?? "", in: $0) }
        let figures = try figures(of: row)
        if let day, day > lastDay - Self.dayCount { try days.add(figures, span: day, values: values) }
        guard let day else { return try months.add(figures, span: month, values: values) }
        try months.add(
            figures, span: month, values: values, isFirst: day == firstDay(of: month), isLast: day == lastDay(of: month)
        )
    }

    /// No row follows.
    package mutating func end() throws(ReportError) {
        try days.end(before: lastDay + 1)
        try months.end(before: (PageSpan.month(PageSpan.text(ofDay: lastDay)) ?? 0) + 1)
    }

    /// What stands at a month's beginning stands on the first day of it that is reported.
    private func firstDay(of month: Int) -> Int { max(PageSpan.firstDay(ofMonth: month), firstDay) }

    private func lastDay(of month: Int) -> Int {
        let end = PageSpan.firstDay(ofMonth: month + 1) - 1
        return spec.ahead == true ? end : min(end, lastDay)
    }

    /// Nil for a row whose time cannot be read, which no report has.
    private mutating func spans(of row: [String?]) -> Span? {
        guard let time else { return (nil, 0) }
        guard let text = row[time] else { return nil }
        if let latest, latest.text == text { return latest.span }
        guard let month = PageSpan.month(text) else { return nil }
        let span = (isMonthly ? nil : PageSpan.day(text), month)
        latest = (text, span)
        return span
    }

    private mutating func number(of value: String, in key: Int) -> Int32 {
        if let known = numbers[key][value] { return known }
        let number = Int32(numbers[key].count)
        values[keys[key].name, default: []].append(value)
        numbers[key][value] = number
        return number
    }

    private func figures(of row: [String?]) throws(ReportError) -> PageLayout.Figures {
        var figures: PageLayout.Figures = []
        figures.reserveCapacity(columns.count * 2)
        for column in columns { figures.append(try Self.figure(row[column.index], column.kind)) }
        for column in columns {
            guard let index = column.reportingIndex else {
                figures.append(0)
                continue
            }
            figures.append(try Self.figure(row[index], column.kind))
        }
        return figures
    }

    /// A whole number, or an amount in micros; nil is unknown.
    static func figure(_ text: String?, _ kind: PageColumn.Kind) throws(ReportError) -> Int64? {
        guard let text else { return nil }
        guard let figure = kind == .count ? Int64(text) : DecimalText.micros(text) else {
            throw ReportError(.definitions, "a figure of the page is no whole number, or beyond nine trillion: \(text)")
        }
        return figure
    }
}
