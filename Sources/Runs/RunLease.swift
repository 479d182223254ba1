// SPDX-License-Identifier: Apache-2.0

import Foundations
import Logging
import Postgres

/// Keeps the leader's lease while its work goes on, over a session of its own; work stops when the lease is lost.
///
/// It is held to the end of a run, its reports included: whoever sees it run out takes the run for dead.
enum RunLease {
    /// A server that is away is waited for, and a lease that ended meanwhile is renewed unless another process has taken the run over;
    /// what fails otherwise is tried again as long as the lease.
    ///
    /// Throws when another process leads the run now, and what could not be waited for.
    static func maintain<Result: Sendable>(
        _ run: Run, on sessions: DatabaseSessions, seconds: Int64 = RunLedger.leaseSeconds, logger: Logger,
        while work: @Sendable @escaping () async throws -> Result
    ) async throws -> Result {
        let renew: @Sendable () async throws -> Void = { try await Self.renew(run, on: sessions, seconds: seconds) }
        // Its session is open before others need theirs: work without one would end with its lease.
        try await renew()
        let renewal = LeaseRenewal(life: .seconds(seconds), renew: renew) { error, failingFor in
            guard isRepeatable(error), failingFor < .seconds(seconds) else { throw error }
            logger.warning("the run's lease could not be renewed, trying again", metadata: ["error": "\(error)"])
        }
        return try await renewal.maintain(while: work)
    }

    /// The sessions waited for an outage themselves.
    private static func isRepeatable(_ error: any Error) -> Bool {
        guard let error = error as? PostgresError else { return false }
        return !error.isOutage || error.isTooManyConnections
    }

    private static func renew(_ run: Run, on sessions: DatabaseSessions, seconds: Int64) async throws {
        let isOurs = try await sessions.use(.leases) { connection in
            try await RunLedger(connection: connection, leaseSeconds: seconds).renew(run)
        }
        guard isOurs else { throw PipelineError.takenOver(run) }
    }
}
