// SPDX-License-Identifier: Apache-2.0

/// A transaction as answers handle it: a period of a subscription, or something sold once that stands by itself.
struct AppStorePurchase: Hashable, Sendable {
    /// Nil of what is sold once.
    let life: SubscriptionLife?
    /// Its place in its subscription.
    let index: Int
    let period: Period

    init(_ life: SubscriptionLife, _ index: Int) {
        (self.life, self.index, period) = (life, index, life.periods[index])
    }

    init(sale: Period) { (life, index, period) = (nil, 0, sale) }

    var originalTransactionID: String { life?.originalTransactionID ?? period.transactionID }
    /// The bundle's own transaction for the same time, where a bundle includes it.
    var bundleTransactionID: String? { life?.includedIn.map { $0[min(index, $0.count - 1)] } }
    var ownership: Ownership { life?.ownership ?? .purchased }
    /// When the first transaction of its subscription was bought.
    var firstPurchasedAt: Int64 { life?.periods.first?.purchasedAt ?? period.purchasedAt }

    /// Every id it ever goes by, with the instant from which it does.
    var identifiers: [(id: String, from: Int64)] {
        [(period.transactionID, period.createdAt)] + period.restores.map { ($0.value, $0.at) }
    }

    /// Whether money was given back of an item.
    func hasGivenBack(at now: Int64) -> Bool { period.items(at: now).contains { !$0.givenBack.isEmpty } }
}

extension CustomerLife {
    /// Everything that the customer ever buys.
    var everything: [AppStorePurchase] {
        subscriptions.flatMap { life in life.periods.indices.map { AppStorePurchase(life, $0) } }
            + sales.map(AppStorePurchase.init(sale:))
    }

    /// What of it exists at an instant.
    func purchases(at now: Int64) -> [AppStorePurchase] {
        everything.filter { $0.period.lastModified(at: now) != nil }
    }

    /// What goes by that transaction id at an instant; a first id stays good after a restore.
    func purchase(_ id: String, at now: Int64) -> AppStorePurchase? {
        everything.first { $0.identifiers.contains { $0.id == id && $0.from <= now } }
    }
}
