// SPDX-License-Identifier: Apache-2.0

import Model
import Rendering
import SQLCatalog

/// A report's columns in the order of its rows, and which of them may be added up.
struct FigureShape {
    /// Whether several rows of a column make one figure.
    enum Addition {
        case always
        /// What stands at the beginning or the end of a day adds up over everything but time.
        case atOneTime
        /// A share, a rate, or a column of which nothing more is said.
        case never
    }

    private static let reportingSuffix = "_reporting"
    /// Texts that say something of a row, and do not tell it apart from others.
    private static let remarks: Set<String> = [
        "reporting_currency", "reporting_rates", "transaction_ids", "month_start", "cohort_month_start",
        "sold_month_start", "refunded_month_start",
    ]

    let report: String
    let columns: [ReportColumn]
    let spec: PageSpec?

    func position(of column: String) -> Int? { columns.firstIndex { $0.name == column } }

    func addition(of column: String) -> Addition {
        let base = Self.base(of: column)
        if spec?.sum?.contains(base) == true { return .always }
        return (spec?.first ?? []).contains(base) || (spec?.last ?? []).contains(base) ? .atOneTime : .never
    }

    /// One unknown part makes the whole unknown.
    func isStrict(_ column: String) -> Bool { spec?.strict?.contains(Self.base(of: column)) ?? false }

    /// The same figure in the currency it was charged in; the column itself, where it is that.
    static func base(of column: String) -> String {
        column.hasSuffix(reportingSuffix) ? String(column.dropLast(reportingSuffix.count)) : column
    }

    /// The column that holds the currency of an amount; nil of other figures.
    func currencyColumn(of column: String) -> String? {
        guard let kind = columns.first(where: { $0.name == column })?.kind, kind == .decimal else { return nil }
        let isReporting = column.hasSuffix(Self.reportingSuffix)
        // Shares and rates are decimals, too; what their definitions divide has no currency.
        guard isReporting || addition(of: column) != .never || Self.single.contains(column) else { return nil }
        let name = isReporting ? "reporting_currency" : "currency"
        return position(of: name).map { columns[$0].name }
    }

    /// The currency of a column's amount in a row; nil of other figures.
    func currency(of column: String, in row: [String?]) -> String? {
        if let place = currencyColumn(of: column).flatMap(position) { return row[place] }
        guard let pivot = spec?.pivot, column == pivot.value,
            let figure = position(of: pivot.columns).flatMap({ row[$0] }), pivot.money.contains(figure)
        else { return nil }
        return position(of: "reporting_currency").flatMap { row[$0] }
    }

    /// Amounts that are not added up.
    private static let single: Set<String> = [
        "tax", "proceeds", "ltv", "net", "mrr", "opening_mrr", "lost_mrr", "closing_mrr", "closing_mrr_net_of_tax",
        "closing_mrr_proceeds", "arr",
    ]

    /// The days of a row, where its report has one for each; nil of reports by month, and of those that look ahead.
    var dayColumn: String? {
        guard spec?.ahead != true, let position = position(of: "date"), columns[position].kind == .date else {
            return nil
        }
        return "date"
    }

    /// Of these columns those that tell rows apart.
    func keys(among positions: Set<Int>) -> [String] {
        let places = positions.sorted()
        let texts = places.filter {
            [.text, .date].contains(columns[$0].kind) && !Self.remarks.contains(columns[$0].name)
        }
        let others = places.filter { columns[$0].kind == .count && addition(of: columns[$0].name) == .never }
        return (texts.isEmpty ? others : texts).map { columns[$0].name }
    }

    /// Throws `CitationError` where it names a column that the report does not have, or one that is no figure.
    func check(_ name: FigureName) throws(CitationError) {
        for condition in name.conditions where position(of: condition.column) == nil {
            throw unknown(condition.column, among: columns.filter { $0.kind != .decimal })
        }
        for column in name.columns {
            let figures = columns.filter { [.count, .decimal].contains($0.kind) }
            guard figures.contains(where: { $0.name == column }) else { throw unknown(column, among: figures) }
        }
    }

    private func unknown(_ column: String, among known: [ReportColumn]) -> CitationError {
        let names = known.map(\.name)
        let hint = Suggestion.nearest(to: column, among: names).map { "did you mean \($0)?" }
        return CitationError(
            .name, "\(report).csv has no such column: \(column); \(hint ?? "it has " + names.joined(separator: ", "))")
    }
}
