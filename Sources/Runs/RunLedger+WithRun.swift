// SPDX-License-Identifier: Apache-2.0

package import Logging
package import Model
package import Postgres
internal import SQLCatalog

/// A run to be opened.
package struct RunRequest: Sendable {
    package let job: Run.Job
    package let apps: [AppID]
    /// The run's logical clock.
    package let now: Instant
    package let businessDate: BusinessDate
    /// A report of its business date is to be written.
    package let isReported: Bool
    /// Every subscription that is not closed is asked about, due or not.
    package let isAudit: Bool
    /// Asked in the transaction that opens the run: one that ended meanwhile may have left nothing to do.
    package var isNeeded: @Sendable (PostgresConnection) async throws -> Bool = { _ in true }
    /// By which the run is found again that it opened when the answer was lost.
    package let number = Int64.random(in: 1...Int64.max)

    package init(
        _ job: Run.Job, apps: [AppID], now: Instant, businessDate: BusinessDate, isReported: Bool = false,
        isAudit: Bool = false
    ) {
        self.job = job
        self.apps = apps
        self.now = now
        self.businessDate = businessDate
        self.isReported = isReported
        self.isAudit = isAudit
    }
}

/// No run was opened: the one before has done all that this one was for.
package struct NothingToDo: Error {}

/// What a run came to: the value its job returns, and what the ledger keeps of it.
package struct RunEnding<Value: Sendable>: Sendable {
    package let value: Value
    package let outcome: Run.Outcome
    package let counts: [String: Int64]

    package init(_ value: Value, outcome: Run.Outcome, counts: [String: Int64]) {
        self.value = value
        self.outcome = outcome
        self.counts = counts
    }
}

/// What becomes of a run whose work throws.
package enum BrokenRun: Sendable {
    /// It stays open without a lease: the next run of the same apps and instant resumes it.
    case resumable
    /// It ends as failed, with these counts: what it wrote is sealed, and the job is run again from its beginning.
    case failed(counts: [String: Int64])
}

extension RunLedger {
    /// Opens a run, holds its lease while it is worked on, and finishes it with what the work came to. The work seals it.
    ///
    /// Throws what `open` throws. Where the work throws, or the lease is lost, `ifBroken` decides what becomes of the run.
    package func withRun<Value: Sendable>(
        _ request: RunRequest, on database: PostgresConfiguration, logger: Logger, ifBroken: BrokenRun,
        work: @Sendable @escaping (Run) async throws -> RunEnding<Value>
    ) async throws -> Value {
        try await lead(on: database, logger).run(request, ifBroken: ifBroken, work: work)
    }

    /// The same for a run that is sealed when its work is done: `conclude` reads as of the seal. Runs that write reports do so one
    /// after the other, in the order of their seals.
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
        guard request.isReported || request.job == .report else { return try await conclude(try await seal(run)) }
        return try await inTurn(of: run, logger) { try await conclude(try await seal(run)) }
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
