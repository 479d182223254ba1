// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Transform

/// A purchase as the store's answer shows it, in rows that are booked when the purchase is accepted.
struct ResolvedPurchase: Sendable {
    let rows: ChunkRows
    /// Never empty; the first is what the purchase became.
    let items: [ResolvedItem]
    /// The latest receipt of those items, in apps that are read by receipts.
    let receipt: Secret?
    let isCurrent: Bool
    /// All products that the answer knows the purchase for.
    let products: Set<String>

    var main: ResolvedItem { items[0] }

    /// Subjects that are registered: a sale is booked and not followed.
    var subscriptions: [ResolvedItem] { items.filter { !$0.isSale } }
}

extension TransformStage {
    /// Books what an answer says of these items.
    ///
    /// `read`: the answer as one about the items: its inquiry names each of them.
    /// `reading`: the answer as it was read for the purchase.
    /// Throws why nothing of it can be booked.
    func resolved(
        _ read: ReadAnswer, _ reading: Reading, about items: [ResolvedItem], now: Instant
    ) throws(StoreFailure) -> ResolvedPurchase {
        let due = read.answer.inquiry.subscriptions
        var rows = ChunkRows(asked: due)
        self.rows(for: read, into: &rows)
        let sales = Set(items.lazy.filter(\.isSale).map(\.key))
        rows.subscriptions.removeAll { sales.contains($0.key) }
        for sale in items where sale.isSale {
            // The token that was asked about, which may be registered.
            let asked = reading.observations.first { $0.storeKey == sale.storeKey }?.askedWith
            guard let asked, let app = due.first?.appID else { continue }
            rows.soldUnder[SubscriptionKey(appID: app, storeKey: asked.reveal())] = sale.key
        }
        // The registration carries it.
        rows.receipts = []
        let booked = Set(rows.subscriptions.map(\.key) + rows.transactions.map(\.key))
        let confirmed = items.filter { booked.contains($0.key) }
        guard !confirmed.isEmpty else { throw rows.setAside.first.map(StoreFailure.init) ?? .nothingReported }
        let observations = reading.observations.filter { confirmed.map(\.storeKey).contains($0.storeKey) }
        return ResolvedPurchase(
            rows: rows, items: confirmed,
            receipt: reading.replacedReceipt?.data ?? due.lazy.compactMap(\.receipt).first?.data,
            isCurrent: confirmed.contains(where: \.isBoughtUnsettled) || rows.isCurrent(confirmed, now: now),
            products: Set(observations.flatMap(\.products)))
    }

    /// What follows when the purchase proves itself and the store does not know its id yet: it is followed from now on.
    func unconfirmed(
        _ purchase: ExaminedPurchase, _ failure: StoreFailure, due: DueSubscription, now: Instant
    ) -> ResolvedPurchase {
        var rows = ChunkRows(asked: [due])
        self.failure(failure, of: Inquiry(subscriptions: [due]), into: &rows)
        let observation = Observation(
            storeKey: due.storeKey, environment: purchase.environment ?? .production, status: nil, periods: [])
        return ResolvedPurchase(
            rows: rows, items: [ResolvedItem(observation, of: due.appID)], receipt: nil,
            isCurrent: purchase.expiresAt.map { $0 > now } ?? true, products: [])
    }
}

extension ChunkRows {
    /// One of the items has not expired, or is a sale that was not given back.
    fileprivate func isCurrent(_ items: [ResolvedItem], now: Instant) -> Bool {
        let sales = Set(items.lazy.filter(\.isSale).map(\.key))
        let followed = Set(items.map(\.key)).subtracting(sales)
        return subscriptions.contains { followed.contains($0.key) && $0.isCurrent(at: now) }
            || transactions.contains { sales.contains($0.key) && $0.refundedAt == nil }
    }
}

extension SubscriptionRow {
    /// Its time is not over, or the store called it running after it was.
    fileprivate func isCurrent(at now: Instant) -> Bool {
        guard [.trial, .active, .grace].contains(snapshot.state) else { return false }
        guard let end = [snapshot.expiresAt, snapshot.graceExpiresAt].compactMap(\.self).max() else { return true }
        return now < end || (snapshot.state != .grace && sourceVersion >= end)
    }
}

extension Observation {
    fileprivate var products: [String] {
        let ofStatus = [status?.productID, status?.autoRenewProductID].compactMap(\.self)
        return ofStatus + (items ?? []).map(\.productID) + periods.map(\.productID)
    }
}

extension StoreFailure {
    fileprivate init(_ cause: SetAside) {
        self.init(.unreadable, reason: cause.reason, message: cause.detail)
    }

    fileprivate static let nothingReported = StoreFailure(
        .unreadable, reason: "not_in_answer", message: "The store answered without the purchase it was asked about.")
}
