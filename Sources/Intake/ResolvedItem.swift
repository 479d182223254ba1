// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// One subscription or one-time sale that a purchase turned out to be about, once the store had answered.
struct ResolvedItem: Sendable {
    let storeKey: Secret
    let key: SubscriptionKey
    let environment: PurchaseEnvironment
    let productID: String?
    /// Nothing renews: it has no row among the subscriptions.
    let isSale: Bool
    /// The newest period or sale that the answer shows; nil where nothing was paid yet.
    let newest: ObservedPeriod?
    /// Bought once; only its money waits, for its order is not settled.
    let isBoughtUnsettled: Bool

    init(_ observation: Observation, of app: AppID) {
        storeKey = observation.storeKey
        key = SubscriptionKey(appID: app, storeKey: observation.storeKey.reveal())
        environment = observation.environment
        isSale = !observation.periods.isEmpty && !observation.periods.contains(where: \.isAutoRenewable)
        newest = observation.periods.max { $0.isOlder(than: $1) }
        productID = observation.status?.productID ?? newest?.productID
        isBoughtUnsettled = observation.isBoughtUnsettled
    }

    /// What the answer is about, the newest purchase first; empty where it shows nothing of it.
    ///
    /// A receipt is about all the subscriptions in it, or about its newest sale where there is none. An id may be that
    /// of a later transaction: then it is about the subscription which that one belongs to.
    static func items(
        of reading: Reading, askedWith handle: ExaminedPurchase.Handle, app: AppID
    ) -> [ResolvedItem] {
        switch handle {
        case .storeKey(let asked):
            let observed = reading.observations.filter {
                !$0.isSubstitute && (!$0.periods.isEmpty || $0.status?.state != nil)
            }
            let about =
                observed.first { $0.storeKey == asked || $0.askedWith == asked }
                ?? observed.first { $0.periods.contains { $0.transactionID == asked.reveal() } }
            return about.map { [ResolvedItem($0, of: app)] } ?? []
        case .receipt:
            let observed = reading.observations.filter { !$0.periods.isEmpty }.map { ResolvedItem($0, of: app) }
                .sorted { $0.isNewer(than: $1) }
            let subscriptions = observed.filter { !$0.isSale }
            return subscriptions.isEmpty ? Array(observed.prefix(1)) : subscriptions
        }
    }

    private func isNewer(than other: ResolvedItem) -> Bool {
        guard let newest, let others = other.newest else { return newest != nil }
        return others.isOlder(than: newest)
    }
}

extension ObservedPeriod {
    fileprivate func isOlder(than other: ObservedPeriod) -> Bool {
        (facts.purchasedAt, facts.start, facts.transactionID)
            < (other.purchasedAt, other.start, other.transactionID)
    }
}
