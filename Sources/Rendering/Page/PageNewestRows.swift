// SPDX-License-Identifier: Apache-2.0

/// The last rows of a report that says nothing of how it is shown, as they stand in its file.
struct PageNewestRows {
    static let count = 100

    private(set) var rows: [[String]] = []

    mutating func add(_ row: [String?]) {
        rows.append(row.map { $0 ?? "" })
        if rows.count >= Self.count * 2 { rows.removeFirst(rows.count - Self.count) }
    }

    /// Newest first.
    var newest: [[String]] { rows.suffix(Self.count).reversed() }
}
