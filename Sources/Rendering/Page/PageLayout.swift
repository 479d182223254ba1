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
