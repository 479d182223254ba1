// SPDX-License-Identifier: Apache-2.0

/// The lines of the rows that agree in every column that tells rows apart.
struct PageGroup {
    private(set) var lines: [PageLine]

    init(_ layout: PageLayout) { lines = Array(repeating: PageLine(), count: layout.lineCount) }

    private init(lines: [PageLine]) { self.lines = lines }

    /// A row; what stands at a span's beginning or end counts if this is its first or its last day.
    mutating func add(
        _ figures: PageLayout.Figures, on span: Int, isFirst: Bool, isLast: Bool, _ layout: PageLayout
    ) throws(ReportError) {
        try add(1, to: PageLayout.rows, on: span, layout)
        for (place, figure) in figures.enumerated() {
            let column = place % layout.columns.count
            let level = layout.columns[column].level
            if (level == .first && !isFirst) || (level == .last && !isLast) { continue }
            let line = layout.amount(column, inReporting: place >= layout.columns.count)
            try add(figure ?? 0, to: line, on: span, layout)
            try add(figure == nil ? 1 : 0, to: line + 1, on: span, layout)
        }
    }

    private mutating func add(
        _ value: Int64, to line: Int, on span: Int, _ layout: PageLayout
    ) throws(ReportError) {
        if !layout.isLevel(line: line) {
            try lines[line].add(value, on: span)
        } else if value != 0 || lines[line].isLevel {
            try lines[line].reach(value, on: span)
        }
    }

    /// No row follows.
    mutating func end(before span: Int) throws(ReportError) {
        for line in lines.indices where lines[line].isLevel { try lines[line].end(before: span) }
    }

    static func merged(_ groups: [PageGroup]) throws(ReportError) -> PageGroup {
        guard groups.count > 1, let first = groups.first else { return groups.first ?? PageGroup(lines: []) }
        return PageGroup(
            lines: try first.lines.indices.map { line throws(ReportError) in
                try PageLine.merged(groups.map { $0.lines[line] })
            })
    }
}
