// SPDX-License-Identifier: Apache-2.0

extension PlayWriter {
    /// The next period, paid some hours before it begins, or a little late where the store lets the old one run on.
    mutating func renew() {
        let isShort = serviceEnd - serviceStart < CivilTime.day
        let lead = isShort ? 0 : random.duration(from: 0, to: 6 * CivilTime.hour)
        let paidAt = slack > 0 ? serviceEnd + random.duration(from: CivilTime.minute, to: slack) : serviceEnd - lead
        renew(paidAt: paidAt)
    }

    /// The next period, beginning where the old one ends, whenever it was paid.
    mutating func renew(paidAt instant: Int64, createdAt: Int64? = nil) {
        let price = nextPrice()
        pay(
            Charge(
                createdAt: createdAt, processedAt: instant, start: serviceEnd, end: product.term.after(serviceEnd),
                phase: price.phase, share: price.share))
    }

    /// The next period at the price as ever, so many thousandths of which the store pays for the customer's points.
    mutating func renewDiscounted(by share: Int64) {
        let at = serviceEnd + (slack > 0 ? slack / 2 : 0)
        pay(
            Charge(
                processedAt: at, start: serviceEnd, end: product.term.after(serviceEnd), couponShare: share,
                mayRunLate: false))
    }

    /// The next renewal is one of the offer's, as long as it has any left.
    private mutating func nextPrice() -> (phase: PlayOrder.Phase, share: Int64) {
        guard introductoryLeft > 0 else { return (.base, 1_000) }
        introductoryLeft -= 1
        return (.introductory, 500)
    }

    /// A new period that begins with its payment: the billing date moves.
    mutating func restart(at instant: Int64) {
        let price = nextPrice()
        pay(
            Charge(
                processedAt: instant, start: instant, end: product.term.after(instant), phase: price.phase,
                share: price.share))
    }

    /// Paid within the two days in which the store keeps calling it active.
    mutating func renewInSilentGrace() {
        renew(paidAt: expiry + random.duration(from: 2 * CivilTime.hour, to: 46 * CivilTime.hour))
    }

    /// The first attempt is declined under a number of its own, the second one paid.
    mutating func renewAfterDecline() {
        let end = expiry
        decline(at: end, until: end + 10 * CivilTime.hour)
        renew(paidAt: end + random.duration(from: 12 * CivilTime.hour, to: 30 * CivilTime.hour))
    }

    /// A grace up to `end`, in which the store moves the expiry step by step; the order that was declined.
    @discardableResult
    mutating func fallIntoGrace(until end: Int64, declined: String) -> String {
        var (from, until) = (expiry, serviceEnd + product.playGrace.step)
        while from < end {
            stand(.grace, at: from, until: min(until, serviceEnd + product.playGrace.length)) {
                $0.declinedOrderID = declined
            }
            (from, until) = (until, until + product.playGrace.step)
        }
        return declined
    }

    /// Paid within the grace, under the number that was declined before; the billing date stays.
    mutating func recoverInGrace() {
        let begin = expiry
        let paidAt = serviceEnd + random.duration(from: CivilTime.day, to: product.playGrace.length - CivilTime.hour)
        fallIntoGrace(until: paidAt, declined: nextOrderID())
        renew(paidAt: paidAt, createdAt: begin)
    }

    /// Paid out of the account hold: the billing date moves.
    mutating func recoverFromHold() {
        let (end, begin) = (serviceEnd, expiry)
        let paidAt = end + random.duration(from: 3 * CivilTime.day, to: 25 * CivilTime.day)
        let declined = decline(at: begin, until: paidAt - CivilTime.hour)
        stand(.hold, at: begin, until: end) { $0.declinedOrderID = declined }
        restart(at: paidAt)
    }

    /// Cancelled and taken back before the expiry: no later answer shows it.
    mutating func waver() {
        let (off, on) = (instant(from: 200, to: 400), instant(from: 500, to: 700))
        cancel(at: off, by: .user(at: off))
        stand(.active, at: on, until: serviceEnd)
        renew(paidAt: serviceEnd)
    }

    /// Planned in one period, from its end on for a month (two weeks for weekly ones).
    mutating func pause() {
        let (planned, end) = (instant(from: 300, to: 700), serviceEnd)
        let resumesAt = product == .weekly ? Term.weeks(2).after(end) : Term.months(1).after(end)
        stand(.active, at: planned, until: end) { $0.resumesAt = resumesAt }
        stand(.paused, at: end, until: end) { $0.resumesAt = resumesAt }
        restart(at: resumesAt)
    }

    /// The developer gives half a day or more: the expiry moves, and no order is made.
    mutating func deferExpiry() {
        let at = instant(from: 400, to: 600)
        let until = serviceEnd + random.duration(from: 12 * CivilTime.hour, to: 20 * CivilTime.hour)
        stand(.active, at: at, until: until)
        restart(at: until)
    }

    /// Another product from the next period on, under a purchase of its own at once: until then that one runs on what the
    /// old one paid for, and holds a second item that nobody owns yet.
    mutating func downgradeAtRenewal() {
        let (until, at) = (expiry, instant(from: 300, to: 600))
        carryOn(at: at, PlayReplacement(mode: .deferred, product: product))
        stand(.active, at: at, until: until) {
            $0.items[0].deferredProduct = .monthly
            $0.items.append(PlayMoment.Item(product: .monthly, expiresAt: until, renews: true, phase: .base))
        }
        (product, priceShare, priceChange) = (.monthly, 1_000, nil)
        renew()
    }

    mutating func cancel(at instant: Int64, by whom: PlayMoment.Cancellation) {
        stand(.canceled, at: instant, until: serviceEnd, renews: false) { $0.cancellation = whom }
    }

    mutating func expire(
        at instant: Int64, until expiry: Int64, by whom: PlayMoment.Cancellation?, declined: String? = nil
    ) {
        stand(.expired, at: instant, until: expiry, renews: false) {
            $0.cancellation = whom
            $0.declinedOrderID = declined
        }
    }
}

extension PlayWriter {
    /// Planned for a month, and ended by the customer before that: the billing date moves.
    mutating func endPauseEarly() {
        let resumesAt = planPause()
        restart(at: serviceEnd + random.duration(from: 3 * CivilTime.day, to: resumesAt - serviceEnd - CivilTime.day))
    }

    /// The payment fails when the pause is over: an account hold, paid at last.
    mutating func pauseIntoHold() {
        let (resumesAt, end) = (planPause(), serviceEnd)
        let paidAt = resumesAt + random.duration(from: 3 * CivilTime.day, to: 20 * CivilTime.day)
        let declined = decline(at: resumesAt, until: paidAt - CivilTime.hour)
        stand(.hold, at: resumesAt, until: end) { $0.declinedOrderID = declined }
        restart(at: paidAt)
    }

    private mutating func planPause() -> Int64 {
        let (planned, end) = (instant(from: 300, to: 700), serviceEnd)
        let resumesAt = product == .weekly ? Term.weeks(3).after(end) : Term.months(2).after(end)
        stand(.active, at: planned, until: end) { $0.resumesAt = resumesAt }
        stand(.paused, at: end, until: end) { $0.resumesAt = resumesAt }
        return resumesAt
    }

    /// The whole grace unpaid, then an account hold, paid at last: the billing date moves.
    mutating func recoverFromHoldAfterGrace() {
        let (begin, graceEnd) = (expiry, serviceEnd + product.playGrace.length)
        let paidAt = graceEnd + random.duration(from: 3 * CivilTime.day, to: 20 * CivilTime.day)
        let declined = decline(at: begin, until: paidAt - CivilTime.hour)
        fallIntoGrace(until: graceEnd, declined: declined)
        stand(.hold, at: max(begin, graceEnd), until: graceEnd) { $0.declinedOrderID = declined }
        restart(at: paidAt)
    }

    /// The developer gives days or weeks: the expiry moves, and no order is made until then.
    mutating func deferForLong() {
        let at = instant(from: 400, to: 600)
        let until = serviceEnd + random.duration(from: 3 * CivilTime.day, to: 60 * CivilTime.day)
        stand(.active, at: at, until: until)
        restart(at: until)
    }
}
