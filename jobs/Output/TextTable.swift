// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Columns side by side, as wide as their widest cell.
struct TextTable: CustomStringConvertible {
    private let rows: [[String]]

    init(_ head: [String], _ rows: [[String]]) { self.rows = ([head] + rows).map { $0.map(\.printable) } }

    var description: String { lines.map { "  " + $0 }.joined(separator: "\n") }

    /// Head and rows.
    var lines: [String] {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0.padding(toLength: max($1, $0.count), withPad: " ", startingAt: 0) }
            return cells.joined(separator: "  ").trimmingCharacters(in: .whitespaces)
        }
    }
}
