// SPDX-License-Identifier: Apache-2.0

/// Sums of a report's figures for one table of the page: everything, in one money.
struct PageView {
    let cube: PageCube
    let money: PageMoney

    /// What the rows of a table are: the spans of time, or the values of a column.
    enum Rows: Hashable {
        case time
        case column(String)
        case columns(String, String)
    }

    /// A row's place in a table.
    struct Group: Hashable {
        let first: String
        let second: String
        let span: Int
    }

    /// Figures by row, of rows that there are.
    ///
    /// What stands at the beginning or the end of the spans is that of their first or last one.
    ///
    /// `spans`: nil: all that there are.
    func sums(
        _ rows: Rows, of grain: PageGrain, in spans: ClosedRange<Int>?
    ) throws(ReportError) -> [Group: PageLayout.Figures] {
        guard let extent = grain.extent else { return [:] }
        let spans = spans ?? extent
        guard spans.overlaps(extent) else { return [:] }
        var members: [Group: [PageGroup]] = [:]
        let currency = place("currency", in: grain)
        let wanted = number(money.currency, in: "currency")
        for (values, group) in grain.groups {
            if !money.isReporting, let currency, values[currency] != wanted { continue }
            members[self.group(of: values, by: rows, in: grain), default: []].append(group)
        }
        if rows == .time {
            let whole = try PageGroup.merged(members.values.flatMap(\.self))
            return members.isEmpty ? [:] : try bySpan(whole, in: spans.clamped(to: extent))
        }
        var sums: [Group: PageLayout.Figures] = [:]
        for (key, groups) in members { sums[key] = try figures(of: try PageGroup.merged(groups), in: spans) }
        return sums
    }

    private func group(of values: [Int32], by rows: Rows, in grain: PageGrain) -> Group {
        func value(_ column: String) -> String {
            place(column, in: grain).map { cube.values[column]?[Int(values[$0])] ?? "" } ?? ""
        }
        return switch rows {
        case .time: Group(first: "", second: "", span: 0)
        case .column(let column): Group(first: value(column), second: "", span: 0)
        case .columns(let first, let second): Group(first: value(first), second: value(second), span: 0)
        }
    }

    private func bySpan(
        _ group: PageGroup, in spans: ClosedRange<Int>
    ) throws(ReportError) -> [Group: PageLayout.Figures] {
        let rows = try values(PageLayout.rows, of: group, in: spans)
        let columns = try cube.columns.indices.map { index throws(ReportError) in
            let line = line(of: index)
            return (try values(line, of: group, in: spans), try values(line + 1, of: group, in: spans))
        }
        return spans.enumerated().reduce(into: [:]) { sums, span in
            guard rows[span.offset] > 0 else { return }
            sums[Group(first: "", second: "", span: span.element)] = cube.columns.indices.map { index in
                known(
                    columns[index].0[span.offset], unknown: columns[index].1[span.offset], of: rows[span.offset],
                    column: index)
            }
        }
    }

    /// Nil where there is no row.
    private func figures(
        of group: PageGroup, in spans: ClosedRange<Int>
    ) throws(ReportError) -> PageLayout.Figures? {
        let rows = try PageLine.sum(of: try values(PageLayout.rows, of: group, in: spans))
        guard rows > 0 else { return nil }
        return try cube.columns.indices.map { index throws(ReportError) in
            let line = line(of: index)
            let level = cube.columns[index].level
            let amount = try Self.whole(level, try values(line, of: group, in: spans))
            let unknown = try Self.whole(level, try values(line + 1, of: group, in: spans))
            return known(amount, unknown: unknown, of: rows, column: index)
        }
    }

    private static func whole(_ level: PageColumn.Level, _ values: [Int64]) throws(ReportError) -> Int64 {
        switch level {
        case .sum: try PageLine.sum(of: values)
        case .first: values.first ?? 0
        case .last: values.last ?? 0
        }
    }

    /// A figure that no row knows is unknown, a strict one as soon as one row does not; a level, where what is known of it is 0.
    private func known(_ amount: Int64, unknown: Int64, of rows: Int64, column index: Int) -> Int64? {
        guard unknown > 0 else { return amount }
        let isLevel = cube.columns[index].level != .sum
        return cube.layout.strict[index] || (isLevel ? amount == 0 : unknown >= rows) ? nil : amount
    }

    private func values(
        _ line: Int, of group: PageGroup, in spans: ClosedRange<Int>
    ) throws(ReportError) -> [Int64] {
        try group.lines[line].values(in: spans, isLevel: cube.layout.isLevel(line: line))
    }

    /// The line of a figure's amount in the page's money.
    private func line(of column: Int) -> Int {
        cube.layout.amount(column, inReporting: money.isReporting && cube.columns[column].reportingIndex != nil)
    }

    private func place(_ column: String, in grain: PageGrain) -> Int? { grain.columns.firstIndex(of: column) }

    private func number(_ value: String, in column: String) -> Int32? {
        cube.values[column]?.firstIndex(of: value).map(Int32.init)
    }
}
