// SPDX-License-Identifier: Apache-2.0

/// Exponential backoff with full jitter: a uniformly random part of a ceiling that doubles up to a cap.
package struct Backoff: Sendable {
    /// The ceiling of the first wait.
    package let base: Duration
    /// The highest ceiling.
    package let cap: Duration
    /// Tries in all, the first included: it is the caller's to end after so many.
    package let attempts: Int

    /// - Parameters:
    ///   - base: the ceiling of the first wait.
    ///   - cap: the highest ceiling.
    ///   - attempts: tries in all, the first included.
    package init(base: Duration = .milliseconds(500), cap: Duration = .seconds(30), attempts: Int = 4) {
        self.base = base
        self.cap = cap
        self.attempts = attempts
    }

    /// How long to wait before the next try.
    ///
    /// `attempt`: tries so far, from 1.
    /// `random`: in 0..<1, evenly distributed: that part of the ceiling is waited.
    package func delay(afterAttempt attempt: Int, random: Double) -> Duration {
        let ceiling = attempt > 20 ? cap : min(cap, base * (1 << (attempt - 1)))
        return ceiling * random
    }
}
