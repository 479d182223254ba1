// SPDX-License-Identifier: Apache-2.0

/// When the requests of one endpoint of a quota may leave, and who waits for a slice of it in the order of coming.
struct EndpointPace: Sendable {
    /// What becomes of a request that asked for its turn.
    enum Turn: Hashable, Sendable {
        /// It may leave in so many nanoseconds.
        case wait(UInt64)
        /// The endpoint has closed meanwhile: it asks again when it is open.
        case closed
        /// No slice could be leased, in the source's words.
        case unavailable(String)
        /// Its task was cancelled.
        case cancelled
    }

    struct Waiter {
        let ticket: UInt64
        /// What would leave then or later does not wait for it.
        let deadline: UInt64?
        let continuation: CheckedContinuation<Turn, Never>
    }

    /// A request and what becomes of it: it is resumed when no lock is taken.
    typealias Served = (Waiter, Turn)

    var pacer: Pacer
    var slices = LeasedSlices()
    private(set) var waiters: [Waiter] = []
    /// A lower rate than ours is in use; it is said once.
    private(set) var isLowered = false

    init(_ pacer: Pacer) { self.pacer = pacer }

    /// The turn of a request that comes now; nil where it must wait for a slice.
    mutating func turn(now: UInt64, before deadline: UInt64?) -> Turn? {
        if pacer.closedFor(now: now) > 0 { return .closed }
        if let deadline, now >= deadline { return .wait(0) }
        guard waiters.isEmpty else { return nil }
        return pacer.takeSlot(of: &slices, now: now, before: deadline).map(Turn.wait)
    }

    mutating func add(_ waiter: Waiter) { waiters.append(waiter) }

    /// True where others' rate is lower for the first time.
    mutating func add(_ slice: LeasedSlice, now: UInt64) -> Bool {
        let begin = slice.beginsIn < 0 ? now - min(now, slice.beginsIn.magnitude) : now + slice.beginsIn.magnitude
        slices.add(
            Slice(begin: begin, interval: max(slice.interval, 1), requests: slice.requests), now: now,
            pause: slice.pause)
        let isLower = slice.interval > pacer.ownInterval
        pacer.note(leasedInterval: slice.interval)
        defer { isLowered = isLower }
        return isLower && !isLowered
    }

    /// Those whose turn is known by now.
    mutating func serve(now: UInt64) -> [Served] {
        guard !waiters.isEmpty else { return [] }
        if pacer.closedFor(now: now) > 0 { return giveUp(.closed) }
        var served: [Served] = []
        while let next = waiters.first,
            let wait = pacer.takeSlot(of: &slices, now: now, before: next.deadline)
        {
            served.append((next, .wait(wait)))
            waiters.removeFirst()
        }
        // Whose time is over waits for no slice.
        waiters.removeAll { waiter in
            guard let deadline = waiter.deadline, deadline <= now else { return false }
            served.append((waiter, .wait(0)))
            return true
        }
        return served
    }

    mutating func giveUp(_ turn: Turn) -> [Served] {
        defer { waiters = [] }
        return waiters.map { ($0, turn) }
    }

    mutating func withdraw(_ ticket: UInt64) -> Waiter? {
        waiters.firstIndex { $0.ticket == ticket }.map { waiters.remove(at: $0) }
    }

    /// How many requests the next slice is to have; 0: none is to be leased now.
    func wanted(now: UInt64) -> Int { pacer.wanted(of: slices, waiting: waiters.count, now: now) }
}
