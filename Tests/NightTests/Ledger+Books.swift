// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import SQLCatalog

@testable import StoreSimulator

/// The program's tables and files, in the words of the simulator's books, so that the two can be held against each other.
extension NightWorld {
    func bookedTransactions() async throws -> Set<BookedTransaction> {
        let rows = try await connection.query(
            Statement(name: "all transactions", text: "select * from subledger.transactions"))
        return Set(try rows.map(BookedTransaction.init))
    }

    func bookedSubscriptions() async throws -> Set<BookedSubscription> {
        let rows = try await connection.query(
            Statement(
                name: "all subscriptions",
                text: """
                    select held.*, earlier.store_key as linked_store_key
                    from subledger.subscriptions held
                    left join subledger.subscriptions earlier on earlier.subscription_key = held.linked_to
                    where not (\(Self.isAlias)) and not (\(Self.isPendingSale))
                    """))
        let items = try await bookedItems()
        return Set(try rows.map { try BookedSubscription($0, items: items[$0.int64("subscription_key")] ?? []) })
    }

    /// The cancellations that Google Play dated and that stand in no state change of that instant.
    func missingCancellations() async throws -> [DatedCancellation] {
        let rows = try await connection.query(
            Statement(
                name: "renewals switched off",
                text: """
                    select distinct held.app_id, held.store_key, changed.occurred_at
                    from subledger.state_changes changed
                    join subledger.subscriptions held on held.subscription_key = changed.subscription_key
                    where not changed.auto_renew
                    """))
        let known = Set(
            try rows.map { row in
                DatedCancellation(
                    appID: try row.string("app_id"), storeKey: try row.string("store_key"),
                    at: try row.timestampMicros("occurred_at"))
            })
        return stores.books.datedCancellations.subtracting(known).sorted { $0.at < $1.at }
    }

    /// By subscription key, in the order of their products: a table has no other.
    private func bookedItems() async throws -> [Int64: [BookedSubscription.Item]] {
        let rows = try await connection.query(
            Statement(
                name: "all items",
                text: "select * from subledger.subscription_items order by product_id collate \"C\""))
        return Dictionary(
            grouping: try rows.map { row in
                (
                    try row.int64("subscription_key"),
                    BookedSubscription.Item(
                        productID: try row.string("product_id"), expiresAt: try row.timestampMicros("expires_at"),
                        autoRenew: try row.bool("auto_renew"),
                        latestTransactionID: try row.optionalString("latest_transaction_id"))
                )
            }, by: \.0
        ).mapValues { $0.map(\.1) }
    }

    /// revenue.csv of a night's issue.
    func revenueRows(of night: Int) throws -> Set<RevenueRow> {
        // The books know no product types: what one product sold in two of them in a day is one row of theirs.
        var rows: [[String?]: RevenueRow] = [:]
        for row in try csv("revenue", of: night).map(RevenueRow.init) { rows[row.key, default: row.none].add(row) }
        return Set(rows.values)
    }

    /// churn.csv of a night's issue.
    func churnRows(of night: Int) throws -> Set<ChurnRow> {
        Set(try csv("churn", of: night).map(ChurnRow.init))
    }

    /// A CSV without quoted fields, each line by column name.
    private func csv(_ name: String, of night: Int) throws -> [[String: String]] {
        let path = reports + "/" + Self.businessDate(of: night) + "/\(name).csv"
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let header = lines.first?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
        return lines.dropFirst().map { line in
            let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            return Dictionary(uniqueKeysWithValues: zip(header, cells))
        }
    }
}

extension BookedTransaction {
    init(_ row: PostgresRow) throws {
        self.init(
            appID: try row.string("app_id"),
            originalTransactionID: try row.string("original_transaction_id"),
            transactionID: try row.string("transaction_id"),
            productID: try row.string("product_id"),
            // Of seats that share the line item of the first, the part that is the store's.
            periodKey: String(try row.string("period_key").prefix { $0 != "@" }),
            kind: try Self.word(row.string("kind")),
            isTrialConversion: try row.bool("is_trial_conversion"),
            offerType: try row.optionalString("offer_type").map(Self.word),
            ownership: try Self.word(row.string("ownership")),
            environment: try Self.word(row.string("environment")),
            country: try row.optionalString("country"),
            purchasedAt: try row.timestampMicros("purchased_at"),
            periodStart: try row.timestampMicros("period_start"),
            periodEnd: try row.optionalTimestampMicros("period_end") ?? row.timestampMicros("period_start"),
            priceMicros: try row.optionalInt64("price_micros"),
            currency: try row.optionalString("currency"),
            refundedAt: try row.optionalTimestampMicros("refunded_at"),
            refundKind: try row.optionalString("refund_kind").map(Self.word),
            refundMicros: try row.optionalInt64("refund_micros"),
            isUpgraded: try row.bool("is_upgraded"),
            taxMicros: try row.optionalInt64("tax_micros"),
            proceedsMicros: try row.optionalInt64("proceeds_micros"),
            basePlanID: try row.optionalString("base_plan_id"),
            storeDiscountMicros: try row.optionalInt64("store_discount_micros"),
            refundReason: try row.optionalString("refund_reason").map(Self.word),
            seats: try row.optionalInt64("seats"))
    }

    static func word<Word: RawRepresentable>(_ text: String) throws -> Word where Word.RawValue == String {
        guard let word = Word(rawValue: text) else { throw NightError("the books have no word \(text)") }
        return word
    }
}

extension BookedSubscription {
    init(_ row: PostgresRow, items: [Item]) throws {
        let state: State = try BookedTransaction.word(row.string("state"))
        self.init(
            appID: try row.string("app_id"),
            originalTransactionID: try row.string("store_key"),
            state: state,
            autoRenew: try row.optionalBool("auto_renew"),
            autoRenewProductID: try row.optionalString("auto_renew_product_id"),
            productID: state == .unverified ? "" : try row.string("product_id"),
            expiresAt: state == .unverified ? 0 : try row.timestampMicros("expires_at"),
            graceExpiresAt: state == .grace ? try row.optionalTimestampMicros("grace_expires_at") : nil,
            endReason: try row.optionalString("end_reason").map(BookedTransaction.word), items: items,
            linkedTo: try row.optionalString("linked_store_key"))
    }
}

extension RevenueRow {
    fileprivate var key: [String?] { [date, appID, productID, country, currency] }

    fileprivate var none: RevenueRow {
        RevenueRow(
            date: date, appID: appID, productID: productID, country: country, currency: currency, charges: 0,
            refunds: 0, grossMicros: 0, refundedMicros: 0, taxMicros: 0, proceedsMicros: 0)
    }

    /// What is not known of either is not known of both.
    fileprivate mutating func add(_ other: RevenueRow) {
        charges += other.charges
        refunds += other.refunds
        grossMicros += other.grossMicros
        refundedMicros += other.refundedMicros
        taxMicros = taxMicros.flatMap { mine in other.taxMicros.map { mine + $0 } }
        proceedsMicros = proceedsMicros.flatMap { mine in other.proceedsMicros.map { mine + $0 } }
    }

    init(_ cells: [String: String]) throws {
        self.init(
            date: cells["date"] ?? "", appID: cells["app_id"] ?? "", productID: cells["product_id"] ?? "",
            country: cells["country"].flatMap { $0.isEmpty ? nil : $0 }, currency: cells["currency"] ?? "",
            charges: Int(cells["charges"] ?? "") ?? -1, refunds: Int(cells["refunds"] ?? "") ?? -1,
            grossMicros: try Self.micros(cells["gross"]), refundedMicros: try Self.micros(cells["refunded"]),
            taxMicros: try Self.knownMicros(cells["tax"]),
            // The books know a sum of which nothing is missing, or none.
            proceedsMicros: ["estimated_share", "missing_share"].allSatisfy { cells[$0].flatMap(Double.init) == 0 }
                ? try Self.knownMicros(cells["proceeds"]) : nil)
    }

    private static func knownMicros(_ text: String?) throws -> Int64? {
        try text.flatMap { $0.isEmpty ? nil : try micros($0) }
    }

    /// "9.990000" is 9,990,000 micros: six decimals, always.
    private static func micros(_ text: String?) throws -> Int64 {
        let parts = (text ?? "").split(separator: ".")
        guard parts.count == 2, parts[1].count == 6, let value = Int64(parts.joined()) else {
            throw NightError("\(text ?? "nothing") is no amount with six decimals")
        }
        return value
    }
}

extension ChurnRow {
    init(_ cells: [String: String]) throws {
        self.init(date: cells["date"] ?? "", appID: cells["app_id"] ?? "", productID: cells["product_id"] ?? "")
        let count = { (name: String) throws -> Int in
            guard let value = cells[name].flatMap({ Int($0) }) else { throw NightError("churn.csv has no \(name)") }
            return value
        }
        opening = try count("opening")
        churned = try count("churned")
        voluntary = try count("voluntary")
        involuntary = try count("involuntary")
        price = try count("price")
        product = try count("product")
        refund = try count("refund")
        other = try count("other")
        lapsed = try count("lapsed")
        cameAndWent = try count("came_and_went")
    }
}
