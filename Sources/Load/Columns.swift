// SPDX-License-Identifier: Apache-2.0

internal import Model
internal import Postgres
internal import SQLCatalog

extension Chunk {
    /// The first two parameters of every statement of a chunk.
    var identity: [PostgresValue] { [.int(runID), PostgresValue(number)] }
}

extension CanonicalTransaction {
    /// In the order of `load/copy_transactions.sql`, and so of `load/transaction.columns`.
    func columns(of chunk: Chunk, answerHash: String?) -> [PostgresValue] {
        chunk.identity + [
            PostgresValue(answerHash), .bool(isSeenIndirectly), PostgresValue(lineageKey), .bool(sale.statesUpgrade),
            PostgresValue(key), .text(facts.transactionID), .text(facts.productID), PostgresValue(appID),
            PostgresValue(store), PostgresValue(environment), .text(sale.originalTransactionID), .text(facts.periodKey),
            PostgresValue(sale.subscriptionGroup), PostgresValue(facts.basePlanID), PostgresValue(kind),
            .bool(isTrialConversion), PostgresValue(facts.offerType), PostgresValue(facts.offerID),
            PostgresValue(sale.ownership), .int(sale.quantity), PostgresValue(facts.country),
            PostgresValue(facts.purchasedAt), PostgresValue(facts.start), PostgresValue(facts.end),
            PostgresValue(facts.extendedUntil), PostgresValue(facts.priceMicros), PostgresValue(facts.currency),
            PostgresValue(sale.priceSource),
            PostgresValue(sale.taxMicros), PostgresValue(facts.proceedsMicros),
            PostgresValue(sale.recurringPriceMicros), PostgresValue(sale.storeDiscountMicros),
            PostgresValue(refund.refundedAt), PostgresValue(refund.refundKind), PostgresValue(refund.refundReason),
            PostgresValue(refund.refundMicros), PostgresValue(refund.refundSource),
            PostgresValue(json: refund.refundParts.json), PostgresValue(facts.seats),
            PostgresValue(sale.bundleTransactionID), .bool(facts.isUpgraded), PostgresValue(sale.sourceVersion),
        ]
    }
}

extension [RefundPart] {
    /// The column `refund_parts`; nil where the store did not list the parts.
    fileprivate var json: String? {
        guard !isEmpty else { return nil }
        let parts = map {
            "{\"at\": \"\($0.at.iso8601)\", \"micros\": \($0.micros), \"tax\": \($0.taxMicros?.description ?? "null")"
                + ($0.isMoneyOnly ? ", \"money_only\": true}" : "}")
        }
        return "[\(parts.joined(separator: ", "))]"
    }
}

extension [StateStep] {
    /// The column `steps`; nil where there are none.
    fileprivate var json: String? {
        guard !isEmpty else { return nil }
        let steps = map {
            "{\"at\": \"\($0.at.iso8601)\", \"state\": \"\($0.state.rawValue)\", \"auto_renew\": \($0.autoRenew), "
                + "\"committed_until\": \($0.committedUntil.map { "\"\($0.iso8601)\"" } ?? "null")}"
        }
        return "[\(steps.joined(separator: ", "))]"
    }
}

extension SubscriptionRow {
    /// In the order of `load/copy_subscriptions.sql`.
    func columns(of chunk: Chunk, checkRequestsSeen: Int64?) -> [PostgresValue] {
        chunk.identity + [
            PostgresValue(key), PostgresValue(environment), PostgresValue(snapshot.state),
            PostgresValue(snapshot.stateRaw), PostgresValue(snapshot.productID), PostgresValue(snapshot.autoRenew),
            PostgresValue(snapshot.autoRenewProductID), PostgresValue(snapshot.expiresAt),
            PostgresValue(snapshot.graceExpiresAt), PostgresValue(snapshot.endedAt), PostgresValue(snapshot.endReason),
            PostgresValue(historyCursor), PostgresValue(sourceVersion), PostgresValue(occurredAt), .text(answerHash),
            PostgresValue(nextCheck.at), PostgresValue(nextCheck.reason), PostgresValue(checkRequestsSeen),
            PostgresValue(json: steps.json), PostgresValue(snapshot.committedUntil),
            PostgresValue(snapshot.renewalPrice?.micros), PostgresValue(snapshot.renewalPrice?.currency),
        ]
    }
}

extension ChunkRows {
    /// The answer each subscription's rows came with; a discovered one came with its discoverer's, a one-time sale with that
    /// of whom it was seen with.
    var answerHashes: [SubscriptionKey: String] {
        var hashes = Dictionary(subscriptions.map { ($0.key, $0.answerHash) }) { first, _ in first }
        for found in discoveries where hashes[found.key] == nil { hashes[found.key] = hashes[found.discoveredBy] }
        return hashes.merging(saleAnswers) { first, _ in first }
    }
}
