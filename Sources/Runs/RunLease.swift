// SPDX-License-Identifier: Apache-2.0

import Logging
import Postgres

/// Keeps the leader's lease while its work goes on, over a session of its own; work stops when the lease is lost.
///
/// It is held to the end of a run, its reports included: whoever sees it run out takes the run for dead.
enum RunLease {
    static func maintain<Result: Sendable>(
        _ run: Run, on sessions: DatabaseSessions, seconds: Int64 = RunLedger.leaseSeconds, logger: Logger,
        while work: @Sendable @escaping () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await Renewal(run: run, sessions: sessions, seconds: seconds, logger: logger).renew()
                return nil
            }
            var failure: (any Error)?
            while let ended = await group.nextResult() {
                switch ended {
                // Its work was done when the lease went, or it would have thrown.
                case .success(let result?):
                    group.cancelAll()
                    return result
                case .success(nil): continue
                case .failure(let error):
                    failure = failure ?? error
                    group.cancelAll()
                }
            }
            throw failure ?? CancellationError()
        }
    }
}

/// Renews one lease, a third of its length apart, the first time at once: its session is open then before others need theirs.
private struct Renewal {
    let run: Run
    let sessions: DatabaseSessions
    let seconds: Int64
    let logger: Logger

    /// Returns only by cancellation. A server that is away is waited for, and a lease that ended meanwhile is renewed unless
    /// another process has taken the run over; what fails otherwise is tried again as long as the lease.
    ///
    /// Throws when another process leads the run now, and what could not be waited for.
    func renew() async throws {
        var failsUntil: ContinuousClock.Instant?
        var pause = Duration.zero
        while (try? await Task.sleep(for: pause)) != nil {
            do {
                try await renewOnce()
                (failsUntil, pause) = (nil, .seconds(seconds) / 3)
            } catch let error as PostgresError where !error.isOutage || error.isTooManyConnections {
                guard !Task.isCancelled else { return }
                let end = failsUntil ?? .now + .seconds(seconds)
                guard .now < end else { throw error }
                logger.warning("the run's lease could not be renewed, trying again", metadata: ["error": "\(error)"])
                (failsUntil, pause) = (end, .seconds(seconds) / 12)
            }
        }
    }

    private func renewOnce() async throws {
        let isOurs = try await sessions.use(.leases) { connection in
            try await RunLedger(connection: connection, leaseSeconds: seconds).renew(run)
        }
        guard isOurs else {
            throw PipelineError.takenOver(run)
        }
    }
}
