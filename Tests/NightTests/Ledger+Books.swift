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
                        latestTransactionID: try row.optionalString("latest_transaction_id"),
                        revokedAt: try row.optionalTimestampMicros("revoked_at"))
                )
            }, by: \.0
        ).mapValues { $0.map(\.1) }
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
            extendedUntil: try row.optionalTimestampMicros("extended_until"),
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
            seats: try row.optionalInt64("seats"),
            bundleTransactionID: try row.optionalString("bundle_transaction_id"))
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
            committedUntil: try row.optionalTimestampMicros("committed_until"),
            renewalMicros: try row.optionalInt64("renewal_price_micros"),
            renewalCurrency: try row.optionalString("renewal_currency"),
            productID: state == .unverified ? "" : try row.string("product_id"),
            expiresAt: state == .unverified ? 0 : try row.timestampMicros("expires_at"),
            graceExpiresAt: state == .grace ? try row.optionalTimestampMicros("grace_expires_at") : nil,
            endReason: try row.optionalString("end_reason").map(BookedTransaction.word), items: items,
            linkedTo: try row.optionalString("linked_store_key"))
    }
}
