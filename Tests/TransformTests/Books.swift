// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import TestSupport
import Transform

/// What the tables would hold of one subscription, night after night: enough to hand the next night its memory.
struct Books {
    private(set) var transactions: [CanonicalTransaction] = []
    private(set) var snapshot = SubscriptionSnapshot()
    private(set) var nextCheck: NextCheck?
    private(set) var occurredAt: Instant?
    private(set) var aliases: [TransactionAlias] = []
    var watch: [Int64] = []
    var kind = StoreKind.appStore

    /// Asks with what the books hold, and books the answer.
    mutating func night(
        _ now: Instant, _ status: ObservedStatus?, _ periods: ObservedPeriod..., wantsHistory: Bool = false
    ) {
        book(periods, status, now: now, wantsHistory: wantsHistory)
    }

    mutating func book(
        _ periods: [ObservedPeriod], _ status: ObservedStatus?, now: Instant, wantsHistory: Bool = false
    ) {
        let asked = due(snapshot, known: transactions.map(KnownPeriod.init), wantsHistory: wantsHistory)
        let rows = rows(reading(observation(periods, status)), for: [asked], now: now, watch: watch, kind: kind)
        for row in rows.transactions { persist(row) }
        aliases += rows.aliases
        for row in rows.subscriptions {
            snapshot = row.snapshot
            nextCheck = row.nextCheck
            occurredAt = row.occurredAt
        }
    }

    private mutating func persist(_ row: CanonicalTransaction) {
        transactions.removeAll { $0.transactionID == row.transactionID && $0.productID == row.productID }
        transactions.append(row)
        transactions.sort { ($0.purchasedAt, $0.transactionID) < ($1.purchasedAt, $1.transactionID) }
    }

    var kinds: [TransactionKind] { transactions.map(\.kind) }
    var conversions: [Bool] { transactions.map(\.isTrialConversion) }
}
