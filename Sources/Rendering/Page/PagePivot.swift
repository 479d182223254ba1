// SPDX-License-Identifier: Apache-2.0

/// A report with one figure a row, as a table with a column for each figure: the whole company by month.
package struct PagePivot {
    /// Where a specification says which columns those are, and what its figures are in; other figures are shares.
    package struct Spec: Decodable {
        let rows: String
        package let columns: String
        package let value: String
        package let money: [String]
        let plain: [String]
    }

    private let spec: Spec
    private let places: (row: Int, column: Int, value: Int)
    private(set) var figures: [String] = []
    /// Oldest first.
    private(set) var labels: [String] = []
    private var values: [String: [String: String]] = [:]

    /// Nil where the report has no such columns.
    init?(_ spec: Spec, of columns: [ReportColumn]) {
        let places = [spec.rows, spec.columns, spec.value].compactMap { name in columns.firstIndex { $0.name == name } }
        guard places.count == 3 else { return nil }
        self.spec = spec
        self.places = (places[0], places[1], places[2])
    }

    mutating func add(_ row: [String?]) {
        let (label, figure) = (row[places.row] ?? "", row[places.column] ?? "")
        if values[label] == nil { labels.append(label) }
        if !figures.contains(figure) { figures.append(figure) }
        values[label, default: [:]][figure] = row[places.value]
    }

    /// Millionths; nil: unknown.
    func micros(_ figure: String, of label: String) -> Int64? {
        values[label]?[figure].flatMap { DecimalText.micros($0) }
    }

    func isMoney(_ figure: String) -> Bool { spec.money.contains(figure) }

    /// As people read it; a dash for what is unknown.
    func text(_ figure: String, of label: String, in currency: String) -> String {
        guard let micros = micros(figure, of: label) else { return "–" }
        if isMoney(figure) { return AmountText.amount(micros, in: currency) }
        if spec.plain.contains(figure) { return AmountText.plain(micros) }
        let share = AmountText.share(micros, of: 1_000_000) ?? "–"
        return figure == "growth" && micros > 0 ? "+" + share : share
    }

    func table(_ texts: PageTexts, in currency: String, _ period: PagePeriod) -> PageTable {
        PageTable(
            title: "\(texts["byMonth"]), \(currency)", heading: texts["month"], kind: .month,
            columns: figures.map { (texts.label($0), $0) },
            rows: labels.reversed().map { label in
                PageTable.Row(
                    label: label, cells: figures.map { text($0, of: label, in: currency) },
                    isBefore: PageSpan.month(label).map { period.isBefore(month: $0) } ?? false)
            }, isOpen: labels.count <= PageTables.openMonths)
    }

    /// The newest month that is over on that day.
    func lastWholeMonth(on day: Int) -> String? {
        labels.last { label in PageSpan.month(label).map { PageSpan.firstDay(ofMonth: $0 + 1) - 1 <= day } ?? false }
    }
}
