// SPDX-License-Identifier: Apache-2.0

import Logging
import Postgres

/// Keeps the leader's lease while its work goes on, on a connection of its own; work stops when the lease is lost.
///
/// It is held to the end of a run, its reports included: whoever sees it run out takes the run for dead.
enum RunLease {
    static func maintain<Result: Sendable>(
        _ run: Run, on database: PostgresConfiguration, seconds: Int64 = RunLedger.leaseSeconds, logger: Logger,
        while work: @Sendable @escaping () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await Renewal(run: run, database: database, seconds: seconds, logger: logger).renew()
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

/// Renews one lease, a third of its length apart. A renewal that fails is tried again while the lease holds.
private struct Renewal {
    let run: Run
    let database: PostgresConfiguration
    let seconds: Int64
    let logger: Logger

    /// Returns only by cancellation. Throws when another process leads the run now, and when the lease has run out.
    func renew() async throws {
        var connection: PostgresConnection?
        var leasedUntil = ContinuousClock.now + .seconds(seconds)
        var pause = Duration.seconds(seconds) / 3
        while (try? await Task.sleep(for: pause)) != nil {
            let started = ContinuousClock.now
            do {
                connection = try await renew(on: connection)
                leasedUntil = started + .seconds(seconds)
                pause = .seconds(seconds) / 3
            } catch let error as PostgresError {
                await connection?.close()
                connection = nil
                guard ContinuousClock.now < leasedUntil else { throw error }
                logger.warning("the run's lease could not be renewed, trying again", metadata: ["error": "\(error)"])
                pause = .seconds(seconds) / 12
            }
        }
        await connection?.close()
    }

    private func renew(on open: PostgresConnection?) async throws -> PostgresConnection {
        let connection =
            if let open { open } else { try await PostgresConnection.connect(database, logger: logger) }
        guard try await RunLedger(connection: connection, leaseSeconds: seconds).renew(run) else {
            await connection.close()
            throw PipelineError(.failed, "run \(run.id) was taken over by another process; this one stops")
        }
        return connection
    }
}
