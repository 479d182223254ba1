// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// A period in the timeline of one subscription: what we held of it, and what the answer says now.
///
/// A fact that it does not define itself is the one that was last observed.
@dynamicMemberLookup
struct TimelinePeriod {
    /// What it was first known by: its ids and when it was bought and began.
    private let first: PeriodFacts
    /// What we held of it; nil for a period that is new to us.
    let known: KnownPeriod?
    /// The newest image the answer holds; nil for a period that the answer did not show.
    private(set) var observed: ObservedPeriod?

    init(_ known: KnownPeriod) {
        (self.first, self.known, self.observed) = (known.facts, known, nil)
    }

    init(_ observed: ObservedPeriod, known: KnownPeriod? = nil) {
        (self.first, self.known, self.observed) = (observed.facts, known, observed)
    }

    var transactionID: String { first.transactionID }
    var productID: String { first.productID }
    var periodKey: String { first.periodKey }
    var purchasedAt: Instant { first.purchasedAt }
    var start: Instant { first.start }

    /// As it was last observed.
    private var newest: PeriodFacts { observed?.facts ?? first }
    subscript<Fact>(dynamicMember name: KeyPath<PeriodFacts, Fact>) -> Fact { newest[keyPath: name] }

    /// Until when it covers: an extension that was learned once stays.
    var end: Instant? { [newest.coveredUntil, known?.extendedUntil].compactMap(\.self).max() }
    /// The end that was seen first.
    var soldUntil: Instant? { first.end }
    /// A later end than the one it was sold with.
    var extendedUntil: Instant? { [known?.extendedUntil, observed?.extendedUntil].compactMap(\.self).max() }
    var basePlanID: String? { observed?.basePlanID ?? known?.basePlanID }

    /// The same period, shown by the answer.
    ///
    /// Under a new id (a restore) its place in the timeline stays what it was.
    func merging(_ image: ObservedPeriod) -> TimelinePeriod {
        guard observed.map({ image.isNewer(than: $0) }) ?? true else { return self }
        if image.transactionID == transactionID { return TimelinePeriod(image, known: known) }
        var same = self
        same.observed = image
        return same
    }

    var refundedAt: Instant? { observed.map { $0.refund?.at } ?? known?.refundedAt }
    /// When a refund ended the period; nil also where money was given back and the period went on.
    var cutAt: Instant? {
        let leavesPeriod = observed.map { $0.refund?.leavesPeriod ?? false } ?? (known?.leavesPeriod ?? false)
        return leavesPeriod ? nil : refundedAt
    }
    var refundKind: RefundKind? { observed.map { $0.refund?.kind } ?? known?.refundKind }
    /// Nothing of it can be given back any more, or taken.
    var isGivenBack: Bool { cutAt != nil && refundKind != .partial }
    var isFree: Bool { observed?.isFreeOffer ?? (known?.kind == .trial) }
    /// A price that is not known counts as paid, and so does one that the store paid for the customer.
    ///
    /// What is shared, assigned or included in a bundle has none of its own: somebody else pays, or another
    /// subscription.
    var isPaid: Bool {
        !isFree && (newest.priceMicros != 0 || (newest.proceedsMicros ?? 0) > 0) && ownership == .purchased
    }
    var ownership: Ownership { observed?.ownership ?? known?.ownership ?? .purchased }

    /// Another row of the same period: seats that were added to it, or those that it began with.
    func isBeside(_ other: TimelinePeriod) -> Bool {
        soldUntil == other.soldUntil && transactionID != other.transactionID && productID == other.productID
            && newest.seats != nil && other.seats != nil
    }

    /// When its time was over, seen from the period that came next.
    ///
    /// A refunded period ended with its refund. Where refunds alone end none (Google Play's), it did not if the next one follows on
    /// its stated end: then the timeline went on and the refund moved money only. What the store calls a new purchase follows on
    /// nothing that was given back whole.
    func effectiveEnd(before next: TimelinePeriod, refundsEndPeriods: Bool) -> Instant {
        guard let end else { return start }
        if newest.isUpgraded { return min(end, next.start) }
        guard let cutAt, cutAt < min(end, next.start) else { return end }
        let isRepurchase = next.observed?.hint == .purchase || next.known?.kind == .resubscribe
        guard !refundsEndPeriods, refundKind == .partial || !isRepurchase else { return max(start, cutAt) }
        let followsOn = max(next.start - end, end - next.start) <= Rules.continuousGap
        return followsOn ? end : max(start, cutAt)
    }

    static func isEarlier(_ left: TimelinePeriod, _ right: TimelinePeriod) -> Bool {
        (left.purchasedAt, left.start) != (right.purchasedAt, right.start)
            ? (left.purchasedAt, left.start) < (right.purchasedAt, right.start)
            : (left.transactionID, left.productID) < (right.transactionID, right.productID)
    }
}

extension ObservedPeriod {
    /// Which of two images of one transaction is kept: the newer; of two equally new the one that says more, so that the
    /// order of an answer decides nothing.
    fileprivate func isNewer(than other: ObservedPeriod) -> Bool {
        if sale.sourceVersion != other.sourceVersion { return sale.sourceVersion > other.sourceVersion }
        let (mine, theirs) = (refund?.at ?? .distantPast, other.refund?.at ?? .distantPast)
        if mine != theirs { return mine > theirs }
        return (facts.priceMicros ?? -1) > (other.priceMicros ?? -1)
    }
}
