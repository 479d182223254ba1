// SPDX-License-Identifier: Apache-2.0

import Workbook

/// A column of a sheet: what its cells hold, and how they are shown.
struct SheetColumn {
    enum Kind: String {
        case text, date, count, amount, share
        /// Whole seconds since 1970, shown in UTC.
        case instant
    }

    let name: String
    let kind: Kind
    let definition: String

    /// nil is unknown, and the cell stays empty: never 0.
    func cell(_ value: String?) -> Cell {
        guard let value else { return .empty }
        return switch kind {
        case .text: .text(value)
        case .date: Cell(day: value)
        case .instant: Cell(instant: value)
        case .count, .amount, .share: Cell(decimal: value)
        }
    }

    var style: CellStyle {
        switch kind {
        case .text: .plain
        case .date: .date
        case .instant: .instant
        case .count: .count
        case .amount: .amount
        case .share: .share
        }
    }

    /// In characters; the header has a button beside its name.
    var width: Double {
        let least =
            switch kind {
            case .instant: 20
            case .text: 14
            case .amount: 13
            case .date, .count, .share: 11
            }
        return Double(max(least, name.utf8.count + 4))
    }
}

extension SheetColumn {
    /// A column of a CSV file.
    init(_ column: ReportColumn) {
        let kind: Kind =
            switch column.kind {
            case .text: .text
            case .date: .date
            case .instant: .instant
            case .count: Self.isKey(column.name) ? .text : .count
            case .decimal: Self.isShare(column.name) ? .share : .amount
            }
        self.init(name: column.name, kind: kind, definition: column.definition)
    }

    /// Numbers that name something: a spreadsheet would round them.
    private static func isKey(_ name: String) -> Bool { name.hasSuffix("_key") }

    /// Parts of a whole bear it in their names, from 0 to 1.
    private static func isShare(_ name: String) -> Bool {
        ["share", "rate", "retention", "churn", "grr", "nrr", "nrr_with_reactivation"].contains { end in
            name == end || name.hasSuffix("_" + end)
        }
    }
}
