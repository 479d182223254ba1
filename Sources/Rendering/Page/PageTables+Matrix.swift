// SPDX-License-Identifier: Apache-2.0

/// Tables with a column for each value, coloured by their figures.
extension PageTables {
    func matrix(
        _ table: PageSpec.Table, across: String, _ value: String
    ) throws(ReportError) -> PageTable {
        let sums = try view.sums(.columns(table.rows, across), of: cube.months, in: nil)
        let firsts = Set(sums.keys.map(\.first)).sorted(by: >)
        let seconds = Self.ordered(Set(sums.keys.map(\.second)))
        let depths = PageDepths(sums.values.map { depth(value, $0) })
        let sizes = table.size.map { [(texts.label($0), $0)] } ?? []
        return PageTable(
            title: matrixTitle(table, across: across, value: value), heading: texts.label(table.rows), kind: .matrix,
            columns: sizes + seconds.map { (texts.value($0, of: across), across) },
            rows: firsts.map { first in
                let figures = seconds.map { sums[PageView.Group(first: first, second: $0, span: 0)] }
                let size = sizes.map { cell($0.1, figures.compactMap(\.self).first ?? []) }
                return PageTable.Row(
                    label: first, cells: size + figures.map { $0.map { cell(value, $0) } ?? "" },
                    depths: size.map { _ in nil } + figures.map { $0.flatMap { depths.depth(depth(value, $0)) } },
                    isBefore: PageSpan.month(first).map { period.isBefore(day: PageSpan.firstDay(ofMonth: $0)) }
                        ?? false)
            }, isOpen: true)
    }

    private func matrixTitle(_ table: PageSpec.Table, across: String, value: String) -> String {
        let title = "\(texts.label(value)): \(texts.label(table.rows)) × \(texts.label(across))"
        let isMoney =
            cube.columns.first { $0.name == value }.map { $0.kind == .money } ?? PageRatio(value, of: cube)?.isAmount
        return isMoney == true ? "\(title), \(view.money.currency)" : title
    }

    private static func ordered(_ values: Set<String>) -> [String] {
        values.sorted { left, right in
            if let left = Int(left), let right = Int(right) { return left < right }
            return left < right
        }
    }

    /// A figure as a fraction of integers, for colours only.
    private func depth(_ name: String, _ figures: PageLayout.Figures) -> Double? {
        if let index = cube.columns.firstIndex(where: { $0.name == name }) { return figures[index].map(Double.init) }
        guard let ratio = PageRatio(name, of: cube), let part = figure(ratio.numerator, figures),
            let whole = figure(ratio.denominator, figures), whole > 0
        else { return nil }
        return Double(part) / Double(whole)
    }
}
