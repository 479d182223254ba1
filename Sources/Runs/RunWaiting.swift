// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import Model

/// How a job waits for an open run of its apps that will soon be over.
package struct RunWaiting: Sendable {
    /// How long it waits at most, in all.
    package var patience = Duration.seconds(300)
    /// Between two looks.
    package var pause = Duration.milliseconds(500)
    /// Its clock was not given: where a run with a later one was sealed while it waited, or since it read the time, it begins with
    /// that, unless it lies in the future.
    package var movesClock = false

    package init() {}

    /// Tries until nothing is in the way; says once what is waited for.
    ///
    /// Throws `PipelineError` `.alreadyRunning` when the patience is over.
    func untilFree<Result>(
        logger: Logger?, _ attempt: (_ hasWaited: Bool) async throws -> Result
    ) async throws -> Result {
        let end = ContinuousClock.now + patience
        var hasWaited = false
        while true {
            do {
                return try await attempt(hasWaited)
            } catch let occupied as Occupied {
                guard .now < end else { throw occupied.refusal(after: patience) }
                if !hasWaited { logger?.notice("\(occupied.description); this job waits for it") }
                hasWaited = true
                try await Task.sleep(for: pause)
            }
        }
    }
}
