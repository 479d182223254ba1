// SPDX-License-Identifier: Apache-2.0

import Workbook

/// A column of a sheet: what its cells hold, and how they are shown.
struct SheetColumn {
    enum Kind: String {
        case text, date, count, amount, decimal, rate, share
        /// `yyyy-mm`, in the cell as its first day.
        case month
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
        case .month: Cell(month: value)
        case .instant: Cell(instant: value)
        case .count, .amount, .decimal, .rate, .share: Cell(decimal: value)
        }
    }

    /// `digits`: of the minor unit of an amount's currency.
    func style(digits: Int) -> CellStyle {
        switch kind {
        case .text: .plain
        case .date: .date
        case .month: .month
        case .instant: .instant
        case .count: .count
        case .amount: .amount(digits: digits)
        case .decimal: .decimal
        case .rate: .rate
        case .share: .share
        }
    }

    /// True if it tells rows apart: the first columns of a sheet do.
    var isKey: Bool { [.text, .date, .month].contains(kind) }
}

extension SheetColumn {
    /// Of several figures, or of none: no amounts of the row's currency.
    private static let plainDecimals: Set<String> = [
        "quick_ratio", "value", "numerator", "denominator", "before", "after",
    ]

    /// A column of a CSV file.
    init(_ column: ReportColumn) {
        let kind: Kind =
            switch column.kind {
            case .text: column.name == "month" || column.name.hasSuffix("_month") ? .month : .text
            case .date: .date
            case .instant: .instant
            case .count: Self.isKey(column.name) ? .text : .count
            case .decimal where Self.isShare(column.name): .share
            case .decimal: Self.plainDecimals.contains(column.name) ? .decimal : .amount
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
