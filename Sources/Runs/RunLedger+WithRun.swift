// SPDX-License-Identifier: Apache-2.0

package import Logging
import Model
package import Postgres

extension RunLedger {
    /// Opens a run, holds its lease while it is worked on, and finishes it with what the work came to.
    ///
    /// The work seals it.
    ///
    /// Throws what `open` throws. Where the work throws, or the lease is lost, `ifBroken` decides what becomes of the run.
    package func withRun<Value: Sendable>(
        _ request: RunRequest, on database: PostgresConfiguration, logger: Logger, ifBroken: BrokenRun,
        work: @Sendable @escaping (Run) async throws -> RunEnding<Value>
    ) async throws -> Value {
        try await lead(on: database, logger).run(request, ifBroken: ifBroken, work: work)
    }

    /// The same for a run that is sealed when its work is done: `conclude` reads as of the seal.
    ///
    /// Runs that write reports do so one after the other, in the order of their seals.
    package func withRun<Work: Sendable, Value: Sendable>(
        _ request: RunRequest, on database: PostgresConfiguration, logger: Logger, ifBroken: BrokenRun,
        work: @Sendable @escaping (Run) async throws -> Work,
        conclude: @Sendable @escaping (Run, _ seal: Int64, Work) async throws -> RunEnding<Value>
    ) async throws -> Value {
        try await lead(on: database, logger).run(request, ifBroken: ifBroken, work: work) { run, seal, work, _ in
            try await conclude(run, seal, work)
        }
    }

    /// Its statements on this one connection, its lease on another.
    private func lead(on database: PostgresConfiguration, _ logger: Logger) -> LedRun {
        LedRun(
            access: self.database, leases: DatabaseSessions(database, logger: logger), leader: leader,
            leaseSeconds: leaseSeconds, waiting: waiting, logger: logger)
    }

    /// Seals a run and concludes it: one that writes reports in its turn.
    func seal<Value: Sendable>(
        _ run: Run, of request: RunRequest, _ logger: Logger, conclude: (_ seal: Int64) async throws -> Value
    ) async throws -> Value {
        func sealed() async throws -> Value {
            try await raiseSeals(above: try await request.lastSealFound(database), logger)
            return try await conclude(try await seal(run))
        }
        guard request.isReported || request.job == .report else { return try await sealed() }
        return try await inTurn(of: run, logger) { try await sealed() }
    }

    /// With the turn to be sealed and to write reports.
    private func inTurn<Value: Sendable>(
        of run: Run, _ logger: Logger, _ body: () async throws -> Value
    ) async throws -> Value {
        let turn = ReportTurn(of: run)
        try await turn.take(on: database, logger: logger)
        do {
            let value = try await body()
            try await turn.end(on: database)
            return value
        } catch {
            // In a task of its own: an interrupted one sends no statement. Where even this cannot be sent, the turn ends with the lease.
            await Task { try? await turn.end(on: database) }.value
            throw error
        }
    }
}
