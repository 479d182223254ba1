// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import SQLCatalog

extension Explanation.StateChange {
    init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            occurredAt: try row.instant("occurred_at"), recordedAt: try row.instant("recorded_at"),
            runID: try row.int64("run_id"), state: try row.string("state"),
            stateRaw: try row.optionalString("state_raw"), autoRenew: try row.optionalBool("auto_renew"),
            productID: try row.optionalString("product_id"), expiresAt: try row.optionalInstant("expires_at"),
            endReason: try row.optionalString("end_reason"), committedUntil: try row.optionalInstant("committed_until"),
            renewalPrice: try row.renewalPrice(), answerHash: try row.optionalString("answer_hash"))
    }
}

extension Explanation.Transaction {
    /// With those of the entries that are its own.
    init(_ row: PostgresRow, entries: [PostgresRow]) throws(PostgresError) {
        let (id, product) = (try row.string("transaction_id"), try row.string("product_id"))
        var own: [Explanation.Entry] = []
        for entry in entries {
            let names = (try entry.string("transaction_id"), try entry.string("product_id"))
            if names == (id, product) { own.append(try Explanation.Entry(entry)) }
        }
        self.init(
            id: id, productID: product, kind: try row.string("kind"), offerType: try row.optionalString("offer_type"),
            country: try row.optionalString("country"),
            isCountryAssumed: try row.optionalBool("is_country_assumed") ?? false,
            periodStart: try row.instant("period_start"), periodEnd: try row.optionalInstant("period_end"),
            extendedUntil: try row.optionalInstant("extended_until"),
            priceMicros: try row.optionalInt64("price_micros"), currency: try row.optionalString("currency"),
            priceSource: try row.string("price_source"), refundedAt: try row.optionalInstant("refunded_at"),
            refundKind: try row.optionalString("refund_kind"),
            refundReason: try row.optionalString("refund_reason"),
            isRefundDerived: try row.optionalString("refund_source") == "derived",
            seats: try row.optionalInt64("seats"), ownership: try row.string("ownership"),
            bundleTransactionID: try row.optionalString("bundle_transaction_id"),
            basePlanID: try row.optionalString("base_plan_id"),
            storeDiscountMicros: try row.optionalInt64("store_discount_micros"), versions: try row.int64("versions"),
            aliases: try row.textArray("aliases").compactMap(\.self), recordedRunID: try row.int64("recorded_run_id"),
            entries: own)
    }
}

extension Explanation.Entry {
    init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            kind: try row.string("kind"), occurredAt: try row.instant("occurred_at"),
            recordedAt: try row.instant("recorded_at"), runID: try row.int64("run_id"),
            amountMicros: try row.int64("amount_micros"), currency: try row.string("currency"),
            source: try row.string("source"))
    }
}

extension Explanation.Answer {
    init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            endpoint: try row.string("endpoint"), answeredAt: try row.instant("answered_at"),
            runID: try row.int64("run_id"), answerHash: try row.string("answer_hash"),
            bytes: try row.int64("bytes"), body: try row.string("body"))
    }
}

extension Explanation.DeadLetter {
    init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            stage: try row.string("stage"), reason: try row.string("reason"), detail: try row.string("detail"),
            transactionID: try row.optionalString("transaction_id"),
            createdAt: try row.instant("created_at"), resolvedAt: try row.optionalInstant("resolved_at"))
    }
}
