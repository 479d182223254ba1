// SPDX-License-Identifier: Apache-2.0

package import Model
package import Postgres
internal import SQLCatalog

/// The story of one subscription: what it is, what became of it, its money, when it is asked next and why, and the
/// store's own answers.
///
/// It never holds a purchase token or a receipt.
package struct Explanation: Sendable {
    package struct StateChange: Sendable {
        package let occurredAt: Instant
        package let recordedAt: Instant
        package let runID: Int64
        package let state: String
        package let stateRaw: String?
        package let autoRenew: Bool?
        package let productID: String?
        package let expiresAt: Instant?
        package let endReason: String?
        /// Until when payments are committed to, on a plan that was cancelled.
        package let committedUntil: Instant?
        /// What the store says that the next renewal costs.
        package let renewalPrice: RenewalPrice?
        package let answerHash: String?
    }

    package struct Transaction: Sendable {
        package let id: String
        package let productID: String
        package let kind: String
        package let offerType: String?
        package let country: String?
        /// Whether the country is only the app's default.
        package let isCountryAssumed: Bool
        package let periodStart: Instant
        package let periodEnd: Instant?
        /// The App Store moved the end here since.
        package let extendedUntil: Instant?
        package let priceMicros: Int64?
        package let currency: String?
        package let priceSource: String
        package let refundedAt: Instant?
        package let refundKind: String?
        /// `chargeback`, or nil.
        package let refundReason: String?
        /// The amount was worked out of a share or of seats.
        package let isRefundDerived: Bool
        /// Seats of a multiseat purchase that are still held; nil for every other row.
        package let seats: Int64?
        /// `purchased`, `family_shared` or `assigned`.
        package let ownership: String
        /// The transaction of the bundle that includes it; nil for every other row.
        package let bundleTransactionID: String?
        /// Google Play's.
        package let basePlanID: String?
        /// What the store itself paid of the price.
        package let storeDiscountMicros: Int64?
        package let versions: Int64
        package let aliases: [String]
        package let recordedRunID: Int64
        package var entries: [Entry]
    }

    /// Money booked for a transaction.
    package struct Entry: Sendable {
        package let kind: String
        package let occurredAt: Instant
        package let recordedAt: Instant
        package let runID: Int64
        package let amountMicros: Int64
        package let currency: String
        package let source: String
    }

    package struct Answer: Sendable {
        package let endpoint: String
        package let answeredAt: Instant
        package let runID: Int64
        package let answerHash: String
        package let bytes: Int64
        package let body: String
    }

    package struct DeadLetter: Sendable {
        package let stage: String
        package let reason: String
        package let detail: String
        /// The row that it is about; nil: the whole answer.
        package let transactionID: String?
        package let createdAt: Instant
        package let resolvedAt: Instant?
    }

    package let key: SubscriptionKey
    /// Nil where there are only transactions: a one-time sale.
    package let subject: ExplainedSubscription?
    package let changes: [StateChange]
    package let transactions: [Transaction]
    package let answers: [Answer]
    package let deadLetters: [DeadLetter]

    /// Everything that the given id may mean, at most 20: our key, the store's id or token, a transaction or order id,
    /// the owner's customer id.
    ///
    /// Empty where nothing is known under it.
    package static func find(
        _ id: String, on connection: PostgresConnection, now: Instant
    ) async throws -> [Explanation] {
        try await connection.withTransaction(.repeatableReadOnly) { connection in
            var found: [Explanation] = []
            for row in try await connection.query(SQL.Explain.findSubscriptions, [.text(id)]) {
                found.append(try await read(try row.subscriptionKey("subscription_key"), on: connection, now: now))
            }
            return found
        }
    }

    private static func read(
        _ key: SubscriptionKey, on connection: PostgresConnection, now: Instant
    ) async throws(PostgresError) -> Explanation {
        let parameters = [PostgresValue(key)]
        let subject = try await connection.query(
            SQL.Explain.readSubscription, parameters + [PostgresValue(now)]
        ).first
        let entries = try await connection.query(SQL.Explain.listLedgerEntries, parameters)
        let transactions = try await connection.query(SQL.Explain.listTransactions, parameters)
        let changes = try await connection.query(SQL.Explain.listStateChanges, parameters)
        let answers = try await connection.query(SQL.Explain.listAnswers, parameters)
        let letters = try await connection.query(SQL.Explain.listDeadLetters, parameters)
        return Explanation(
            key: key, subject: try subject.map(ExplainedSubscription.init), changes: try changes.map(StateChange.init),
            transactions: try transactions.map { (row) throws(PostgresError) in try Transaction(row, entries: entries)
            },
            answers: try answers.map(Answer.init), deadLetters: try letters.map(DeadLetter.init))
    }
}
