// SPDX-License-Identifier: Apache-2.0

/// Even pacing of one endpoint: decides when the next request may leave. Pure; `now` is a monotonic reading in nanoseconds.
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

    /// `requestsPerSecond` is this program's share of the store's quota.
    package init(requestsPerSecond: Double, burst: Int = 1) {
        self.fullRate = max(requestsPerSecond, 0.01)
        self.burst = Double(max(burst, 1))
        self.rate = fullRate
    }

    package var currentRate: Double { rate }

    /// Takes the next slot; returns how many nanoseconds from `now` it is.
    package mutating func takeSlot(now: UInt64) -> UInt64 {
        recover(now)
        let interval = UInt64(1_000_000_000 / rate)
        let allowance = UInt64(burst - 1) * interval
        let earliest = max(nextSlot, now > allowance ? now - allowance : 0, closedUntil)
        nextSlot = earliest + interval
        return earliest > now ? earliest - now : 0
    }

    /// How many nanoseconds from `now` the endpoint stays closed; 0 is open.
    package func closedFor(now: UInt64) -> UInt64 { closedUntil > now ? closedUntil - now : 0 }

    /// No request starts before this instant.
    package mutating func close(until: UInt64) { closedUntil = max(closedUntil, until) }

    /// The store said "too many": halves the rate (at most once a second) and closes the endpoint until then.
    package mutating func slowDown(now: UInt64, until: UInt64?) {
        if let until { close(until: until) }
        guard lastAdjustment == 0 || now >= lastAdjustment + 1_000_000_000 else { return }
        rate = max(rate / 2, fullRate / 64)
        lastAdjustment = now
    }

    private mutating func recover(_ now: UInt64) {
        guard rate < fullRate, now > lastAdjustment + 1_000_000_000 else { return }
        let seconds = Double(now - lastAdjustment) / 1_000_000_000
        rate = min(fullRate, rate + seconds * fullRate / 20)
        lastAdjustment = now
    }
}
