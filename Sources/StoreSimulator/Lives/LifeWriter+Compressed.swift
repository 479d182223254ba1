// SPDX-License-Identifier: Apache-2.0

/// A tester's life, in which a month takes minutes.
extension LifeWriter {
    /// The first purchase, as short as the tester's clock has it.
    mutating func begin(_ chapter: Chapter, at instant: Int64, by clock: SandboxClock) {
        begin(chapter, at: instant)
        compress(by: clock, from: instant)
    }

    /// Renewal after renewal until the planned end, or until the store has renewed as often as it does for testers and
    /// switches auto-renew off by itself.
    mutating func writeCompressed(_ planned: [Chapter], by clock: SandboxClock) {
        var (planned, renewals) = (planned[...], Int64(0))
        while let old = current, old.expiresAt <= setting.horizon {
            guard renewals < clock.renewals else { return endByItself(old) }
            let chapter = planned.popFirst() ?? .renewal
            mark(chapter)
            switch chapter {
            case .voluntary:
                switchAutoRenew(false, at: instant(in: old, perMille: 500))
                return amend { $0.ending = .expires(.voluntary) }
            case .retryLost:
                let lostAt = old.expiresAt + clock.retry
                switchAutoRenew(false, at: lostAt)
                return amend { $0.ending = .billing(.init(outcome: .givenUp(at: lostAt))) }
            case .retryRecovered: recover(old, after: clock.retry / 2, graceEndsAt: nil, clock)
            case .graceRecovered: recover(old, after: clock.grace / 2, graceEndsAt: old.expiresAt + clock.grace, clock)
            default: renewCompressed(old, clock)
            }
            renewals += 1
        }
    }

    private mutating func endByItself(_ last: Period) {
        switchAutoRenew(false, at: last.expiresAt)
        amend { $0.ending = .expires(.voluntary) }
    }

    /// Often a few seconds late, as the accelerated clock is.
    private mutating func renewCompressed(_ old: Period, _ clock: SandboxClock) {
        let late = random.chance(perMille: 400) ? random.duration(from: CivilTime.second, to: 20 * CivilTime.second) : 0
        let at = old.expiresAt + late
        add(Entry(createdAt: at, purchasedAt: at, reason: .renewal))
        compress(by: clock, from: at)
    }

    private mutating func recover(_ old: Period, after delay: Int64, graceEndsAt: Int64?, _ clock: SandboxClock) {
        amend { $0.ending = .billing(.init(graceEndsAt: graceEndsAt, outcome: .recovers)) }
        let at = old.expiresAt + delay
        add(Entry(createdAt: at, purchasedAt: at, reason: .renewal))
        // Paid within the grace, the billing date stays.
        compress(by: clock, from: graceEndsAt == nil ? at : old.expiresAt)
    }

    private mutating func compress(by clock: SandboxClock, from start: Int64) {
        amend { $0.expiresAt = start + clock.length(of: $0.term) }
    }
}
