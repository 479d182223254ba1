// SPDX-License-Identifier: Apache-2.0

/// Which line of a group holds what: first how many rows there are, then of each figure its amount and the number of rows that
/// do not know it, as they are and in the reporting currency.
struct PageLayout {
    /// What a figure of a row says; nil: unknown.
    typealias Figures = [Int64?]

    static let rows = 0

    let columns: [PageColumn]
    /// Of each figure: whether one unknown part makes the whole unknown.
    let strict: [Bool]
    /// Whether rows are many on neighbouring spans, so that their number is a level, too.
    let hasLevels: Bool

    init(_ columns: [PageColumn], strict: Set<String>) {
        self.columns = columns
        self.strict = columns.map { strict.contains($0.name) }
        hasLevels = columns.contains { $0.level != .sum }
    }

    var lineCount: Int { 1 + columns.count * 4 }

    func amount(_ column: Int, inReporting: Bool) -> Int { 1 + column * 4 + (inReporting ? 2 : 0) }

    func unknown(_ column: Int, inReporting: Bool) -> Int { amount(column, inReporting: inReporting) + 1 }

    /// The column of a line; nil of the number of rows.
    func column(ofLine line: Int) -> Int? { line == Self.rows ? nil : (line - 1) / 4 }

    func isInReporting(line: Int) -> Bool { line != Self.rows && (line - 1) % 4 >= 2 }

    var lines: Range<Int> { 0..<lineCount }

    /// Amounts in their own currencies, of which several are no sum, and how many do not know them.
    func isOwnMoney(line: Int) -> Bool {
        guard let column = column(ofLine: line) else { return false }
        return columns[column].kind == .money && !isInReporting(line: line)
    }

    /// Of an amount in the reporting currency: the line of the same amount as it is.
    func ownLine(of line: Int) -> Int? { isInReporting(line: line) && (line - 1) % 2 == 0 ? line - 2 : nil }

    /// Whether a line moves a level, or is added up.
    func isLevel(line: Int) -> Bool {
        guard let column = column(ofLine: line), (line - 1) % 2 == 0 else { return hasLevels }
        return columns[column].level != .sum
    }
}

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
