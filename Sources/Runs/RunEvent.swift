// SPDX-License-Identifier: Apache-2.0

import Logging

/// The last event of a run: what it came to, in numbers.
///
/// Every run has one, whatever its job and however it ends.
struct RunEvent {
    let run: Run
    /// `done`, `partial`, `failed`, or `interrupted` where the next start goes on from there.
    let outcome: String
    let counts: [String: Int64]
    let seconds: [String: Double]

    func log(to logger: Logger) {
        logger.log(level: outcome == Run.Outcome.done.rawValue ? .info : .warning, "the run ended", metadata: metadata)
    }

    var metadata: Logger.Metadata {
        [
            "event": "run_ended", "run": .stringConvertible(run.id), "job": "\(run.job.rawValue)",
            "outcome": "\(outcome)",
            "counts": .dictionary(counts.filter { $0.value != 0 }.mapValues { .stringConvertible($0) }),
            "seconds": .dictionary(seconds.mapValues { .stringConvertible($0) }),
        ]
    }
}
