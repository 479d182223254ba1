// SPDX-License-Identifier: Apache-2.0

/// Even pacing of one endpoint: decides when the next request may leave.
///
/// Pure; `now` is a monotonic reading in nanoseconds.
///
/// Requests leave one interval apart, after a burst of at most `burst`: in whatever window the store counts (an hour at the
/// App Store, a minute at Google Play) no more than the rate allows and the burst besides. The rate halves when the store
/// says "too many" and grows back by a twentieth of the configured rate for each second without complaint.
package struct Pacer: Sendable {
    private let fullRate: Double
    private let burst: Double
    private var rate: Double
    private var nextSlot: UInt64 = 0
    private var closedUntil: UInt64 = 0
    private var lastAdjustment: UInt64 = 0
    /// The longest interval since the rate was last whole.
    private var slowest: UInt64 = 0

    /// `requestsPerSecond` is this program's share of the store's quota.
    package init(requestsPerSecond: Double, burst: Int = 1) {
        self.fullRate = max(requestsPerSecond, 0.01)
        self.burst = Double(max(burst, 1))
        self.rate = fullRate
    }

    package var currentRate: Double { rate }

    /// Nanoseconds between two requests at the configured rate, rounded up.
    var fullInterval: UInt64 { UInt64((1_000_000_000 / fullRate).rounded(.up)) }

    /// Nanoseconds between two requests at the present rate, rounded up: what others who share the quota are told, so that a store
    /// that says "too many" to one of them is asked less by all.
    var statedInterval: UInt64 { UInt64((1_000_000_000 / rate).rounded(.up)) }

    /// What it stated itself, or may have until lately: a longer interval is another process's.
    var ownInterval: UInt64 { max(fullInterval, slowest) }

    /// How much later than evenly a request may leave, in nanoseconds.
    var allowance: UInt64 { UInt64(burst - 1) * fullInterval }

    /// Takes the next slot; returns how many nanoseconds from `now` it is.
    package mutating func takeSlot(now: UInt64) -> UInt64 {
        recover(now)
        let interval = UInt64(1_000_000_000 / rate)
        let allowance = UInt64(burst - 1) * interval
        let earliest = max(nextSlot, now > allowance ? now - allowance : 0, closedUntil)
        nextSlot = earliest + interval
        return earliest > now ? earliest - now : 0
    }

    /// The same where time is leased: the next slot of the slices at hand, nil where they have none left.
    ///
    /// One that would begin at `deadline` or later is not taken.
    ///
    /// A slot is good for one interval longer than the allowance: of all processes no more requests leave in a window than its slots
    /// and the burst besides.
    mutating func takeSlot(of slices: inout LeasedSlices, now: UInt64, before deadline: UInt64?) -> UInt64? {
        recover(now)
        let earliest = max(nextSlot, closedUntil)
        guard let leased = slices.first(usableAt: max(earliest, now), lateBy: slotLife) else { return nil }
        let slot = max(leased, earliest)
        if let deadline, max(slot, now) >= deadline { return slot > now ? slot - now : 0 }
        slices.takeFirst()
        nextSlot = slot + UInt64(1_000_000_000 / rate)
        return slot > now ? slot - now : 0
    }

    /// How many requests the next slice is to have; 0: none is to be leased now.
    func wanted(of slices: LeasedSlices, waiting: Int, now: UInt64) -> Int {
        // What is slowed down uses no slot before its own time: one that is leased sooner would be lost.
        let isEarly = rate < fullRate && nextSlot >= now + slotLife
        guard closedFor(now: now) == 0, !isEarly else { return 0 }
        return slices.wanted(waiting: waiting, rate: rate, now: now)
    }

    /// How long a leased slot is good for.
    private var slotLife: UInt64 { allowance + fullInterval }

    /// How many nanoseconds from `now` the endpoint stays closed; 0 is open.
    package func closedFor(now: UInt64) -> UInt64 { closedUntil > now ? closedUntil - now : 0 }

    /// No request starts before this instant.
    package mutating func close(until: UInt64) { closedUntil = max(closedUntil, until) }

    /// The store said "too many": halves the rate (at most once a second) and closes the endpoint until then.
    package mutating func slowDown(now: UInt64, until: UInt64?) {
        if let until { close(until: until) }
        guard lastAdjustment == 0 || now >= lastAdjustment + 1_000_000_000 else { return }
        rate = max(rate / 2, fullRate / 64)
        slowest = max(slowest, statedInterval)
        lastAdjustment = now
    }

    /// A slice of such an interval was leased: where it and the rate are whole again, nothing is left of what was stated.
    mutating func note(leasedInterval: UInt64) {
        if rate >= fullRate, leasedInterval <= fullInterval { slowest = 0 }
    }

    private mutating func recover(_ now: UInt64) {
        guard rate < fullRate, now > lastAdjustment + 1_000_000_000 else { return }
        let seconds = Double(now - lastAdjustment) / 1_000_000_000
        rate = min(fullRate, rate + seconds * fullRate / 20)
        lastAdjustment = now
    }
}
