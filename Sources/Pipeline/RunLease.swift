// SPDX-License-Identifier: Apache-2.0

import Logging
import Postgres

/// Keeps the leader's lease while its work goes on, on a connection of its own; work stops when the lease is lost.
enum RunLease {
    static func hold<Result: Sendable>(
        _ run: Run, on database: PostgresConfiguration, logger: Logger,
        while work: @Sendable @escaping () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await renew(run, on: database, logger: logger)
                return nil
            }
            defer { group.cancelAll() }
            while let finished = try await group.next() {
                if let result = finished { return result }
            }
            throw PipelineError(.interrupted, "the run was interrupted; the next one goes on where it stood")
        }
    }

    /// Returns only by cancellation; throws when another process leads the run now.
    private static func renew(_ run: Run, on database: PostgresConfiguration, logger: Logger) async throws {
        let connection = try await PostgresConnection.connect(database, logger: logger)
        let ledger = RunLedger(connection: connection)
        while !Task.isCancelled {
            guard (try? await Task.sleep(for: .seconds(RunLedger.leaseSeconds / 3))) != nil else { break }
            guard try await ledger.renew(run) else {
                await connection.close()
                throw PipelineError(.failed, "run \(run.id) was taken over by another process; this one stops")
            }
        }
        await connection.close()
    }
}
