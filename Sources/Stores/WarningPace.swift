// SPDX-License-Identifier: Apache-2.0

/// One warning a minute of what may happen a thousand times.
///
/// Pure; `now` is a monotonic reading in nanoseconds.
struct WarningPace: Sendable {
    private static let interval: UInt64 = 60_000_000_000

    private var lastAt: UInt64?

    /// True where it is time for one.
    mutating func isDue(now: UInt64) -> Bool {
        if let lastAt, now < lastAt + Self.interval { return false }
        lastAt = now
        return true
    }
}
