// SPDX-License-Identifier: Apache-2.0

/// The stores' own books, in two columns: what happened, and what their answers have disclosed.
package struct Books: Sendable {
    let customers: [CustomerLife]
    let apps: [String: SimulatedApp]
    let now: Int64
    let disclosed: Disclosures
    /// Google Play's, where an app is sold there.
    var play: PlayBooks?

    package func transactions(_ column: BookColumn) -> [BookedTransaction] { images(column).map(\.booked) }

    /// Every row of both stores as that column knows it.
    func images(_ column: BookColumn) -> [PeriodImage] { appStoreImages(column) + (play?.images(column) ?? []) }

    private func appStoreImages(_ column: BookColumn) -> [PeriodImage] {
        if column == .disclosed { return Array(disclosed.periods.values) }
        return customers.flatMap { customer in
            apps[customer.appID].map { app in
                customer.everything.flatMap { customer.images(of: $0, at: now, in: app, disclosed: disclosed) }
            } ?? []
        }
    }

    /// Every purchase with its money.
    func money(_ column: BookColumn) -> [(image: PeriodImage, entries: [MoneyLedger.Entry])] {
        appStoreMoney(column) + (play?.images(column) ?? []).map { ($0, $0.entries) }
    }

    /// The App Store's: what was disclosed, and for what happened also what an answer would disclose now.
    func appStoreMoney(_ column: BookColumn) -> [(image: PeriodImage, entries: [MoneyLedger.Entry])] {
        appStoreImages(column).map { image in
            var ledger = disclosed.ledgers[image.key] ?? MoneyLedger()
            if column == .happened { ledger.take(image, answeredAt: now, toldAt: disclosed.toldAt[image.key]) }
            return (image, ledger.entries)
        }
    }

    /// A subscription seen only in another one's answer is unverified: nothing but its id is known of it.
    package func subscriptions(_ column: BookColumn) -> [BookedSubscription] {
        appStoreSubscriptions(column) + (play?.subscriptions(column) ?? [])
    }

    private func appStoreSubscriptions(_ column: BookColumn) -> [BookedSubscription] {
        if column == .happened {
            return everySubscription.compactMap { customer, life, app in life.booked(of: customer, in: app, at: now) }
        }
        let unverified = Set(
            disclosed.periods.values.filter { $0.booked.kind != .oneTime }
                .map { [$0.booked.appID, $0.booked.originalTransactionID] }
        ).filter { disclosed.statuses[$0[1]] == nil }
        return disclosed.statuses.values.map(\.subscription)
            + unverified.map { BookedSubscription(unverified: $0[1], appID: $0[0]) }
    }

    /// Every state of a purchase that Google Play disclosed, the oldest first: a reader that looked at it only on
    /// behalf of the purchase that took its place may stand at the one before the last.
    package func history(ofToken token: String) -> [BookedSubscription] { play?.history(of: token) ?? [] }

    /// The transactions of the App Store whose refund was worked out from a share of the price.
    package func derivedRefunds(_ column: BookColumn) -> Set<String> {
        Set(appStoreImages(column).filter(\.isRefundDerived).map(\.booked.transactionID))
    }

    var everySubscription: [(CustomerLife, SubscriptionLife, SimulatedApp)] {
        customers.flatMap { customer in
            customer.subscriptions.compactMap { life in apps[customer.appID].map { (customer, life, $0) } }
        }
    }
}

extension Books {
    /// The books about customers whom nobody ever asked about: everything happened, nothing is disclosed.
    package init(customers: [CustomerLife], apps: [SimulatedApp], now: Int64) {
        self.init(
            customers: customers, apps: Dictionary(apps.map { ($0.id, $0) }) { first, _ in first }, now: now,
            disclosed: Disclosures())
    }
}

extension BookedSubscription {
    init(unverified id: String, appID: String) {
        self.init(
            appID: appID, originalTransactionID: id, state: .unverified, productID: "", expiresAt: 0)
    }
}

/// The two columns of the books: what customers did, and what the store has disclosed of it so far.
package enum BookColumn: String, Hashable, Sendable, Codable, CaseIterable {
    /// The truth at the store's clock, whether anybody asked or not.
    case happened
    /// What the answers sent until now said, and nothing else.
    case disclosed
}
