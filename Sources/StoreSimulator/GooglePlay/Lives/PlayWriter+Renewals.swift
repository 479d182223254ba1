// SPDX-License-Identifier: Apache-2.0

/// How a purchase goes on at an expiry.
extension PlayWriter {
    /// The next period, and what befalls the payment or the time of this one; another theme's step is left to that.
    mutating func goOn(_ step: PlayStep) {
        let end = serviceEnd
        switch step {
        // Within the two days in which the store keeps calling it active.
        case .silentGraceRenewed: renew(paidAt: expiry + random.hours(2...46))
        // The first attempt is declined under a number of its own, the second one paid.
        case .declinedOrder:
            let begin = expiry
            decline(at: begin, until: begin + 10 * CivilTime.hour)
            renew(paidAt: begin + random.hours(12...30))
        case .numberSkipped:
            number += 1
            renew()
        // Under the number that was declined before; the billing date stays.
        case .graceRecovered:
            let begin = expiry
            let paidAt = end + random.duration(from: CivilTime.day, to: product.playGrace.length - CivilTime.hour)
            fallIntoGrace(until: paidAt, declined: nextOrderID())
            renew(paidAt: paidAt, createdAt: begin)
        case .holdRecovered: payOutOfHold(from: expiry, paidAt: end + random.days(3...25))
        case .graceThenHoldRecovered:
            let graceEnd = end + product.playGrace.length
            payOutOfHold(from: expiry, after: graceEnd, paidAt: graceEnd + random.days(3...20))
        case .orderSettledLate:
            renew()
            delayOrder(by: random.hours(20...40))
        // Out of sight of whoever asks for it, until a day after the next one.
        case .orderLeftOut:
            renew()
            let left = newest.orders.count - 1
            renew()
            let hiddenUntil = present + random.hours(20...40)
            amend { $0.orders[left].hiddenUntil = hiddenUntil }
        // Cancelled and taken back before the expiry: no later answer shows it.
        case .cancelledAndRestored:
            let (off, on) = (instant(from: 200, to: 400), instant(from: 500, to: 700))
            cancel(at: off, by: .user(at: off))
            stand(.active, at: on, until: end)
            renew(paidAt: end)
        case .pause: restart(at: pause(for: product == .weekly ? .weeks(2) : .months(1)))
        // By the customer: the billing date moves.
        case .pauseEndedEarly:
            let resumesAt = pause(for: longPause)
            restart(at: end + random.duration(from: 3 * CivilTime.day, to: resumesAt - end - CivilTime.day))
        // The payment fails when the pause is over.
        case .pauseThenHold:
            let resumesAt = pause(for: longPause)
            payOutOfHold(from: resumesAt, paidAt: resumesAt + random.days(3...20))
        case .deferral: deferExpiry(byHours: 12...20)
        case .longDeferral: deferExpiry(byHours: 3 * 24...60 * 24)
        default: changePlan(step)
        }
    }

    /// The next period, paid some hours before it begins, or a little late where the store lets the old one run on.
    mutating func renew() {
        let isShort = serviceEnd - serviceStart < CivilTime.day
        let lead = isShort ? 0 : random.hours(0...6)
        let paidAt = slack > 0 ? serviceEnd + random.duration(from: CivilTime.minute, to: slack) : serviceEnd - lead
        renew(paidAt: paidAt)
    }

    /// The next period, whenever it was paid; it begins where the old one ends unless `start` says otherwise.
    ///
    /// It is one of the offer's, as long as that has any left.
    mutating func renew(paidAt instant: Int64, createdAt: Int64? = nil, from start: Int64? = nil) {
        let start = start ?? serviceEnd
        var charge = Charge(createdAt: createdAt, processedAt: instant, start: start, end: product.term.after(start))
        if introductoryLeft > 0 {
            introductoryLeft -= 1
            (charge.phase, charge.share) = (.introductory, 500)
        }
        pay(charge)
    }

    /// The store calls it renewed, and its order is still to be processed.
    private mutating func delayOrder(by length: Int64) {
        amendNewestOrder { $0.processedAt = $0.processedAt.map { $0 + length } }
        paid = newest.orders.last
    }

    /// A new period that begins with its payment: the billing date moves.
    private mutating func restart(at instant: Int64) { renew(paidAt: instant, from: instant) }

    private mutating func payOutOfHold(from begin: Int64, after graceEnd: Int64? = nil, paidAt: Int64) {
        fallIntoHold(from: begin, after: graceEnd, until: paidAt - CivilTime.hour)
        restart(at: paidAt)
    }

    private var longPause: Term { product == .weekly ? .weeks(3) : .months(2) }

    /// Planned in one period, and taken from its end on; returns when it is to be over.
    private mutating func pause(for term: Term) -> Int64 {
        let (planned, end) = (instant(from: 300, to: 700), serviceEnd)
        let resumesAt = term.after(end)
        stand(.active, at: planned, until: end) { $0.resumesAt = resumesAt }
        stand(.paused, at: end, until: end) { $0.resumesAt = resumesAt }
        return resumesAt
    }

    /// The developer gives so much time: the expiry moves, and no order is made until then.
    private mutating func deferExpiry(byHours hours: ClosedRange<Int64>) {
        let at = instant(from: 400, to: 600)
        let until = serviceEnd + random.hours(hours)
        stand(.active, at: at, until: until)
        restart(at: until)
    }
}

/// What a payment that is not made leads to.
extension PlayWriter {
    /// A grace up to `end`, in which the store moves the expiry step by step.
    private mutating func fallIntoGrace(until end: Int64, declined: String) {
        var (from, until) = (expiry, serviceEnd + product.playGrace.step)
        while from < end {
            stand(.grace, at: from, until: min(until, serviceEnd + product.playGrace.length)) {
                $0.declinedOrderID = declined
            }
            (from, until) = (until, until + product.playGrace.step)
        }
    }

    /// Held from a payment that is declined, or from the end of the grace that comes after it; the order that could not be
    /// collected.
    @discardableResult
    private mutating func fallIntoHold(from begin: Int64, after graceEnd: Int64?, until canceledAt: Int64) -> String {
        let declined = decline(at: begin, until: canceledAt)
        if let graceEnd { fallIntoGrace(until: graceEnd, declined: declined) }
        let until = graceEnd ?? serviceEnd
        stand(.hold, at: max(begin, until), until: until) { $0.declinedOrderID = declined }
        return declined
    }

    /// Nobody ever pays: it ends with the grace, or out of a hold.
    mutating func losePayment(_ step: PlayStep) {
        let graceEnd = serviceEnd + product.playGrace.length
        let limit = serviceEnd + (random.chance(perMille: 500) ? 60 : 30) * CivilTime.day
        if step == .graceLost {
            let declined = decline(at: expiry, until: graceEnd)
            fallIntoGrace(until: graceEnd, declined: declined)
            return expire(at: graceEnd, until: graceEnd, by: .system, declined: declined)
        }
        let (until, begin) = (step == .holdLost ? serviceEnd : graceEnd, expiry)
        let declined = fallIntoHold(from: begin, after: step == .holdLost ? nil : graceEnd, until: limit)
        stand(.canceled, at: limit - CivilTime.hour, until: until, renews: false) {
            $0.cancellation = .system
            $0.declinedOrderID = declined
        }
        expire(at: limit, until: until, by: .system, declined: declined)
    }
}
