// SPDX-License-Identifier: Apache-2.0

extension PlayWriter {
    /// The first purchase.
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
        let settledAt = instant + random.duration(from: 20 * CivilTime.hour, to: 60 * CivilTime.hour)
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

    /// A tester's: a month lasts five minutes and renews five times. The old interface's reader sees one only, and the
    /// orders interface does not know it.
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

    /// Another purchase takes the place of the running one at once, and is paid in full.
    mutating func replace(by next: Product, at instant: Int64, until end: Int64? = nil) {
        let (old, replaced) = (tokens.last, product)
        expire(at: instant, until: instant, by: .replacement)
        if !setting.isReadByV1, random.chance(perMille: 300) { hideNewest() }
        product = next
        open(at: instant, linkedTo: old?.token) {
            $0.isPrepaid = old?.isPrepaid ?? false
            $0.replacement = PlayReplacement(mode: .fullPrice, product: replaced)
        }
        pay(
            Charge(
                processedAt: instant, start: instant, end: end ?? product.term.after(instant),
                mayRunLate: old?.isPrepaid != true))
    }

    /// Cancelled, and bought anew in the app before it ran out.
    mutating func signUpAgain() {
        let off = instant(from: 200, to: 400)
        cancel(at: off, by: .user(at: off))
        replace(by: product, at: instant(from: 500, to: 800))
    }

    /// A prepaid month more: a new purchase with the rest of the old one's time.
    mutating func topUp() {
        replace(by: product, at: instant(from: 500, to: 800), until: product.term.after(serviceEnd))
    }

    /// Buys again some days after the end. Nothing links the two, except that a purchase made in the store's own pages
    /// names the ended one until the app acknowledges it, a day or two later.
    mutating func subscribeAgain(isOutside: Bool) {
        let ended = tokens.last?.token
        guard let end = tokens.last?.moments.last?.at else { return }
        let instant = end + random.duration(from: 2 * CivilTime.day, to: 25 * CivilTime.day)
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
