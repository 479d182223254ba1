// SPDX-License-Identifier: Apache-2.0

extension PlayWriter {
    mutating func begin(_ step: PlayStep, at instant: Int64) {
        mark(step)
        hasAddOn = step == .addOn
        switch step {
        case .testPurchase, .testPurchaseAtNight: return test(at: instant)
        case .pendingThenPaid, .pendingThenCancelled: return wait(at: instant, isPaid: step == .pendingThenPaid)
        default: break
        }
        open(at: instant) {
            if step == .offerCode { $0.promotionCode = "WELCOME25" }
            $0.hasOneTimeCode = step == .oneTimeCode
            $0.isPrepaid = step == .prepaid
        }
        if step == .phasedOffer { introductoryLeft = 2 }
        if step == .instalments {
            instalments = PlayInstalments(initial: 3, remaining: 3, subsequent: random.pick(nil, 3))
        }
        var charge = Charge(processedAt: instant, start: instant, end: product.term.after(instant))
        if step == .freeTrial || step == .phasedOffer { charge.end = product.playTrial.after(instant) }
        if [.freeTrial, .phasedOffer, .oneTimeCode].contains(step) { charge.phase = .freeTrial }
        if step == .introductoryPrice { (charge.phase, charge.share) = (.introductory, 500) }
        if step == .offerCode { charge.share = 750 }
        charge.mayRunLate = charge.phase != .freeTrial && step != .prepaid
        pay(charge)
    }

    /// The first payment is awaited (cash, a bank transfer), and comes a day or two later, or never.
    private mutating func wait(at instant: Int64, isPaid: Bool) {
        open(at: instant)
        let settledAt = instant + random.hours(20...60)
        let charge = Charge(
            createdAt: instant, processedAt: settledAt, start: settledAt, end: product.term.after(settledAt),
            mayRunLate: false)
        var order = order(charge)
        (order.processedAt, order.canceledAt) = isPaid ? (settledAt, nil) : (nil, settledAt)
        if !isPaid { order.revenueMicros = nil }
        let product = product
        let item = { (expiry: Int64, renews: Bool) in
            [PlayMoment.Item(product: product, expiresAt: expiry, renews: renews, phase: .base)]
        }
        amend {
            $0.orders.append(order)
            $0.moments.append(
                PlayMoment(
                    at: instant, state: .pending, items: item(product.term.after(instant), true),
                    declinedOrderID: order.id))
            guard !isPaid else { return }
            $0.moments.append(PlayMoment(at: settledAt, state: .pendingCanceled, items: item(settledAt, false)))
        }
        guard isPaid else { return }
        take(order, of: charge)
        stand(.active, at: settledAt, until: serviceEnd)
    }

    /// A tester's: a month lasts five minutes and renews five times.
    ///
    /// The old interface's reader sees one only, and the orders interface does not know it.
    private mutating func test(at instant: Int64) {
        open(at: instant) { $0.isTest = true }
        let length = (setting.isReadByV1 ? 30 : 5) * CivilTime.minute
        for part in 0..<(setting.isReadByV1 ? 1 : 6) {
            let start = instant + Int64(part) * length
            pay(Charge(processedAt: start, start: start, end: start + length, mayRunLate: false))
        }
        if setting.isReadByV1 { amend { $0.orders[0].isUnknown = true } }
        expire(at: serviceEnd, until: serviceEnd, by: .system)
    }

    /// Buys again some days after the end.
    ///
    /// Nothing links the two, except that a purchase made in the store's own pages names the ended one until the app
    /// acknowledges it, a day or two later.
    mutating func subscribeAgain(isOutside: Bool) {
        let ended = newest.token
        guard let end = newest.moments.last?.at else { return }
        let instant = end + random.days(2...25)
        guard instant <= setting.horizon else { return }
        mark(.resubscribe)
        if product == .instalmentMonthly { product = .monthly }
        open(at: instant) {
            guard isOutside else { return }
            $0.expiredToken = ended
            $0.acknowledgedAt = instant + (30 + instant / CivilTime.second % 36) * CivilTime.hour
        }
        pay(Charge(processedAt: instant, start: instant, end: product.term.after(instant)))
    }
}
