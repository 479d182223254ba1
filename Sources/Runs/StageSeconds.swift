// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How long the stages of a run took, added up by name, for the event at its end.
package final class StageSeconds: Sendable {
    private let durations = Mutex<[String: Duration]>([:])

    package init() {}

    /// Runs a stage, and adds what it took, whether it throws or not.
    package func measure<Result>(_ stage: String, _ body: () async throws -> Result) async throws -> Result {
        let start = ContinuousClock.now
        defer {
            let taken = ContinuousClock.now - start
            durations.withLock { $0[stage, default: .zero] += taken }
        }
        return try await body()
    }

    /// Seconds to the hundredth, by name.
    var seconds: [String: Double] {
        durations.withLock(\.self).mapValues { duration in
            let (seconds, fraction) = duration.components
            return Double(seconds) + Double(fraction / 10_000_000_000_000_000) / 100
        }
    }
}
