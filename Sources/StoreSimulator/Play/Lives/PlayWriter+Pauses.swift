// SPDX-License-Identifier: Apache-2.0

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

    /// The whole grace in vain, then an account hold, paid at last: the billing date moves.
    mutating func recoverFromHoldAfterGrace() {
        let (begin, graceEnd) = (expiry, serviceEnd + product.grace.length)
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
