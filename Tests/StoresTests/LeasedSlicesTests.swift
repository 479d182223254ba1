// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Stores

/// The slots of a quota's leased time: who may use which, until when, and how many the next slice is to have.
@Suite struct LeasedSlicesTests {
    private static let start: UInt64 = 3_600_000_000_000
    private static let second: UInt64 = 1_000_000_000
    private static let tenth: UInt64 = 100_000_000

    private static func slices(_ requests: Int, from begin: UInt64 = start) -> LeasedSlices {
        var slices = LeasedSlices()
        slices.add(Slice(begin: begin, interval: tenth, requests: requests), now: start, pause: 0)
        return slices
    }

    private static func take(
        _ count: Int, of slices: inout LeasedSlices, _ pacer: inout Pacer, now: UInt64 = start, before: UInt64? = nil
    ) -> [UInt64?] {
        (0..<count).map { _ in pacer.takeSlot(of: &slices, now: now, before: before) }
    }

    @Test func `the slots of a slice leave evenly, and without a slice there is none`() {
        var pacer = Pacer(requestsPerSecond: 10)
        var slices = Self.slices(3, from: Self.start + Self.second)
        #expect(
            Self.take(4, of: &slices, &pacer) == [
                Self.second, Self.second + Self.tenth, Self.second + 2 * Self.tenth, nil,
            ])
    }

    /// One interval without a burst; with a burst of three two intervals more.
    @Test(arguments: [(1, UInt64(1)), (3, 3)])
    func `a slot that is not used in its time is lost`(burst: Int, intervals: UInt64) {
        let life = intervals * Self.tenth
        var pacer = Pacer(requestsPerSecond: 10, burst: burst)
        var slices = Self.slices(1)
        #expect(Self.take(1, of: &slices, &pacer, now: Self.start + life) == [nil])
        slices = Self.slices(1)
        #expect(Self.take(2, of: &slices, &pacer, now: Self.start + life - 1) == [0, nil])
    }

    @Test func `what would leave at its deadline or later learns so and takes no slot`() {
        var pacer = Pacer(requestsPerSecond: 10)
        var slices = Self.slices(1, from: Self.start + Self.second)
        let deadline = Self.start + Self.second
        #expect(Self.take(2, of: &slices, &pacer, before: deadline) == [Self.second, Self.second])
        #expect(Self.take(2, of: &slices, &pacer, before: deadline + 1) == [Self.second, nil])
    }

    /// Half the rate: every second slot is used, the others are lost.
    @Test func `a pacer that slows down uses fewer of the slots`() {
        var pacer = Pacer(requestsPerSecond: 10)
        pacer.slowDown(now: Self.start, until: nil)
        var slices = Self.slices(6)
        let used = Self.take(4, of: &slices, &pacer)
        #expect(used == [0, 2 * Self.tenth, 4 * Self.tenth, nil])
    }

    @Test func `at first as many are leased as wait, a second's worth at most`() {
        let slices = LeasedSlices()
        #expect(slices.wanted(waiting: 0, rate: 10, now: Self.start) == 0)
        #expect(slices.wanted(waiting: 3, rate: 10, now: Self.start) == 3)
        #expect(slices.wanted(waiting: 64, rate: 10, now: Self.start) == 10)
        #expect(slices.wanted(waiting: 64, rate: 0.1, now: Self.start) == 1)
    }

    @Test func `the next slice is leased half a second before the last one ends, twice as long as was used`() {
        var pacer = Pacer(requestsPerSecond: 10)
        var slices = Self.slices(4)
        _ = Self.take(4, of: &slices, &pacer)
        // It ends 0.4 s from now.
        #expect(slices.wanted(waiting: 0, rate: 10, now: Self.start) == 8)
        #expect(slices.wanted(waiting: 0, rate: 6, now: Self.start) == 6)
        // What was not asked for since it ended is not leased.
        #expect(slices.wanted(waiting: 0, rate: 10, now: Self.start + 5 * Self.tenth) == 0)
        slices = Self.slices(10)
        #expect(slices.wanted(waiting: 64, rate: 10, now: Self.start + 5 * Self.tenth) == 0)
        #expect(slices.wanted(waiting: 64, rate: 10, now: Self.start + 5 * Self.tenth + 1) == 10)
    }

    @Test func `nothing is leased before a pause is over`() {
        var slices = LeasedSlices()
        slices.add(Slice(begin: Self.start, interval: Self.tenth, requests: 0), now: Self.start, pause: Self.second)
        #expect(slices.wanted(waiting: 9, rate: 10, now: Self.start + Self.second - 1) == 0)
        #expect(slices.wanted(waiting: 9, rate: 10, now: Self.start + Self.second) == 9)
    }

    /// A minute of processes that always have more to ask.
    ///
    /// The slots of a rate begin every interval; each is good for the burst.
    @Test(arguments: [(1, 50.0, 1), (3, 50, 1), (1, 40, 40), (3, 40, 40), (2, 0.5, 1), (1, 2_000, 2)])
    func `processes together use the rate, and never more than it and the burst`(
        processes: Int, rate: Double, burst: Int
    ) {
        var played = SharedPlay(processes: processes, rate: rate, burst: burst)
        let sent = played.play(milliseconds: 60_000)
        #expect(Double(sent.count) >= 0.99 * 60 * rate)
        let window = 10 * Self.second
        var first = 0
        for (last, at) in sent.enumerated() {
            while at - sent[first] >= window { first += 1 }
            #expect(Double(last - first + 1) <= rate * 10 + Double(burst))
        }
    }
}

/// Processes that lease their slices from one row, a step a millisecond, and always have sixty-four requests waiting.
private struct SharedPlay {
    private var free: UInt64 = 0
    private var pacers: [Pacer]
    private var slices: [LeasedSlices]
    private let start: UInt64 = 3_600_000_000_000

    init(processes: Int, rate: Double, burst: Int) {
        pacers = Array(repeating: Pacer(requestsPerSecond: rate, burst: burst), count: processes)
        slices = Array(repeating: LeasedSlices(), count: processes)
    }

    /// When its requests left, in their order.
    mutating func play(milliseconds: UInt64) -> [UInt64] {
        var sent: [UInt64] = []
        for step in 0..<milliseconds {
            for process in pacers.indices { send(process, now: start + step * 1_000_000, into: &sent) }
        }
        let end = start + milliseconds * 1_000_000
        return sent.filter { $0 < end }.sorted()
    }

    private mutating func send(_ process: Int, now: UInt64, into sent: inout [UInt64]) {
        lease(process, now: now)
        while let wait = pacers[process].takeSlot(of: &slices[process], now: now, before: nil) {
            sent.append(now + wait)
        }
    }

    /// As the database does it: the next slice begins where the last one ends, or as long ago as the allowance.
    private mutating func lease(_ process: Int, now: UInt64) {
        let pacer = pacers[process]
        let requests = pacer.wanted(of: slices[process], waiting: 64, now: now)
        guard requests > 0 else { return }
        let slice = Slice(begin: max(free, now - pacer.allowance), interval: pacer.fullInterval, requests: requests)
        free = slice.end
        slices[process].add(slice, now: now, pause: 0)
    }
}
