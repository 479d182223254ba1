// SPDX-License-Identifier: Apache-2.0

/// Figures of a report by the columns that tell its rows apart, by day or by month.
struct PageGrain {
    let columns: [String]
    let layout: PageLayout
    private(set) var groups: [[Int32]: PageGroup] = [:]
    /// The last span that a level lasts to.
    private var lastSpan = Int.max - 1

    init(columns: [String], layout: PageLayout) {
        self.columns = columns
        self.layout = layout
    }

    /// Whether amounts stand in their own currencies.
    var hasCurrency: Bool { columns.contains("currency") }

    /// Rows come in the order of their spans.
    mutating func add(
        _ figures: PageLayout.Figures, span: Int, values: [Int32], isFirst: Bool = true, isLast: Bool = true
    ) throws(ReportError) {
        try groups[values, default: PageGroup(layout)].add(figures, on: span, isFirst: isFirst, isLast: isLast, layout)
    }

    /// No row follows.
    mutating func end(before span: Int) throws(ReportError) {
        lastSpan = span - 1
        for values in groups.keys { try groups[values]?.end(before: span) }
    }

    /// The same with rows together that differ in that column alone.
    func without(_ column: String) throws(ReportError) -> PageGrain {
        guard let place = columns.firstIndex(of: column) else { return self }
        var members: [[Int32]: [PageGroup]] = [:]
        for (values, group) in groups {
            var left = values
            left.remove(at: place)
            members[left, default: []].append(group)
        }
        var grain = PageGrain(columns: columns.filter { $0 != column }, layout: layout)
        grain.lastSpan = lastSpan
        for (values, groups) in members { grain.groups[values] = try PageGroup.merged(groups) }
        return grain
    }

    /// The first and the last span that anything is on.
    var extent: ClosedRange<Int>? {
        let rows = groups.values.map { $0.lines[PageLayout.rows].entries }
        guard let first = rows.compactMap(\.first?.span).min(), let last = rows.compactMap(lastSpan).max() else {
            return nil
        }
        return first...max(first, last)
    }

    /// Rows that have not ended are there until the end.
    private func lastSpan(of rows: [PageLine.Entry]) -> Int? {
        guard layout.hasLevels else { return rows.last?.span }
        return rows.reduce(0) { $0 + $1.value } == 0 ? rows.last.map { $0.span - 1 } : lastSpan
    }
}
