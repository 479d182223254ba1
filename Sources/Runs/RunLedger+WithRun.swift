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
        let run = try await open(request, logger: logger)
        do {
            return try await RunLease.maintain(run, on: database, seconds: leaseSeconds, logger: logger) {
                let ending = try await work(run)
                try await finish(run, outcome: ending.outcome, counts: ending.counts)
                return ending.value
            }
        } catch {
            switch ifBroken {
            case .resumable: await leave(run, because: error)
            case .failed(let counts): await fail(run, because: error, counts: counts)
            }
            throw error
        }
    }

    /// The same for a run that is sealed when its work is done: `conclude` reads as of the seal. Runs that write reports do so one
    /// after the other, in the order of their seals.
    package func withRun<Work: Sendable, Value: Sendable>(
        _ request: RunRequest, on database: PostgresConfiguration, logger: Logger, ifBroken: BrokenRun,
        work: @Sendable @escaping (Run) async throws -> Work,
        conclude: @Sendable @escaping (Run, _ seal: Int64, Work) async throws -> RunEnding<Value>
    ) async throws -> Value {
        try await withRun(request, on: database, logger: logger, ifBroken: ifBroken) { run in
            let done = try await work(run)
            guard request.isReported || request.job == .report else {
                return try await conclude(run, try await seal(run), done)
            }
            return try await inTurn(logger) {
                let seal = try await seal(run)
                return try await conclude(run, seal, done)
            }
        }
    }

    /// No run moves the reports' tables past a seal before they were read at it: the report would have to be made from the whole
    /// history.
    private func inTurn<Value: Sendable>(
        _ logger: Logger, _ body: () async throws -> Value
    ) async throws -> Value {
        if try await database.query(SQL.Pipeline.tryReportTurn).first?.bool("is_acquired") != true {
            logger.notice("another run writes its reports: these wait for it")
            try await database.execute(SQL.Pipeline.takeReportTurn)
        }
        do {
            let value = try await body()
            try await database.execute(SQL.Pipeline.endReportTurn)
            return value
        } catch {
            // Where even this cannot be sent, the turn ends with the connection.
            try? await database.execute(SQL.Pipeline.endReportTurn)
            throw error
        }
    }
}
