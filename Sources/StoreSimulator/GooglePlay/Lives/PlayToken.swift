// SPDX-License-Identifier: Apache-2.0

/// One purchase, named by its token: everything that ever happens to it, decided before it happens.
package struct PlayToken: Hashable, Sendable {
    package var token: String
    package var startedAt: Int64
    /// The purchase this one takes the place of.
    package var linkedToken: String?
    /// Whether the app's backend ever handed it in; the others are found through the purchase that names them.
    package var isRegistered = true
    package var isPrepaid = false
    package var isTest = false
    /// Something sold once, and no subscription at all.
    package var isOneTime = false
    /// The promotion code it was bought with.
    package var promotionCode: String?
    /// Signed up for with a code that only one customer has.
    package var hasOneTimeCode = false
    /// Whether the app ever said that it got the purchase.
    package var isAcknowledged = true
    /// When it said so; nil for at once.
    package var acknowledgedAt: Int64?
    /// The ended purchase that this one, made outside the app, follows; reported until it is acknowledged.
    package var expiredToken: String?
    /// What it took the place of, and how.
    package var replacement: PlayReplacement?
    /// The purchase that took its place without an end of what was paid for here: that one runs on it.
    package var carriedOnBy: String?
    /// In the order they were made.
    package var orders: [PlayOrder] = []
    /// In their order.
    package var moments: [PlayMoment] = []

    /// Whether the app had said by then that it got the purchase.
    func isAcknowledged(at now: Int64) -> Bool { isAcknowledged && acknowledgedAt.map { $0 <= now } ?? true }

    /// Where it stands; nil before it was bought.
    package func moment(at now: Int64) -> PlayMoment? { moments.last { $0.at <= now } }

    /// What its device knew when it was bought.
    ///
    /// No order of its own shows that where it runs on another's payment.
    var atFirst: (product: Product, expiresAt: Int64?) {
        let first = orders.first
        guard let item = moments.first?.mainItem, item.latestOrderID != nil, item.latestOrderID != first?.id else {
            return (first?.mainProduct ?? .monthly, first?.serviceEnd)
        }
        return (item.product, item.expiresAt)
    }

    /// Whether an order is for an add-on that was bought later than the purchase.
    var hasBoughtAddOn: Bool { orders.contains(where: \.isForAddOn) }

    /// The store has forgotten a purchase that it declared ended more than 60 days ago.
    func isForgotten(at now: Int64) -> Bool {
        guard !isOneTime, let moment = moment(at: now), [.expired, .pendingCanceled].contains(moment.state) else {
            return false
        }
        return now - moment.at > 60 * CivilTime.day
    }
}
