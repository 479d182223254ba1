// SPDX-License-Identifier: Apache-2.0

/// Makes the tables that a report's specification asks for, as the page shows them before anything is chosen.
struct PageTables {
    /// Rows of a table at most; more are added up in one.
    static let rowCount = 25
    /// Months of a table that is open from the beginning.
    static let openMonths = 14

    let view: PageView
    let cuts: PageCuts
    let texts: PageTexts
    let period: PagePeriod

    var cube: PageCube { view.cube }

    func all() throws(ReportError) -> [PageTable] {
        var tables: [PageTable] = []
        for table in cube.spec.tables {
            if let across = table.across, let value = table.value {
                tables.append(try matrix(table, across: across, value))
            } else if table.rows == "time" {
                tables += try overTime(table)
            } else if cuts.hasMonths(by: table.rows) {
                tables.append(try byValue(table))
            }
        }
        return tables.filter { !$0.rows.isEmpty }
    }

    /// The days the page begins with.
    private var range: ClosedRange<Int> {
        let last = period.lastDay
        return cube.spec.ahead == true
            ? last + 1...last + PagePeriod.rangeDays : last - period.first.days + 1...last
    }

    private func overTime(_ table: PageSpec.Table) throws(ReportError) -> [PageTable] {
        let months = try view.sums(.time, of: cube.months, in: nil)
        let rows = months.sorted { $0.key.span > $1.key.span }.map { group, figures in
            row(PageSpan.text(ofMonth: group.span), figures, in: table, isBefore: period.isBefore(month: group.span))
        }
        let byMonth = PageTable(
            title: title(texts["byMonth"], table), heading: texts["month"], kind: .month, columns: columns(table),
            rows: rows, total: try total(table, of: cube.months, in: nil), isOpen: rows.count <= Self.openMonths)
        return cube.hasDays ? [byMonth, try byDay(table)] : [byMonth]
    }

    private func byDay(_ table: PageSpec.Table) throws(ReportError) -> PageTable {
        let days = try view.sums(.time, of: cube.days, in: range)
        let isAhead = cube.spec.ahead == true
        let rows = days.sorted { isAhead ? $0.key.span < $1.key.span : $0.key.span > $1.key.span }.map {
            group, figures in
            row(PageSpan.text(ofDay: group.span), figures, in: table, isBefore: period.isBefore(day: group.span))
        }
        return PageTable(
            title: title(texts["byDay"], table), heading: texts["day"], kind: .day, columns: columns(table),
            rows: rows,
            total: try total(table, of: cube.days, in: range), isOpen: false)
    }

    private func byValue(_ table: PageSpec.Table) throws(ReportError) -> PageTable {
        let isOfMonths = !cube.hasDays || table.all == true || !cuts.hasDays(by: table.rows)
        let grain = isOfMonths ? cube.months : cube.days
        let spans = isOfMonths ? months(table) : range
        let sums = try view.sums(.column(table.rows), of: grain, in: spans)
        let order = table.sort ?? table.columns?.first
        let first = order.flatMap { name in cube.columns.firstIndex { $0.name == name } } ?? 0
        let rows = try shortened(
            sorted(sums, of: table.rows, by: first).map { (texts.value($0.key.first, of: table.rows), $0.value) })
        let label = texts.label(table.rows)
        return PageTable(
            title: title("\(texts["by", "column", label.lowercased()]), \(periodText(table, isOfMonths))", table),
            heading: label, kind: .values(ofColumn: table.rows), columns: columns(table),
            rows: rows.map { row($0.0, $0.1, in: table) },
            total: try total(table, of: grain, in: spans), isOpen: true)
    }

    /// All months, or the newest one.
    private func months(_ table: PageSpec.Table) -> ClosedRange<Int>? {
        guard cube.spec.time != nil, table.at == "last" else { return nil }
        return cube.months.extent.map { $0.upperBound...$0.upperBound }
    }

    private func periodText(_ table: PageSpec.Table, _ isOfMonths: Bool) -> String {
        if !isOfMonths {
            return cube.spec.ahead == true ? texts.daysAhead(PagePeriod.rangeDays) : texts.days(period.first.days)
        }
        if cube.spec.time == nil { return texts["now"] }
        if table.at == "last" { return texts["lastMonth"] }
        return texts[period.firstDay == nil ? "allMonths" : "periodMonths"]
    }

    /// With the currency where there are amounts.
    private func title(_ title: String, _ table: PageSpec.Table) -> String {
        let hasMoney = names(table).contains { name in
            if let column = cube.columns.first(where: { $0.name == name }) { return column.kind == .money }
            return PageRatio(name, of: cube)?.isAmount == true
        }
        return hasMoney ? "\(title), \(view.money.currency)" : title
    }

    private func names(_ table: PageSpec.Table) -> [String] { table.columns ?? cube.columns.map(\.name) }

    private func columns(_ table: PageSpec.Table) -> [(label: String, name: String)] {
        names(table).map { (texts.label($0), $0) }
    }

    private func row(
        _ label: String, _ figures: PageLayout.Figures, in table: PageSpec.Table, isBefore: Bool = false
    ) -> PageTable.Row {
        PageTable.Row(label: label, cells: names(table).map { cell($0, figures) }, isBefore: isBefore)
    }

    private func total(
        _ table: PageSpec.Table, of grain: PageGrain, in spans: ClosedRange<Int>?
    ) throws(ReportError) -> PageTable.Row? {
        guard table.total != false else { return nil }
        return try view.sums(.column(""), of: grain, in: spans).values.first.map { row(texts["total"], $0, in: table) }
    }

    /// A report's own numbers stand in their order, names by the figure.
    private func sorted(
        _ sums: [PageView.Group: PageLayout.Figures], of column: String, by figure: Int
    ) -> [(key: PageView.Group, value: PageLayout.Figures)] {
        let isNumeric = cube.spec.by?.contains(column) == true && sums.keys.allSatisfy { Int($0.first) != nil }
        return sums.sorted { left, right in
            if isNumeric, let one = Int(left.key.first), let other = Int(right.key.first) { return one < other }
            let (more, less) = (left.value[figure] ?? .min, right.value[figure] ?? .min)
            return more == less ? left.key.first < right.key.first : more > less
        }
    }

    /// The longest tail of a table becomes one row.
    private func shortened(
        _ rows: [(String, PageLayout.Figures)]
    ) throws(ReportError) -> [(String, PageLayout.Figures)] {
        guard rows.count > Self.rowCount + 1 else { return rows }
        var others = rows[Self.rowCount].1
        for row in rows[(Self.rowCount + 1)...] {
            others = try zip(others, row.1).map { left, right throws(ReportError) in
                guard let left, let right else { return left ?? right }
                return try PageLine.sum(left, right)
            }
        }
        return rows.prefix(Self.rowCount) + [(texts["others", "count", String(rows.count - Self.rowCount)], others)]
    }

    func cell(_ name: String, _ figures: PageLayout.Figures) -> String {
        if let index = cube.columns.firstIndex(where: { $0.name == name }) {
            return view.money.text(figures[index], cube.columns[index].kind)
        }
        guard let ratio = PageRatio(name, of: cube) else { return "–" }
        return ratio.text(figure(ratio.numerator, figures), of: figure(ratio.denominator, figures), in: view.money)
    }

    func figure(_ column: PageColumn, _ figures: PageLayout.Figures) -> Int64? {
        cube.columns.firstIndex { $0.name == column.name }.flatMap { figures[$0] }
    }
}
