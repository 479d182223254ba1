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

    /// Figures by row. What stands at the beginning of the spans counts in the first of them only, what stands at their end in
    /// the last.
    func sums(
        _ rows: Rows, of grain: PageGrain, in spans: ClosedRange<Int>
    ) throws(ReportError) -> [Group: PageGrain.Figures] {
        var sums: [Group: PageGrain.Figures] = [:]
        let currency = place("currency", in: grain)
        let wanted = number(money.currency, in: "currency")
        let strict = cube.columns.map { cube.spec.strict?.contains($0.name) ?? false }
        for (key, figures) in grain.rows where spans.contains(key.span) {
            if !money.isReporting, let currency, key.values[currency] != wanted { continue }
            let group = group(of: key, by: rows, in: grain)
            let own = spoken(figures, of: grain, at: key.span, within: rows == .time ? key.span...key.span : spans)
            sums[group] =
                try sums[group].map { held throws(ReportError) in try PageGrain.sum(held, own, strict) } ?? own
        }
        return sums
    }

    private func group(of key: PageGrain.Key, by rows: Rows, in grain: PageGrain) -> Group {
        func value(_ column: String) -> String {
            place(column, in: grain).map { cube.values[column]?[Int(key.values[$0])] ?? "" } ?? ""
        }
        return switch rows {
        case .time: Group(first: "", second: "", span: key.span)
        case .column(let column): Group(first: value(column), second: "", span: 0)
        case .columns(let first, let second): Group(first: value(first), second: value(second), span: 0)
        }
    }

    /// In the page's money, each level only on its day.
    private func spoken(
        _ figures: PageGrain.Figures, of grain: PageGrain, at span: Int, within spans: ClosedRange<Int>
    ) -> PageGrain.Figures {
        let count = cube.columns.count
        return cube.columns.indices.map { index in
            let column = cube.columns[index]
            let isConverted = money.isReporting && column.reportingIndex != nil
            let figure = isConverted ? figures[count + index] : figures[index]
            return switch column.level {
            case .sum: figure
            case .first: span == spans.lowerBound ? figure : figure.map { _ in 0 }
            case .last: span == spans.upperBound ? figure : figure.map { _ in 0 }
            }
        }
    }

    private func place(_ column: String, in grain: PageGrain) -> Int? { grain.columns.firstIndex(of: column) }

    private func number(_ value: String, in column: String) -> Int32? {
        cube.values[column]?.firstIndex(of: value).map(Int32.init)
    }
}
