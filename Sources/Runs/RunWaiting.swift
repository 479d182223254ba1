// SPDX-License-Identifier: Apache-2.0

internal import Model

/// How a job waits for an open run of its apps that will soon be over.
package struct RunWaiting: Sendable {
    /// How long it waits at most, in all.
    package var patience = Duration.seconds(300)
    /// Between two looks.
    package var pause = Duration.milliseconds(500)
    /// Its clock was not given: where a run with a later one was sealed while it waited, it begins with that.
    package var movesClock = false

    package init() {}
}

/// A run of the job's apps is in the way, and it ends by itself; nil: it was opened just now.
struct Occupied: Error {
    let run: OpenRun?

    /// What the job says while it waits.
    var notice: String {
        run.map { "\($0.description); this job waits for it" }
            ?? "another process has just opened a run of these apps; this job waits for it"
    }

    /// Why it has not begun, once its patience is over.
    func refusal(after patience: Duration) -> PipelineError {
        let waited = patience > .zero ? "waited \(patience.components.seconds) s for it; " : ""
        guard let run else {
            return PipelineError(
                .alreadyRunning,
                "another process has just opened a run of these apps; \(waited)try again when it is done")
        }
        return run.refusal(waited: waited)
    }
}

extension OpenRun {
    /// Why a job of its apps does not begin.
    func refusal(waited: String = "") -> PipelineError {
        let death = leasedUntil.map { " (if it has died, from \($0.iso8601) on: until then its lease holds)" } ?? ""
        return PipelineError(.alreadyRunning, "\(description); \(waited)try again when it is done\(death)")
    }
}
