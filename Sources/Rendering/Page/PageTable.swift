// SPDX-License-Identifier: Apache-2.0

/// A table of the page, ready to be read.
struct PageTable {
    struct Row {
        let label: String
        let cells: [String]
        /// Of a table that is coloured by its figures: how deep each cell is, 0 to 9.
        var depths: [Int?] = []
        /// It begins before the stores were asked.
        var isBefore = false
    }

    /// What its rows are.
    enum Kind: Hashable {
        case day, month
        /// A value each of a column, and of another one across.
        case matrix
        case values(ofColumn: String)

        /// In the page's HTML.
        var name: String {
            switch self {
            case .day: "day"
            case .month: "month"
            case .matrix: "matrix"
            case .values(let column): column
            }
        }
    }

    let title: String
    let heading: String
    let kind: Kind
    let columns: [(label: String, name: String)]
    let rows: [Row]
    /// All rows together; nil where that means nothing.
    var total: Row?
    let isOpen: Bool

    /// Rows of a table on paper, by the name of its kind, so that a section fits a page: the newest days and months, the first of others.
    static let paperRows = ["day": 7, "month": 13, "matrix": 13]
    static let paperRowsOfOthers = 26

    var paperRows: Int { Self.paperRows[kind.name] ?? Self.paperRowsOfOthers }
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
