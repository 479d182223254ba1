// SPDX-License-Identifier: Apache-2.0

import Stores
import Testing

@Suite struct PacerTests {
    /// An hour into the machine's life, so that a burst has a past to draw on.
    private let start: UInt64 = 3_600_000_000_000
    private let second: UInt64 = 1_000_000_000

    @Test func `requests leave one interval apart`() {
        var pacer = Pacer(requestsPerSecond: 4)
        // Four a second: every 250 ms, all asked for at the same moment.
        let waits = (0..<4).map { _ in pacer.takeSlot(now: start) }
        #expect(waits == [0, 250_000_000, 500_000_000, 750_000_000])
    }

    @Test func `a burst leaves at once and is paid back afterwards`() {
        var pacer = Pacer(requestsPerSecond: 10, burst: 3)
        let waits = (0..<5).map { _ in pacer.takeSlot(now: start) }
        #expect(waits == [0, 0, 0, 100_000_000, 200_000_000])
    }

    /// In any minute: 60 × 47 + 47 of the 3,000 that are published; at 50 a second there is nothing left for a burst.
    @Test func `a second's worth may leave at once where the store's minute has room for it`() {
        let endpoint = Endpoint(name: "a", publishedRate: 50)
        #expect(Pace(requestsPerSecond: 40, published: 50).burst(of: endpoint) == 40)
        #expect(Pace(requestsPerSecond: 47, published: 50).burst(of: endpoint) == 47)
        #expect(Pace(requestsPerSecond: 48, published: 50).burst(of: endpoint) == 1)
        #expect(Pace(requestsPerSecond: 50, published: 50).burst(of: endpoint) == 1)
        #expect(Pace(requestsPerSecond: 1, published: 50, burst: 3).burst(of: endpoint) == 3)
        #expect(Pace(requestsPerSecond: 0.1, published: 50).burst(of: endpoint) == 1)
    }

    /// Ten requests each millisecond at 10,000 a second, and one at 1,000.
    @Test func `timers are no finer than a millisecond: what belongs to one may leave together`() {
        let endpoint = Endpoint(name: "a", publishedRate: 50)
        #expect(Pace(requestsPerSecond: 1_000, published: 50).burst(of: endpoint) == 1)
        #expect(Pace(requestsPerSecond: 1_999, published: 50).burst(of: endpoint) == 1)
        #expect(Pace(requestsPerSecond: 10_000, published: 50).burst(of: endpoint) == 10)
    }

    @Test func `too many requests halve the rate, at most once a second, and a closed endpoint lets none through`() {
        var pacer = Pacer(requestsPerSecond: 8)
        pacer.slowDown(now: start, until: start + 2 * second)
        pacer.slowDown(now: start + 1, until: nil)
        #expect(pacer.currentRate == 4)
        #expect(pacer.closedFor(now: start + second) == second)
        #expect(pacer.closedFor(now: start + 2 * second) == 0)
        #expect(pacer.takeSlot(now: start) == 2 * second)
    }

    @Test func `the rate grows back by a twentieth of the configured one each second`() {
        var pacer = Pacer(requestsPerSecond: 20)
        pacer.slowDown(now: start, until: nil)
        _ = pacer.takeSlot(now: start + 5 * second)
        // Half of 20, and five times a twentieth of 20.
        #expect(pacer.currentRate == 15)
        _ = pacer.takeSlot(now: start + 60 * second)
        #expect(pacer.currentRate == 20)
    }
}
