// SPDX-License-Identifier: Apache-2.0

/// A figure of the Summary: one column of a report, month by month, of all apps and stores together.
struct MonthlyFigure {
    /// What a month makes of its days.
    enum Total {
        /// The sum of all days.
        case sum
        /// The last day's.
        case last
    }

    let column: SheetColumn
    let report: String
    let source: String
    let total: Total

    static let all = [
        amount("closing_mrr", .last, of: "mrr_bridge", "closing_reporting", "MRR at the end of the month"),
        amount("gross", .sum, of: "revenue", "gross_reporting", "Gross billings of the month"),
        amount("refunded", .sum, of: "revenue", "refunded_reporting", "Money refunded in the month"),
        amount("net_revenue", .sum, of: "revenue", "net_reporting", "gross − refunded"),
        amount("proceeds", .sum, of: "revenue", "proceeds_reporting", "The developer's part of net_revenue"),
        count("active", .last, of: "subscribers", "active", "Active subscribers at the end of the month"),
        count("trials", .last, of: "subscribers", "trial", "Subscribers in a free period at the end of the month"),
        count(
            "set_to_cancel", .last, of: "subscribers", "set_to_cancel",
            "Of the active, those whose auto-renewal was off"),
        count("churned", .sum, of: "churn", "churned", "Subscribers who were declared ended in the month"),
        count(
            "unconverted", .sum, of: "revenue", "unconverted",
            "Movements that are left out of the amounts: no source has a rate for them"),
    ]

    static func place(of name: String) -> Int? { all.firstIndex { $0.column.name == name } }

    private static func amount(
        _ name: String, _ total: Total, of report: String, _ source: String, _ definition: String
    ) -> Self {
        let text = "\(definition), in the reporting currency (\(report): \(source)); empty where nothing has a rate"
        return Self(
            column: SheetColumn(name: name, kind: .amount, definition: text), report: report, source: source,
            total: total)
    }

    private static func count(
        _ name: String, _ total: Total, of report: String, _ source: String, _ definition: String
    ) -> Self {
        let column = SheetColumn(name: name, kind: .count, definition: "\(definition) (\(report): \(source))")
        return Self(column: column, report: report, source: source, total: total)
    }
}
