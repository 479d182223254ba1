// SPDX-License-Identifier: Apache-2.0

/// Distinguishes an outage from single failures: after a run of failures all requests pause, longer each time, and
/// if requests still fail after the last pause, the store counts as down. Pure; times are monotonic readings in nanoseconds.
package struct Breaker: Sendable {
    /// What follows from one more failure.
    package enum Consequence: Hashable, Sendable {
        case none
        /// No request starts before this instant.
        case pause(until: UInt64)
        case down
    }

    /// Failures in a row, without an answer in between, that end a trial.
    private let threshold: Int
    private let pauses: [Duration]
    private var failuresInARow = 0
    private var pausesTaken = 0
    private var pausedUntil: UInt64 = 0
    package private(set) var isDown = false

    package init(
        threshold: Int = 20, pauses: [Duration] = [.seconds(5), .seconds(10), .seconds(20), .seconds(40)]
    ) {
        self.threshold = max(threshold, 1)
        self.pauses = pauses
    }

    /// An answer came, whatever it says: the store is there.
    package mutating func succeeded() {
        failuresInARow = 0
        pausesTaken = 0
    }

    /// A request that left at `startedAt` came to nothing. What had left before the last pause ended says nothing new.
    package mutating func failed(startedAt: UInt64, now: UInt64) -> Consequence {
        guard !isDown, startedAt >= pausedUntil else { return .none }
        failuresInARow += 1
        guard failuresInARow >= threshold else { return .none }
        failuresInARow = 0
        guard pausesTaken < pauses.count else {
            isDown = true
            return .down
        }
        pausedUntil = now + pauses[pausesTaken].nanoseconds
        pausesTaken += 1
        return .pause(until: pausedUntil)
    }
}

extension Duration {
    /// Whole nanoseconds, none for a negative length; bounded at some 290 years.
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return UInt64(min(seconds, 9_000_000_000)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}
