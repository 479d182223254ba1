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

@Suite struct BackoffTests {
    @Test func `the ceiling doubles up to the cap and the wait is a random part of it`() {
        let backoff = Backoff(base: .milliseconds(500), cap: .seconds(3), attempts: 9)
        #expect(backoff.delay(afterAttempt: 1, random: 1) == .milliseconds(500))
        #expect(backoff.delay(afterAttempt: 3, random: 1) == .seconds(2))
        #expect(backoff.delay(afterAttempt: 4, random: 1) == .seconds(3))
        #expect(backoff.delay(afterAttempt: 400, random: 0.5) == .milliseconds(1_500))
        #expect(backoff.delay(afterAttempt: 2, random: 0) == .zero)
    }

    @Test func `the retry budget is a tenth of the calls, at least twenty`() {
        var budget = RetryBudget()
        #expect((0..<21).filter { _ in budget.takeRetry() }.count == 20)
        for _ in 0..<300 { budget.countCall() }
        #expect((0..<21).filter { _ in budget.takeRetry() }.count == 10)
    }

    @Test(
        arguments: [
            // A number of seconds.
            ("7", Duration.seconds(7)), (" 7 ", .seconds(7)), ("0", .zero),
            // The App Store's: the UNIX time in milliseconds when to come back; now is 1,700,000,000,000.
            ("1700000004500", .milliseconds(4_500)), ("1699999990000", .zero),
            ("soon", nil), ("-1", nil), ("", nil), ("Wed, 21 Oct 2026 07:28:00 GMT", nil),
        ] as [(String, Duration?)])
    func `Retry-After is read in both its meanings`(value: String, wait: Duration?) {
        #expect(RetryAfter.wait(value, nowMilliseconds: 1_700_000_000_000) == wait)
    }
}
