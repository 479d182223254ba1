// SPDX-License-Identifier: Apache-2.0

/// A tester's life, in which a month takes minutes.
extension LifeWriter {
    /// Renewal after renewal until the planned end, or until the store has renewed as often as it does for testers and
    /// switches auto-renew off by itself.
    ///
    /// The first period was written in full length.
    mutating func writeCompressed(_ planned: [AppStoreStep], by clock: SandboxClock) {
        compress(by: clock, from: current.purchasedAt)
        var (planned, renewals) = (planned[...], Int64(0))
        while !reachesHorizon {
            let old = current
            guard renewals < clock.renewals else { return expire(.voluntary, at: old.expiresAt) }
            let step = planned.popFirst() ?? .renewal
            mark(step)
            switch step {
            case .voluntary: return expire(.voluntary, at: instant(in: old, perMille: 500))
            case .retryLost:
                let lostAt = old.expiresAt + clock.retry
                switchAutoRenew(false, at: lostAt)
                return fail(.givenUp(at: lostAt))
            case .retryRecovered:
                fail(.recovers)
                renewCompressed(late: clock.retry / 2, clock)
            // Paid within the grace, the billing date stays.
            case .graceRecovered:
                fail(.recovers, graceEndsAt: old.expiresAt + clock.grace)
                renew(late: clock.grace / 2)
                compress(by: clock, from: old.expiresAt)
            // Often a few seconds late, as the accelerated clock is.
            default:
                let isLate = random.chance(perMille: 400)
                renewCompressed(
                    late: isLate ? random.duration(from: CivilTime.second, to: 20 * CivilTime.second) : 0, clock)
            }
            renewals += 1
        }
    }

    private mutating func renewCompressed(late delay: Int64, _ clock: SandboxClock) {
        renew(late: delay)
        compress(by: clock, from: current.purchasedAt)
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
            priceMilliunits: Commitment.price(ofYear: setting.market.appStorePrice(of: product)))
    }

    /// Month by month to the horizon.
    ///
    /// `isCancelled`: the first year is the last, which shows in the commitment's own switch while its months go on
    /// being paid.
    mutating func writeCommitment(isCancelled: Bool) {
        if isCancelled, let commitment = current.commitment {
            let tenth = (commitment.expiresAt - current.purchasedAt) / 10
            let offset = tenth * random.value(in: 3...8) / CivilTime.second * CivilTime.second
            switchAutoRenew(false, at: current.purchasedAt + offset)
        }
        while !reachesHorizon, let commitment = current.commitment {
            if commitment.isLast && isCancelled { return amend { $0.ending = .expires(.voluntary) } }
            let begin = current.expiresAt
            let lead = random.duration(from: CivilTime.hour, to: CivilTime.day)
            var entry = Entry(.renewal, at: begin, shownAt: begin - lead)
            entry.commitment = commitment.isLast ? newCommitment(at: begin) : commitment.following
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

    /// How long a term takes.
    ///
    /// A week and shorter trials are the shortest; longer ones are that many months.
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
