// SPDX-License-Identifier: Apache-2.0

package import Logging
package import Model
package import Postgres
package import Reports
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

    private let database: PostgresConfiguration
    private let connection: PostgresConnection
    private let logger: Logger
    private let leaseSeconds: Int64

    package init(
        database: PostgresConfiguration, connection: PostgresConnection, logger: Logger,
        leaseSeconds: Int64 = RunLedger.leaseSeconds
    ) {
        self.leaseSeconds = leaseSeconds
        self.database = database
        self.connection = connection
        self.logger = logger
    }

    /// Issues the report. Throws `PipelineError`, `ReportError` or `PostgresError`.
    package func run(_ options: Options) async throws -> IssuedReport {
        let ledger = RunLedger(connection: connection, leaseSeconds: leaseSeconds, waiting: options.waiting)
        let businessDate = BusinessDate(lastCompleteDayBefore: options.now, in: options.timeZone)
        let apps = try await connection.query(SQL.Pipeline.listApps).map { AppID(try $0.string("app_id")) }
        let request = RunRequest(.report, apps: apps, now: options.now, businessDate: businessDate)
        return try await ledger.withRun(request, on: database, logger: logger, ifBroken: .failed(counts: [:])) { _ in
        } conclude: { run, seal, _ in
            let issued = try await issue(run, seal: seal, businessDate, options, options.rebuild ? .rebuilt : .movedOn)
            warn(of: issued.corrected)
            return RunEnding(issued, outcome: issued.isReconciled ? .done : .partial, counts: [:])
        }
    }

    private func issue(
        _ run: Run, seal: Int64, _ businessDate: BusinessDate, _ options: Options, _ upkeep: TableUpkeep
    ) async throws -> IssuedReport {
        try await ReportStage(progress: logger.partsOfTables, fence: ReportTurn(of: run).confirm).issue(
            on: connection,
            request: ReportRequest(
                seal: seal, runID: run.id, businessDate: businessDate, asOf: run.now,
                timeZone: options.timeZone.identifier, directory: options.directory, upkeep: upkeep,
                page: options.page, notes: options.notes))
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
