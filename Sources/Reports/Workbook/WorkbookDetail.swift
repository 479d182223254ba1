// SPDX-License-Identifier: Apache-2.0

import Postgres
import SQLCatalog

/// The sheet of single transactions, in the order of `sql/reports/manifest/detail.sql`. Ids are text, purchase tokens are not
/// among them.
struct WorkbookDetail {
    static let sheetName = "Detail"
    /// Rows at most: the newest.
    static let rowLimit = 100_000
    static let definition = "Transactions bought or paid back in these months, as they were known, the newest first"

    static let columns: [SheetColumn] = [
        column("app_id", .text, "The owner's own name of the app"),
        column("store", .text, "app_store or google_play"),
        column("product_id", .text, "Product bought"),
        column("subscription_key", .text, "subledger's own number of the subscription"),
        column("transaction_id", .text, "The store's id of the transaction, or of the order"),
        column("original_transaction_id", .text, "The store's id of the whole subscription"),
        column("lineage_key", .text, "subscription_key of the oldest purchase that this one continues"),
        column(
            "kind", .text, "trial, purchase, renewal, resubscribe, upgrade, downgrade, crossgrade, top_up or one_time"),
        column("country", .text, "Storefront, ISO 3166-1 alpha-2; empty where unknown"),
        column("purchased_at", .instant, "Instant of the purchase, in UTC"),
        column("period_start", .instant, "First instant of the period, in UTC"),
        column("period_end", .instant, "Its end, in UTC; empty for what has none"),
        column("currency", .text, "ISO 4217 code of the amounts"),
        column("price", .amount, "Price the customer paid, tax as charged; empty where unknown"),
        column("tax", .amount, "Tax within the price, where the store told it"),
        column("proceeds", .amount, "The developer's part, where the store told it"),
        column("price_source", .text, "store_order, store_price, price_list or missing"),
        column("proceeds_source", .text, "store_order, store_report, estimated or missing"),
        column("refunded_at", .instant, "Instant of the refund, in UTC; empty where none"),
        column("refund_kind", .text, "full, partial or revoke"),
        column("refund", .amount, "Money given back; empty where none, or unknown"),
        column("refund_source", .text, "store_amount, or derived: worked out of a share of the price, or of seats"),
        column(
            "billing_plan", .text,
            "Of the App Store's yearly products: monthly (paid by the month) or upfront; empty where the catalogue has no length"
        ),
        column("environment", .text, "production or sandbox; no figure has the sandbox"),
        column("ownership", .text, "purchased, family_shared or assigned; only purchased has money"),
    ]

    let connection: PostgresConnection

    /// Within the transaction of the whole issue, while its days are shown: the rows are settled from here on.
    func open(from firstDay: String) async throws(PostgresError) {
        // One more than fit: whether there are any says whether some are left out.
        try await connection.execute(
            SQL.Reports.Manifest.detail, [.date(firstDay), .int(Int64(Self.rowLimit) + 1)])
    }

    /// Throws `ReportError` or `PostgresError`.
    func write(to workbook: WorkbookQueue) async throws {
        try await workbook.add { try await $0.beginDetail() }
        var rows = try await connection.query(SQL.Reports.Manifest.fetchRows)
        while !rows.isEmpty {
            let values = rows.map(\.texts)
            try await workbook.add { try await $0.append(values) }
            rows = try await connection.query(SQL.Reports.Manifest.fetchRows)
        }
        try await connection.execute(SQL.Reports.Manifest.closeRows)
        try await workbook.add { try await $0.end() }
    }

    private static func column(_ name: String, _ kind: SheetColumn.Kind, _ definition: String) -> SheetColumn {
        SheetColumn(name: name, kind: kind, definition: definition)
    }
}
