// SPDX-License-Identifier: Apache-2.0

/// How many purchases of a population show each case by an instant, counted from what happened to them and not from what
/// their writer meant to write.
package struct PlayCensus: Hashable, Sendable {
    package enum Case: String, Hashable, Sendable, CaseIterable {
        case withTimeProration, chargeProratedPrice, withoutProration, chargeFullPrice, deferredReplacement
        case itemKept, namesAnotherPurchasesOrder
        case planLengthenedAtRenewal, planLengthenedAtOnce, planShortened
        case chainOfThree, resubscribedWithoutLink, resubscribedOutside
        case pendingThenPaid, pendingThenCancelled
        case prepaid, topUp, prepaidToRenewing, renewingToPrepaid
        case addOnFromTheStart, addOnBought, addOnRemoved, addOnRefunded
        case instalments, instalmentsPendingCancellation, instalmentsEnded
        case optOutOutstanding, optOutApplied, optInOutstanding, optInConfirmed, optInApplied, optInRefused
        case priceChangeCancelled, priceDecreased, stepUpPending, stepUpConfirmed, stepUpCompleted
        case stepUpRefused
        case monthEndShift, deferredByHours, deferredByDays
        case freeTrial, introductory, severalPhases, vanityCode, oneTimeCode
        case paused, resumed, pausedThenHold
        case silentGrace, grace, graceRecovered, hold, holdRecovered, graceThenHold, declinedOrder
        case userCancelled, userCancelledInMidPeriod, systemCancelled, developerCancelled, restored
        case wholeRefund, refundWithoutRevoke, partialRefund, severalPartialRefunds, proratedRevoke, chargeback
        case unacknowledged, voided, forgotten, testPurchase
        case discountedByTheStore, paidByTheStore, prorationWithoutTax
        case soldOnce, soldOncePendingThenPaid, soldOncePendingThenCancelled
        case soldOnceRefunded, soldOnceUnitRefunded, soldOnceChargeback
    }

    package private(set) var counts: [Case: Int] = [:]

    package init(_ customers: [PlayCustomer], until now: Int64) {
        for customer in customers {
            for token in customer.tokens where token.startedAt <= now {
                let sight = PlaySightings(token, of: customer, until: now)
                for each in Case.allCases where sight.shows(each) { counts[each, default: 0] += 1 }
            }
        }
    }

    /// The cases that occur less often than that.
    package func cases(below least: Int) -> [Case] { Case.allCases.filter { counts[$0, default: 0] < least } }
}

/// One purchase with what befell it by an instant.
private struct PlaySightings {
    let token: PlayToken
    let customer: PlayCustomer
    let now: Int64
    let moments: [PlayMoment]
    let orders: [PlayOrder]
    let states: [PlayMoment.State]
    let items: [PlayMoment.Item]

    init(_ token: PlayToken, of customer: PlayCustomer, until now: Int64) {
        (self.token, self.customer, self.now) = (token, customer, now)
        moments = token.moments.filter { $0.at <= now }
        orders = token.orders.filter { $0.isSettled(at: now) }
        states = moments.map(\.state)
        items = moments.flatMap(\.items)
    }

    func shows(_ wanted: PlayCensus.Case) -> Bool {
        guard !token.isOneTime else { return showsSale(wanted) }
        return showsSubscription(wanted)
    }

    private func showsSale(_ wanted: PlayCensus.Case) -> Bool {
        let refunds = orders.flatMap { $0.refunds(at: now) }
        return switch wanted {
        case .soldOnce: !orders.isEmpty
        case .soldOncePendingThenPaid: follows(.active, .pending)
        case .soldOncePendingThenCancelled: follows(.pendingCanceled, .pending)
        case .soldOnceRefunded: refunds.contains { $0.isWhole && !$0.isChargeback }
        case .soldOnceUnitRefunded: refunds.contains { !$0.isWhole }
        case .soldOnceChargeback: refunds.contains(where: \.isChargeback)
        default: false
        }
    }

    private func showsSubscription(_ wanted: PlayCensus.Case) -> Bool {
        switch wanted {
        case .withTimeProration: token.replacement?.mode == .timeProration
        case .chargeProratedPrice: token.replacement?.mode == .proratedPrice
        case .withoutProration: token.replacement?.mode == .withoutProration
        case .chargeFullPrice: token.replacement?.mode == .fullPrice
        case .deferredReplacement: token.replacement?.mode == .deferred && items.contains { $0.deferredProduct != nil }
        case .itemKept: token.replacement?.mode == .keepExisting
        case .namesAnotherPurchasesOrder:
            items.compactMap(\.latestOrderID).contains { id in !token.orders.contains { $0.id == id } }
        case .planLengthenedAtRenewal, .planLengthenedAtOnce, .planShortened: showsChangeOfPlan(wanted)
        case .chainOfThree: customer.ancestors(of: token).count >= 2
        case .resubscribedWithoutLink:
            token.linkedToken == nil && token.expiredToken == nil && token.token != customer.tokens.first?.token
        case .resubscribedOutside: token.expiredToken != nil
        case .pendingThenPaid: follows(.active, .pending)
        case .pendingThenCancelled: follows(.pendingCanceled, .pending)
        case .prepaid: token.isPrepaid
        case .topUp: token.isPrepaid && parent?.isPrepaid == true
        case .prepaidToRenewing: !token.isPrepaid && parent?.isPrepaid == true
        case .renewingToPrepaid: token.isPrepaid && parent?.isPrepaid == false
        case .addOnFromTheStart: token.orders.first?.lines.count == 2
        case .addOnBought: token.replacement?.mode != .keepExisting && orders.contains(where: \.isForAddOn)
        case .addOnRemoved: items.contains(where: \.isToBeRemoved)
        case .addOnRefunded: orders.flatMap { $0.refunds(at: now) }.contains { $0.product == .addonMonthly }
        case .discountedByTheStore: orders.contains { $0.couponMicros > 0 && $0.totalMicros > 0 }
        case .paidByTheStore: orders.contains { $0.couponMicros > 0 && $0.totalMicros == 0 && $0.isPaid }
        case .prorationWithoutTax:
            !customer.market.isTaxInclusive && orders.flatMap(\.lines).contains { $0.phase == .proration }
        case .instalments, .instalmentsPendingCancellation, .instalmentsEnded: showsInstalments(wanted)
        case .optOutOutstanding, .optOutApplied, .optInOutstanding, .optInConfirmed, .optInApplied, .optInRefused,
            .priceChangeCancelled, .priceDecreased, .stepUpPending, .stepUpConfirmed, .stepUpCompleted,
            .stepUpRefused:
            showsPrice(wanted)
        case .monthEndShift, .deferredByHours, .deferredByDays: showsTime(wanted)
        default: showsOffer(wanted) || showsState(wanted) || showsEnd(wanted)
        }
    }

    private var parent: PlayToken? { customer.ancestors(of: token).last }

    /// Whether a moment in that state came right after one in another.
    private func follows(_ state: PlayMoment.State, _ old: PlayMoment.State) -> Bool {
        zip(states, states.dropFirst()).contains { $0 == old && $1 == state }
    }

    /// From one base plan of a product to another.
    private func showsChangeOfPlan(_ wanted: PlayCensus.Case) -> Bool {
        guard let old = token.replacement, let new = orders.first?.mainProduct else { return false }
        let isLonger = old.product == .plusMonthly && new == .plusYearly
        return switch wanted {
        case .planLengthenedAtRenewal: isLonger && old.mode == .withoutProration
        case .planLengthenedAtOnce: isLonger && old.mode == .fullPrice
        default: old.product == .plusYearly && new == .plusMonthly
        }
    }

    private func showsInstalments(_ wanted: PlayCensus.Case) -> Bool {
        let isPending = items.contains { $0.instalments?.isCancellationPending == true }
        return switch wanted {
        case .instalments: items.contains { $0.instalments != nil }
        case .instalmentsPendingCancellation: isPending
        default: isPending && states.last == .expired
        }
    }

    private func showsPrice(_ wanted: PlayCensus.Case) -> Bool {
        let has = { (mode: PlayPriceChange.Mode, state: PlayPriceChange.State) in
            items.contains { $0.priceChange?.mode == mode && $0.priceChange?.state == state }
        }
        let steps = { (state: PlayStepUp.State) in items.contains { $0.stepUp?.state == state } }
        return switch wanted {
        case .optOutOutstanding: has(.optOut, .outstanding)
        case .optOutApplied: has(.optOut, .applied)
        case .optInOutstanding: has(.optIn, .outstanding)
        case .optInConfirmed: has(.optIn, .confirmed)
        case .optInApplied: has(.optIn, .applied)
        case .optInRefused: states.last == .expired && moments.last?.mainItem?.priceChange?.state == .outstanding
        case .priceChangeCancelled: has(.optIn, .cancelled)
        case .priceDecreased: has(.decrease, .applied)
        case .stepUpPending: steps(.pending)
        case .stepUpConfirmed: steps(.confirmed)
        case .stepUpRefused: states.last == .expired && moments.last?.mainItem?.stepUp?.state == .pending
        default: steps(.completed)
        }
    }

    private func showsTime(_ wanted: PlayCensus.Case) -> Bool {
        let day = { CivilTime.fields(of: $0).day }
        let paid = orders.filter { !$0.isForAddOn }
        return switch wanted {
        case .monthEndShift:
            zip(paid, paid.dropFirst()).contains { day($0.serviceStart) == 31 && day($1.serviceStart) < 31 }
        // A renewal of a running purchase begins so much later than what was paid for ended.
        case .deferredByHours: deferrals.contains { $0 > 10 * CivilTime.hour && $0 <= CivilTime.day }
        default: deferrals.contains { $0 > CivilTime.day }
        }
    }

    /// How far the expiry of a running purchase was moved without an order.
    private var deferrals: [Int64] {
        moments.filter { $0.state == .active }.compactMap { moment in
            let order = orders.first { $0.id == moment.mainItem?.latestOrderID }
            return order.flatMap { order in moment.mainItem.map { $0.expiresAt - order.serviceEnd } }
        }
    }

    private func showsOffer(_ wanted: PlayCensus.Case) -> Bool {
        let phases = Set(orders.flatMap(\.lines).map(\.phase))
        return switch wanted {
        case .freeTrial: phases.contains(.freeTrial)
        case .introductory: phases.contains(.introductory)
        case .severalPhases: phases.isSuperset(of: [.freeTrial, .introductory, .base])
        case .vanityCode: token.promotionCode != nil
        case .oneTimeCode: token.hasOneTimeCode
        case .testPurchase: token.isTest
        case .declinedOrder: token.orders.contains { $0.processedAt == nil && $0.canceledAt != nil }
        default: false
        }
    }

    private func showsState(_ wanted: PlayCensus.Case) -> Bool {
        switch wanted {
        case .paused: states.contains(.paused)
        case .resumed: follows(.active, .paused)
        case .pausedThenHold: follows(.hold, .paused)
        case .silentGrace:
            zip(moments, moments.dropFirst()).contains { old, new in
                old.state == .active && new.state == .active
                    && new.at - (old.mainItem?.expiresAt ?? .max) > CivilTime.hour
            }
        case .grace: states.contains(.grace)
        case .graceRecovered: follows(.active, .grace)
        case .hold: states.contains(.hold)
        case .holdRecovered: follows(.active, .hold)
        case .graceThenHold: follows(.hold, .grace)
        case .restored: follows(.active, .canceled)
        case .forgotten: token.isForgotten(at: now)
        default: false
        }
    }

    private func showsEnd(_ wanted: PlayCensus.Case) -> Bool {
        let end = moments.last { $0.state == .expired }
        let refunds = orders.flatMap { $0.refunds(at: now) }
        return switch wanted {
        case .userCancelled: if case .user = end?.cancellation { true } else { false }
        case .userCancelledInMidPeriod:
            if case .user(let at)? = end?.cancellation { (end?.at ?? at) - at > CivilTime.day } else { false }
        case .systemCancelled: end?.cancellation == .system
        case .developerCancelled: end?.cancellation == .developer
        case .wholeRefund: refunds.contains(where: \.isWhole)
        case .refundWithoutRevoke: orders.contains { $0.isWhollyRefunded(at: now) && $0.void == nil }
        case .partialRefund: refunds.contains { !$0.isWhole }
        case .severalPartialRefunds: orders.contains { $0.refunds(at: now).count { !$0.isWhole } > 1 }
        case .proratedRevoke: refunds.contains { !$0.isWhole && $0.processedAt == end?.at }
        case .chargeback: refunds.contains(where: \.isChargeback)
        case .unacknowledged: !token.isAcknowledged && end != nil
        case .voided: orders.contains { $0.void.map { $0.seenAt <= now } ?? false }
        default: false
        }
    }
}
