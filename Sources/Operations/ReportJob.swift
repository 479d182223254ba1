// SPDX-License-Identifier: Apache-2.0

package import Issues
package import Logging
import Marts
package import Model
internal import Postgres
package import Rendering
package import Runs
internal import SQLCatalog

/// An issue without a night, of what is known now: it seals a run of its own.
package struct ReportJob: Sendable {
    /// What is asked for.
    package struct Options: Sendable {
        package var now: Instant
        /// Rebuilds the persisted tables.
        package var rebuild = false
        package var directory: String
        /// How reports lie on the disk.
        package var storage = IssueStorage()
        package var timeZone: ReportTimeZone
        /// How the page is made.
        package var page = PageOptions()
        /// What the owner remarks on days.
        package var notes: ReportNotes?
        /// How an open run is waited for.
        package var waiting = RunWaiting()

        package init(now: Instant, directory: String, timeZone: ReportTimeZone) {
            self.now = now
            self.directory = directory
            self.timeZone = timeZone
        }
    }

    private let sessions: DatabaseSessions
    private let logger: Logger
    private let leaseSeconds: Int64

    package init(sessions: DatabaseSessions, logger: Logger, leaseSeconds: Int64 = RunLedger.leaseSeconds) {
        self.sessions = sessions
        self.leaseSeconds = leaseSeconds
        self.logger = logger
    }

    /// Issues the report; where its session is lost, again for the same seal.
    ///
    /// Throws `PipelineError`, `ReportError` or `PostgresError`.
    package func run(_ options: Options) async throws -> IssuedReport {
        let businessDate = BusinessDate(lastCompleteDayBefore: options.now, in: options.timeZone)
        let apps = try await sessions.use {
            try await $0.query(SQL.Pipeline.listApps).map { AppID(try $0.string("app_id")) }
        }
        var request = RunRequest(.report, apps: apps, now: options.now, businessDate: businessDate)
        request.lastSealFound = ReportDirectory.highestSeal(in: options.directory)
        let ledRun = LedRun(
            sessions: sessions, leaseSeconds: leaseSeconds, waiting: options.waiting, logger: logger)
        return try await ledRun.run(request, ifBroken: .failed(counts: [:])) { _ in
        } conclude: { run, seal, _, connection in
            let upkeep: TableUpkeep = options.rebuild ? .rebuilt : .movedOn
            let issued = try await issue(run, seal: seal, of: businessDate, options, upkeep: upkeep, on: connection)
            warn(of: issued.corrected)
            try await prune(options, after: run, on: connection)
            return RunEnding(issued, outcome: issued.isReconciled ? .done : .partial, counts: [:])
        }
    }

    private func issue(
        _ run: Run, seal: Int64, of businessDate: BusinessDate, _ options: Options, upkeep: TableUpkeep,
        on connection: PostgresConnection
    ) async throws -> IssuedReport {
        try await ReportStage(progress: logger.partsOfTables, fence: ReportTurn(of: run).confirm).issue(
            on: connection,
            request: ReportRequest(
                seal: seal, runID: run.id, businessDate: businessDate, asOf: run.now,
                timeZone: options.timeZone.identifier, directory: options.directory, upkeep: upkeep,
                page: options.page, notes: options.notes, mode: options.storage.mode))
    }

    /// As a night does after its own.
    private func prune(_ options: Options, after run: Run, on connection: PostgresConnection) async throws {
        guard let retention = options.storage.retention else { return }
        let turn = ReportTurn(of: run)
        let pruner = IssuePruner(connection: connection, directory: options.directory, fence: turn.confirm)
        let today = BusinessDate(lastCompleteDayBefore: options.now + .days(1), in: options.timeZone)
        try await turn.prune(logger) { try await pruner.prune(retention, on: today) }
    }

    private func warn(of corrected: [CorrectedTable]) {
        for table in corrected {
            logger.warning(
                """
                table report.\(table.name) was wrong in \(table.rows) rows and is right now: reports issued since the last \
                rebuild may be wrong too
                """)
        }
    }
}
