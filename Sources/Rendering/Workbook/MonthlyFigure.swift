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
        amount(
            "closing_mrr", .last, of: "closing_reporting", in: "mrr_bridge", definition: "MRR at the end of the month"),
        amount("gross", .sum, of: "gross_reporting", in: "revenue", definition: "Gross billings of the month"),
        amount("refunded", .sum, of: "refunded_reporting", in: "revenue", definition: "Money refunded in the month"),
        amount("net_revenue", .sum, of: "net_reporting", in: "revenue", definition: "gross − refunded"),
        amount(
            "proceeds", .sum, of: "proceeds_reporting", in: "revenue", definition: "The developer's part of net_revenue"
        ),
        count(
            "active", .last, of: "active", in: "subscribers", definition: "Active subscribers at the end of the month"),
        count(
            "trials", .last, of: "trial", in: "subscribers",
            definition: "Subscribers in a free period at the end of the month"),
        count(
            "set_to_cancel", .last, of: "set_to_cancel", in: "subscribers",
            definition: "Of the active, those whose auto-renewal was off"),
        count(
            "churned", .sum, of: "churned", in: "churn", definition: "Subscribers who were declared ended in the month"),
        count(
            "unconverted", .sum, of: "unconverted", in: "revenue",
            definition: "Movements that are left out of the amounts: no source has a rate for them"),
    ]

    static func place(of name: String) -> Int? { all.firstIndex { $0.column.name == name } }

    private static func amount(
        _ name: String, _ total: Total, of source: String, in report: String, definition: String
    ) -> Self {
        let text = "\(definition), in the reporting currency (\(report): \(source)); empty where nothing has a rate"
        return Self(
            column: SheetColumn(name: name, kind: .amount, definition: text), report: report, source: source,
            total: total)
    }

    private static func count(
        _ name: String, _ total: Total, of source: String, in report: String, definition: String
    ) -> Self {
        let column = SheetColumn(name: name, kind: .count, definition: "\(definition) (\(report): \(source))")
        return Self(column: column, report: report, source: source, total: total)
    }
}
