// SPDX-License-Identifier: Apache-2.0

/// A table of the page, ready to be read.
struct PageTable {
    struct Row {
        let label: String
        let cells: [String]
        /// Of a table that is coloured by its figures: how deep each cell is, 0 to 9.
        var depths: [Int?] = []
    }

    let title: String
    let heading: String
    /// What its rows are: `month`, `day` or a column.
    let kind: String
    let columns: [(label: String, name: String)]
    let rows: [Row]
    let isOpen: Bool

    /// Rows of a table on paper, by its kind, so that a section fits a page: the newest days and months, the first of others.
    static let paperRows = ["day": 7, "month": 13, "matrix": 13]
    static let paperRowsOfOthers = 26

    var paperRows: Int { Self.paperRows[kind] ?? Self.paperRowsOfOthers }
}

/// Makes the tables that a report's specification asks for, as the page shows them before anything is chosen.
struct PageTables {
    /// Days of the range that the page begins with.
    static let dayCount = 90
    /// Rows of a table at most; more are added up in one.
    static let rowCount = 25

    let view: PageView
    let texts: PageTexts
    let lastDay: Int

    private var cube: PageCube { view.cube }

    func all() throws(ReportError) -> [PageTable] {
        var tables: [PageTable] = []
        for table in cube.spec.tables {
            if let across = table.across, let value = table.value {
                tables.append(try matrix(table.rows, across: across, value))
            } else if table.rows == "time" {
                tables += try overTime(table)
            } else if cube.months.columns.contains(table.rows) {
                tables.append(try byValue(table))
            }
        }
        return tables.filter { !$0.rows.isEmpty }
    }

    /// The days the page begins with.
    private var range: ClosedRange<Int> {
        cube.spec.ahead == true ? lastDay + 1...lastDay + Self.dayCount : lastDay - Self.dayCount + 1...lastDay
    }

    private func overTime(_ table: PageSpec.Table) throws(ReportError) -> [PageTable] {
        let months = try view.sums(.time, of: cube.months, in: Int.min + 1...Int.max - 1)
        var tables = [
            made(
                texts["byMonth"], texts["month"], "month", table,
                months.sorted { $0.key.span > $1.key.span }.map { (PageSpan.text(ofMonth: $0.key.span), $0.value) },
                isOpen: months.count <= 14)
        ]
        guard cube.hasDays else { return tables }
        let days = try view.sums(.time, of: cube.days, in: range)
        let sorted = days.sorted { cube.spec.ahead == true ? $0.key.span < $1.key.span : $0.key.span > $1.key.span }
        tables.append(
            made(
                texts["byDay"], texts["day"], "day", table,
                sorted.map { (PageSpan.text(ofDay: $0.key.span), $0.value) },
                isOpen: false))
        return tables
    }

    private func byValue(_ table: PageSpec.Table) throws(ReportError) -> PageTable {
        let isOfMonths = !cube.hasDays || table.all == true || !cube.days.columns.contains(table.rows)
        let grain = isOfMonths ? cube.months : cube.days
        var spans = isOfMonths ? Int.min + 1...Int.max - 1 : range
        if isOfMonths, cube.spec.time != nil, let newest = grain.rows.keys.map(\.span).max() {
            let oldest = grain.rows.keys.map(\.span).min() ?? newest
            spans = (table.at == "last" ? newest : oldest)...newest
        }
        let sums = try view.sums(.column(table.rows), of: grain, in: spans)
        let first = (table.columns ?? []).first.flatMap { name in cube.columns.firstIndex { $0.name == name } } ?? 0
        let rows = try shortened(
            sorted(sums, of: table.rows, by: first).map { (texts.value($0.key.first, of: table.rows), $0.value) })
        let period = isOfMonths ? (table.at == "last" ? texts["lastMonth"] : texts["allMonths"]) : texts["days90"]
        return made(
            "\(texts["by", "column", texts.label(table.rows).lowercased()]), \(period)", texts.label(table.rows),
            table.rows, table,
            rows,
            isOpen: true)
    }

    /// A report's own numbers stand in their order, names by the figure.
    private func sorted(
        _ sums: [PageView.Group: PageGrain.Figures], of column: String, by figure: Int
    ) -> [(key: PageView.Group, value: PageGrain.Figures)] {
        let isNumeric = cube.spec.by?.contains(column) == true && sums.keys.allSatisfy { Int($0.first) != nil }
        return sums.sorted { left, right in
            if isNumeric, let one = Int(left.key.first), let other = Int(right.key.first) { return one < other }
            let (more, less) = (left.value[figure] ?? .min, right.value[figure] ?? .min)
            return more == less ? left.key.first < right.key.first : more > less
        }
    }

    /// The longest tail of a table becomes one row.
    private func shortened(
        _ rows: [(String, PageGrain.Figures)]
    ) throws(ReportError) -> [(String, PageGrain.Figures)] {
        guard rows.count > Self.rowCount + 1 else { return rows }
        let strict = cube.columns.map { _ in false }
        var others = rows[Self.rowCount].1
        for row in rows[(Self.rowCount + 1)...] { others = try PageGrain.sum(others, row.1, strict) }
        return rows.prefix(Self.rowCount) + [(texts["others", "count", String(rows.count - Self.rowCount)], others)]
    }

    private func made(
        _ title: String, _ heading: String, _ kind: String, _ table: PageSpec.Table,
        _ rows: [(String, PageGrain.Figures)], isOpen: Bool
    ) -> PageTable {
        let names = table.columns ?? cube.columns.map(\.name)
        return PageTable(
            title: title, heading: heading, kind: kind, columns: names.map { (texts.label($0), $0) },
            rows: rows.map { label, figures in
                PageTable.Row(label: label, cells: names.map { cell($0, figures) })
            }, isOpen: isOpen)
    }

    private func cell(_ name: String, _ figures: PageGrain.Figures) -> String {
        if let index = cube.columns.firstIndex(where: { $0.name == name }) {
            return view.money.text(figures[index], cube.columns[index].kind)
        }
        guard let ratio = cube.spec.ratios?[name].flatMap({ PageRatio($0, of: cube.columns) }) else { return "–" }
        return ratio.text(figure(ratio.numerator, figures), of: figure(ratio.denominator, figures), in: view.money)
    }

    private func figure(_ column: PageColumn, _ figures: PageGrain.Figures) -> Int64? {
        cube.columns.firstIndex { $0.name == column.name }.flatMap { figures[$0] }
    }

    private func matrix(_ rows: String, across: String, _ value: String) throws(ReportError) -> PageTable {
        let sums = try view.sums(.columns(rows, across), of: cube.months, in: Int.min + 1...Int.max - 1)
        let firsts = Set(sums.keys.map(\.first)).sorted(by: >)
        let seconds = Set(sums.keys.map(\.second)).sorted { left, right in
            if let left = Int(left), let right = Int(right) { return left < right }
            return left < right
        }
        let depths = PageDepths(sums.values.map { depth(value, $0) })
        return PageTable(
            title: "\(texts.label(value)): \(texts.label(rows)) × \(texts.label(across))", heading: texts.label(rows),
            kind: "matrix",
            columns: seconds.map { (texts.value($0, of: across), across) },
            rows: firsts.map { first in
                let figures = seconds.map { sums[PageView.Group(first: first, second: $0, span: 0)] }
                return PageTable.Row(
                    label: first, cells: figures.map { $0.map { cell(value, $0) } ?? "" },
                    depths: figures.map { $0.flatMap { depths.depth(depth(value, $0)) } })
            }, isOpen: true)
    }

    /// A figure as a fraction of integers, for colours only.
    private func depth(_ name: String, _ figures: PageGrain.Figures) -> Double? {
        if let index = cube.columns.firstIndex(where: { $0.name == name }) { return figures[index].map(Double.init) }
        guard let ratio = cube.spec.ratios?[name].flatMap({ PageRatio($0, of: cube.columns) }),
            let part = figure(ratio.numerator, figures), let whole = figure(ratio.denominator, figures), whole > 0
        else { return nil }
        return Double(part) / Double(whole)
    }
}

/// How deep a cell of a heat map is coloured.
struct PageDepths {
    private let highest: Double

    init(_ figures: [Double?]) { highest = figures.compactMap(\.self).max() ?? 0 }

    func depth(_ figure: Double?) -> Int? {
        guard let figure, highest > 0 else { return nil }
        return max(0, min(9, Int(figure / highest * 9)))
    }
}
