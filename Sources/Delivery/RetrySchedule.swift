// SPDX-License-Identifier: Apache-2.0

package import Foundations
package import Model

/// When a message that was not taken is tried again: within the call's time with growing waits, else by the next call.
package struct RetrySchedule: Sendable {
    package enum Step: Sendable, Hashable {
        /// In this call, after a wait.
        case wait(Duration)
        /// By a later call, no sooner than after this; nil: whenever it comes.
        case leave(Duration?)

        /// No try before that; nil: whenever one comes.
        var wait: Duration? {
            switch self {
            case .wait(let wait): wait
            case .leave(let wait): wait
            }
        }
    }

    let backoff: Backoff
    let budget: Duration

    package init(
        retryFor: Span, backoff: Backoff = Backoff(base: .seconds(2), cap: .seconds(60), attempts: .max)
    ) {
        self.backoff = backoff
        budget = .microseconds(retryFor.micros)
    }

    /// `attempt`: how many tries there were in this call.
    ///
    /// `elapsed`: since the first of them began. `random`: in 0..<1.
    package func step(after attempt: FailedAttempt, number: Int, elapsed: Duration, random: Double) -> Step {
        guard case .later(let stated) = attempt.retry else { return .leave(nil) }
        // Not at once: half of the ceiling, and a random part of the other half.
        let own = backoff.delay(afterAttempt: number, random: 0.5 + random / 2)
        let wait = max(own, stated ?? .zero)
        return elapsed + wait <= budget && number < backoff.attempts ? .wait(wait) : .leave(stated)
    }
}
