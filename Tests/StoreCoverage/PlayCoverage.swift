// SPDX-License-Identifier: Apache-2.0

@testable package import StoreSimulator

/// How many purchases of a population show each case by an instant.
package enum PlayCoverage {
    typealias Case = CoverageCase<PlayEvidence>

    /// The number of purchases that show each case; every case is named.
    package static func count(_ customers: [PlayCustomer], until now: Int64) -> [String: Int] {
        let purchases = customers.flatMap { customer in
            customer.tokens.filter { $0.startedAt <= now }.map { PlayEvidence($0, of: customer, until: now) }
        }
        return Case.count(all, of: purchases, in: now...now)
    }

    static let all: [Case] = replacements + plans + prices + times + offers + states + ends + sales

    private static let replacements: [Case] = [
        shown("withTimeProration") { $0.mode == .timeProration },
        shown("chargeProratedPrice") { $0.mode == .proratedPrice },
        shown("withoutProration") { $0.mode == .withoutProration },
        shown("chargeFullPrice") { $0.mode == .fullPrice },
        shown("deferredReplacement") { it in
            it.mode == .deferred && it.items.contains { $0.deferredProduct != nil }
        },
        shown("itemKept") { $0.mode == .keepExisting },
        shown("namesAnotherPurchasesOrder") { it in
            it.items.compactMap(\.latestOrderID).contains { id in !it.token.orders.contains { $0.id == id } }
        },
        shown("planLengthenedAtRenewal") { $0.isLengthened && $0.mode == .withoutProration },
        shown("planLengthenedAtOnce") { $0.isLengthened && $0.mode == .fullPrice },
        shown("planShortened") { $0.token.replacement?.product == .plusYearly && $0.firstProduct == .plusMonthly },
        shown("chainOfThree") { $0.customer.ancestors(of: $0.token).count >= 2 },
        shown("resubscribedWithoutLink") { it in
            it.token.linkedToken == nil && it.token.expiredToken == nil
                && it.token.token != it.customer.tokens.first?.token
        },
        shown("resubscribedOutside") { $0.token.expiredToken != nil },
    ]

    private static let plans: [Case] = [
        shown("pendingThenPaid") { $0.follows(.active, .pending) },
        shown("pendingThenCancelled") { $0.follows(.pendingCanceled, .pending) },
        shown("prepaid") { $0.token.isPrepaid },
        shown("topUp") { $0.token.isPrepaid && $0.parent?.isPrepaid == true },
        shown("prepaidToRenewing") { !$0.token.isPrepaid && $0.parent?.isPrepaid == true },
        shown("renewingToPrepaid") { $0.token.isPrepaid && $0.parent?.isPrepaid == false },
        shown("addOnFromTheStart") { $0.token.orders.first?.lines.count == 2 },
        shown("addOnBought") { $0.mode != .keepExisting && $0.orders.contains(where: \.isForAddOn) },
        shown("addOnRemoved") { $0.items.contains(where: \.isToBeRemoved) },
        shown("addOnRefunded") { $0.refunds.contains { $0.product == .addonMonthly } },
        shown("instalments") { it in it.items.contains { $0.instalments != nil } },
        shown("instalmentsPendingCancellation") { $0.isCancellationPending },
        shown("instalmentsEnded") { $0.isCancellationPending && $0.states.last == .expired },
    ]

    private static let prices: [Case] = [
        shown("optOutOutstanding") { $0.hasPrice(.optOut, .outstanding) },
        shown("optOutApplied") { $0.hasPrice(.optOut, .applied) },
        shown("optInOutstanding") { $0.hasPrice(.optIn, .outstanding) },
        shown("optInConfirmed") { $0.hasPrice(.optIn, .confirmed) },
        shown("optInApplied") { $0.hasPrice(.optIn, .applied) },
        shown("optInRefused") { it in
            it.states.last == .expired && it.moments.last?.mainItem?.priceChange?.state == .outstanding
        },
        shown("priceChangeCancelled") { $0.hasPrice(.optIn, .cancelled) },
        shown("priceDecreased") { $0.hasPrice(.decrease, .applied) },
        shown("stepUpPending") { $0.stepsUp(.pending) },
        shown("stepUpConfirmed") { $0.stepsUp(.confirmed) },
        shown("stepUpCompleted") { $0.stepsUp(.completed) },
        shown("stepUpRefused") { it in
            it.states.last == .expired && it.moments.last?.mainItem?.stepUp?.state == .pending
        },
        shown("discountedByTheStore") { it in it.orders.contains { $0.couponMicros > 0 && $0.totalMicros > 0 } },
        shown("paidByTheStore") { it in
            it.orders.contains { $0.couponMicros > 0 && $0.totalMicros == 0 && $0.isPaid }
        },
        shown("prorationWithoutTax") { !$0.customer.market.isTaxInclusive && $0.phases.contains(.proration) },
    ]

    private static let times: [Case] = [
        shown("monthEndShift") { it in
            let starts = it.orders.filter { !$0.isForAddOn }.map { CivilTime.fields(of: $0.serviceStart).day }
            return zip(starts, starts.dropFirst()).contains { $0 == 31 && $1 < 31 }
        },
        // A renewal of a running purchase begins so much later than what was paid for ended.
        shown("deferredByHours") { it in
            it.deferrals.contains { $0 > 10 * CivilTime.hour && $0 <= CivilTime.day }
        },
        shown("deferredByDays") { it in it.deferrals.contains { $0 > CivilTime.day } },
    ]

    private static let offers: [Case] = [
        shown("freeTrial") { $0.phases.contains(.freeTrial) },
        shown("introductory") { $0.phases.contains(.introductory) },
        shown("severalPhases") { $0.phases.isSuperset(of: [.freeTrial, .introductory, .base]) },
        shown("vanityCode") { $0.token.promotionCode != nil },
        shown("oneTimeCode") { $0.token.hasOneTimeCode },
        shown("testPurchase") { $0.token.isTest },
        shown("orderSettledLate") { it in
            it.orders.contains { order in
                let named = it.moments.first { $0.mainItem?.latestOrderID == order.id }
                return named.map { $0.at < order.processedAt ?? $0.at } ?? false
            }
        },
        shown("orderLeftOut") { it in it.orders.contains { $0.hiddenUntil != nil } },
        shown("declinedOrder") { it in it.token.orders.contains { $0.processedAt == nil && $0.canceledAt != nil } },
    ]

    private static let states: [Case] = [
        shown("paused") { $0.states.contains(.paused) },
        shown("resumed") { $0.follows(.active, .paused) },
        shown("pausedThenHold") { $0.follows(.hold, .paused) },
        shown("silentGrace") { it in
            zip(it.moments, it.moments.dropFirst()).contains { old, new in
                old.state == .active && new.state == .active
                    && new.at - (old.mainItem?.expiresAt ?? .max) > CivilTime.hour
            }
        },
        shown("grace") { $0.states.contains(.grace) },
        shown("graceRecovered") { $0.follows(.active, .grace) },
        shown("hold") { $0.states.contains(.hold) },
        shown("holdRecovered") { $0.follows(.active, .hold) },
        shown("graceThenHold") { $0.follows(.hold, .grace) },
        shown("restored") { $0.follows(.active, .canceled) },
        shown("forgotten") { $0.token.isForgotten(at: $0.now) },
    ]

    private static let ends: [Case] = [
        shown("userCancelled") { if case .user = $0.end?.cancellation { true } else { false } },
        shown("userCancelledInMidPeriod") { it in
            if case .user(let at)? = it.end?.cancellation { (it.end?.at ?? at) - at > CivilTime.day } else { false }
        },
        shown("systemCancelled") { $0.end?.cancellation == .system },
        shown("developerCancelled") { $0.end?.cancellation == .developer },
        shown("wholeRefund") { $0.refunds.contains(where: \.isWhole) },
        shown("refundWithoutRevoke") { it in
            it.orders.contains { $0.isWhollyRefunded(at: it.now) && $0.void == nil }
        },
        shown("partialRefund") { it in it.refunds.contains { !$0.isWhole } },
        shown("severalPartialRefunds") { it in
            it.orders.contains { $0.refunds(at: it.now).count { !$0.isWhole } > 1 }
        },
        shown("proratedRevoke") { it in it.refunds.contains { !$0.isWhole && $0.processedAt == it.end?.at } },
        shown("chargeback") { $0.refunds.contains(where: \.isChargeback) },
        shown("unacknowledged") { !$0.token.isAcknowledged && $0.end != nil },
        shown("voided") { it in it.orders.contains { $0.void.map { $0.seenAt <= it.now } ?? false } },
    ]

    private static let sales: [Case] = [
        sold("soldOnce") { !$0.orders.isEmpty },
        sold("soldOncePendingThenPaid") { $0.follows(.active, .pending) },
        sold("soldOncePendingThenCancelled") { $0.follows(.pendingCanceled, .pending) },
        sold("soldOnceRefunded") { it in it.refunds.contains { $0.isWhole && !$0.isChargeback } },
        sold("soldOnceUnitRefunded") { it in it.refunds.contains { !$0.isWhole } },
        sold("soldOnceChargeback") { $0.refunds.contains(where: \.isChargeback) },
        sold("soldOnceRefundedWithoutRevoke") { it in
            it.orders.contains { $0.isWhollyRefunded(at: it.now) && $0.void == nil }
        },
        sold("soldOnceSettledLate") { it in
            it.orders.contains { order in
                it.moments.first.map { $0.state == .active && $0.at < order.processedAt ?? 0 } ?? false
            }
        },
    ]

    /// Of subscriptions alone.
    private static func shown(_ name: String, _ shows: @escaping @Sendable (PlayEvidence) -> Bool) -> Case {
        Case(name: name, occurs: { it, _ in !it.token.isOneTime && shows(it) })
    }

    /// Of what is sold once alone.
    private static func sold(_ name: String, _ shows: @escaping @Sendable (PlayEvidence) -> Bool) -> Case {
        Case(name: name, occurs: { it, _ in it.token.isOneTime && shows(it) })
    }
}

/// One purchase with what befell it by an instant, as the cases of the coverage look at it.
struct PlayEvidence: Sendable {
    let token: PlayToken
    let customer: PlayCustomer
    let now: Int64
    let moments: [PlayMoment]
    /// Those that were paid.
    let orders: [PlayOrder]
    let refunds: [PlayOrder.Refund]
    let states: [PlayMoment.State]
    let items: [PlayMoment.Item]
    let phases: Set<PlayOrder.Phase>

    init(_ token: PlayToken, of customer: PlayCustomer, until now: Int64) {
        (self.token, self.customer, self.now) = (token, customer, now)
        moments = token.moments.filter { $0.at <= now }
        orders = token.orders.filter { $0.isSettled(at: now) }
        refunds = orders.flatMap { $0.refunds(at: now) }
        states = moments.map(\.state)
        items = moments.flatMap(\.items)
        phases = Set(orders.flatMap(\.lines).map(\.phase))
    }

    var mode: PlayReplacement.Mode? { token.replacement?.mode }
    var parent: PlayToken? { customer.ancestors(of: token).last }
    var firstProduct: Product? { orders.first?.mainProduct }
    var end: PlayMoment? { moments.last { $0.state == .expired } }
    /// From a month of Plus to a year of it.
    var isLengthened: Bool { token.replacement?.product == .plusMonthly && firstProduct == .plusYearly }
    var isCancellationPending: Bool { items.contains { $0.instalments?.isCancellationPending == true } }

    /// Whether a moment in that state came right after one in another.
    func follows(_ state: PlayMoment.State, _ old: PlayMoment.State) -> Bool {
        zip(states, states.dropFirst()).contains { $0 == old && $1 == state }
    }

    func hasPrice(_ mode: PlayPriceChange.Mode, _ state: PlayPriceChange.State) -> Bool {
        items.contains { $0.priceChange?.mode == mode && $0.priceChange?.state == state }
    }

    func stepsUp(_ state: PlayStepUp.State) -> Bool { items.contains { $0.stepUp?.state == state } }

    /// How far the expiry of a running purchase was moved without an order.
    var deferrals: [Int64] {
        moments.filter { $0.state == .active }.compactMap { moment in
            let order = orders.first { $0.id == moment.mainItem?.latestOrderID }
            return order.flatMap { order in moment.mainItem.map { $0.expiresAt - order.serviceEnd } }
        }
    }
}
