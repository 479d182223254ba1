// SPDX-License-Identifier: Apache-2.0

/// Slots of one endpoint that are this process's alone: so many requests, evenly apart.
///
/// Pure, in nanoseconds.
package struct Slice: Hashable, Sendable {
    var begin: UInt64
    let interval: UInt64
    var requests: Int

    var end: UInt64 { begin + UInt64(requests) * interval }
}

/// The slices of an endpoint at hand, in their order, and how many requests the next one is to have.
///
/// Pure; instants are monotonic readings in nanoseconds.
///
/// Slices are short and leased a little ahead: who comes first in the shared quota waits for what others have leased already.
struct LeasedSlices: Sendable {
    /// The longest slice, unless one request takes longer.
    static let length: UInt64 = 1_000_000_000
    /// The next one is leased so long before the last one ends.
    static let ahead: UInt64 = 500_000_000

    private var slices: [Slice] = []
    private var end: UInt64 = 0
    private var notBefore: UInt64 = 0
    /// Of the slice that was leased last, and taken since.
    private var leased = 0
    private var taken = 0

    /// `pause`: nothing more is leased for so long.
    mutating func add(_ slice: Slice, now: UInt64, pause: UInt64) {
        notBefore = now + pause
        guard slice.requests > 0 else { return }
        slices.append(slice)
        end = max(end, slice.end)
        (leased, taken) = (slice.requests, 0)
    }

    /// The first slot that is not over by then: each is good for so long.
    ///
    /// What is over is dropped.
    mutating func first(usableAt instant: UInt64, lateBy: UInt64) -> UInt64? {
        while let slice = slices.first {
            if slice.begin + lateBy > instant { return slice.begin }
            let over = Int(clamping: (instant - lateBy - slice.begin) / slice.interval + 1)
            drop(min(over, slice.requests))
        }
        return nil
    }

    mutating func takeFirst() {
        drop(1)
        taken += 1
    }

    private mutating func drop(_ count: Int) {
        slices[0].begin += UInt64(count) * slices[0].interval
        slices[0].requests -= count
        if slices[0].requests == 0 { slices.removeFirst() }
    }

    /// How many requests the next slice is to have; 0: none is to be leased now.
    ///
    /// As many as wait, and twice what was used of the last one: a process that asks little leases little.
    func wanted(waiting: Int, rate: Double, now: UInt64) -> Int {
        guard now >= notBefore, end < now + Self.ahead else { return 0 }
        let isUsed = taken > 0 && 2 * taken >= leased
        guard waiting > 0 || isUsed && end >= now else { return 0 }
        let most = max(1, Int(rate * Double(Self.length) / 1_000_000_000))
        return min(most, max(waiting, isUsed ? 2 * taken : 1))
    }
}
