// SPDX-License-Identifier: Apache-2.0

/// A tester's life, in which a month takes minutes.
extension LifeWriter {
    /// The first purchase, as short as the tester's clock has it.
    mutating func begin(_ step: AppStoreStep, at instant: Int64, by clock: SandboxClock) {
        begin(step, at: instant)
        compress(by: clock, from: instant)
    }

    /// Renewal after renewal until the planned end, or until the store has renewed as often as it does for testers and
    /// switches auto-renew off by itself.
    mutating func writeCompressed(_ planned: [AppStoreStep], by clock: SandboxClock) {
        var (planned, renewals) = (planned[...], Int64(0))
        while let old = current, old.expiresAt <= setting.horizon {
            guard renewals < clock.renewals else { return endByItself(old) }
            let step = planned.popFirst() ?? .renewal
            mark(step)
            switch step {
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
        add(Entry(.renewal, at: at))
        compress(by: clock, from: at)
    }

    private mutating func recover(_ old: Period, after delay: Int64, graceEndsAt: Int64?, _ clock: SandboxClock) {
        amend { $0.ending = .billing(.init(graceEndsAt: graceEndsAt, outcome: .recovers)) }
        let at = old.expiresAt + delay
        add(Entry(.renewal, at: at))
        // Paid within the grace, the billing date stays.
        compress(by: clock, from: graceEndsAt == nil ? at : old.expiresAt)
    }

    private mutating func compress(by clock: SandboxClock, from start: Int64) {
        amend { $0.expiresAt = start + clock.length(of: $0.term) }
    }
}

/// A year's plan that is paid by the month.
extension LifeWriter {
    /// The first month of a commitment: a tenth dearer than the year at once.
    func newCommitment(at instant: Int64) -> Commitment {
        Commitment(
            number: 1, expiresAt: CivilTime.adding(months: Commitment.months, to: instant),
            priceMilliunits: setting.market.appStorePrice(of: product) * 11 / 10)
    }

    /// Month by month to the horizon. `isCancelled`: the first year is the last, which shows in the commitment's own switch
    /// while its months go on being paid.
    mutating func writeCommitment(isCancelled: Bool) {
        if isCancelled, let first = current, let commitment = first.commitment {
            let length = commitment.expiresAt - first.purchasedAt
            let at = first.purchasedAt + length / 10 * random.value(in: 3...8) / CivilTime.second * CivilTime.second
            switchAutoRenew(false, at: at)
        }
        while !reachesHorizon, let old = current, let commitment = old.commitment {
            if commitment.isLast && isCancelled {
                amend { $0.ending = .expires(.voluntary) }
                return
            }
            let next = commitment.isLast ? newCommitment(at: old.expiresAt) : commitment.following
            let lead = random.duration(from: CivilTime.hour, to: CivilTime.day)
            var entry = Entry(.renewal, at: old.expiresAt, shownAt: old.expiresAt - lead)
            entry.commitment = next
            add(entry)
        }
    }
}

extension Commitment {
    fileprivate var following: Commitment {
        Commitment(number: number + 1, expiresAt: expiresAt, priceMilliunits: priceMilliunits)
    }
}

/// The compressed clock of a tester: how long a period lasts, and how often it renews before the store ends it.
package struct SandboxClock: Hashable, Sendable, Codable {
    /// The tester's renewal rate: the minutes a month takes.
    package enum Rate: Int64, Hashable, Sendable, Codable, CaseIterable {
        case threeMinutes = 3
        case fiveMinutes = 5
        case quarterHour = 15
        case halfHour = 30
        case hour = 60
    }

    package var rate: Rate = .fiveMinutes
    /// 12 today, 6 formerly.
    package var renewals: Int64 = 12

    /// How long a term takes. A week and shorter trials are the shortest; longer ones are that many months.
    package func length(of term: Term) -> Int64 {
        switch term {
        case .months(let count): count * rate.rawValue * CivilTime.minute
        case .weeks, .days: week * CivilTime.minute
        }
    }

    private var week: Int64 {
        switch rate {
        case .threeMinutes, .fiveMinutes: 3
        case .quarterHour: 5
        case .halfHour: 10
        case .hour: 15
        }
    }

    /// The grace: as long as a month.
    package var grace: Int64 { rate.rawValue * CivilTime.minute }
    /// How long the store tries to get its money: two months.
    package var retry: Int64 { 2 * grace }
}
