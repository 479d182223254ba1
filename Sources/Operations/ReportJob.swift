// SPDX-License-Identifier: Apache-2.0

package import Logging
package import Model
package import Postgres
package import Reports
internal import Runs
internal import SQLCatalog

/// Reports without a night: of what is known now, or as it was known at an earlier instant.
package struct ReportJob: Sendable {
    /// What is asked for.
    package struct Options: Sendable {
        package var now: Instant
        /// As known then; nil: as known now, which seals a run of its own.
        package var asOf: Instant?
        package var firstDate: BusinessDate?
        package var lastDate: BusinessDate?
        /// Rebuilds the persisted tables.
        package var rebuild = false
        package var directory: String
        package var timeZone: ReportTimeZone
        /// How the page is made.
        package var page = PageOptions()
        /// What the owner remarks on days.
        package var notes: ReportNotes?
        /// Where the tables go once more, in another profile.
        package var copies: CSVCopies?

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

    /// Issues the report. Throws `PipelineError` where nothing was sealed by that instant.
    package func run(_ options: Options) async throws -> IssuedReport {
        if let instant = options.asOf { return try await issue(asOf: instant, options) }
        let ledger = RunLedger(connection: connection, leaseSeconds: leaseSeconds)
        let businessDate = BusinessDate(lastCompleteDayBefore: options.now, in: options.timeZone)
        let apps = try await connection.query(SQL.Pipeline.listApps).map { AppID(try $0.string("app_id")) }
        let request = RunRequest(.report, apps: apps, now: options.now, businessDate: businessDate)
        return try await ledger.withRun(request, on: database, logger: logger, ifBroken: .failed(counts: [:])) { _ in
        } conclude: { run, seal, _ in
            let issued = try await issue(
                seal: seal, runID: run.id, asOf: run.now, businessDate, options, options.rebuild ? .rebuilt : .movedOn)
            warn(of: issued.corrected)
            return RunEnding(issued, outcome: issued.isReconciled ? .done : .partial, counts: [:])
        }
    }

    /// The business date and everything else follow the instant asked for; nothing is written to the database.
    private func issue(asOf instant: Instant, _ options: Options) async throws -> IssuedReport {
        guard let row = try await connection.query(SQL.Pipeline.lastSealedRun, [PostgresValue(instant)]).first else {
            throw PipelineError(
                .clockRunsBackwards, "nothing was sealed by \(instant.iso8601): there is no report as of then")
        }
        let businessDate = BusinessDate(lastCompleteDayBefore: instant, in: options.timeZone)
        return try await issue(
            seal: row.int64("seal"), runID: row.int64("run_id"), asOf: row.instant("logical_now"), businessDate,
            options, .leftAlone)
    }

    private func issue(
        seal: Int64, runID: Int64, asOf: Instant, _ businessDate: BusinessDate, _ options: Options,
        _ upkeep: TableUpkeep
    ) async throws -> IssuedReport {
        try await ReportStage(progress: logPart).issue(
            on: connection,
            request: ReportRequest(
                seal: seal, runID: runID, businessDate: businessDate, asOf: asOf,
                timeZone: options.timeZone.identifier, directory: options.directory, firstDate: options.firstDate,
                lastDate: options.lastDate, upkeep: upkeep, page: options.page, notes: options.notes,
                copies: options.copies))
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

    private func logPart(_ made: Int64, of parts: Int64) {
        if parts > 1 { logger.notice("report tables: part \(made) of \(parts) made") }
    }
}
