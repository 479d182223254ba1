// SPDX-License-Identifier: Apache-2.0

import Issues
import Logging
import Model
import Postgres
import Runs
import SQLCatalog

/// The reports of a night: first of the days that an earlier night left without one, as that night knew them, then its own.
struct NightReports {
    let connection: PostgresConnection
    let options: NightlyOptions
    let logger: Logger

    /// What was written.
    struct Written {
        /// The folder of the night's own.
        let path: String
        /// Every report is there, and its books close.
        let isComplete: Bool
    }

    /// Writes them in the order of their seals.
    ///
    /// Throws where the night's own cannot be written.
    func write(_ run: Run, seal: Int64) async throws -> Written {
        let turn = ReportTurn(of: run)
        let areMissingWritten = try await writeMissing(turn)
        let report = try await issue(
            options.businessDate, seal: seal, runID: run.id, asOf: run.now, turn)
        try await prune(turn)
        return Written(path: report.path, isComplete: areMissingWritten && report.isReconciled)
    }

    private func prune(_ turn: ReportTurn) async throws {
        guard let retention = options.storage.retention else { return }
        let pruner = IssuePruner(connection: connection, directory: options.reportDirectory, fence: turn.confirm)
        try await turn.prune(logger) { try await pruner.prune(retention, on: options.today) }
    }

    /// True when no day is left without its report.
    ///
    /// Where its files are there and say the same, they are what was owed: whoever wrote them died before it was
    /// recorded. One that fails again waits for the next night: it must not keep this night's own report back.
    private func writeMissing(_ turn: ReportTurn) async throws -> Bool {
        var areWritten = true
        let today = options.businessDate
        for row in try await connection.query(SQL.Pipeline.listMissingReports, [.date(today.description)]) {
            guard let date = BusinessDate(try row.string("business_date")) else { continue }
            let (seal, runID) = (try row.int64("seal"), try row.int64("run_id"))
            do {
                if try row.bool("is_issued") {
                    try await settle(date, seal: seal)
                } else {
                    let issued = try await issue(
                        date, seal: seal, runID: runID, asOf: try row.instant("logical_now"), turn)
                    if issued.isNew {
                        logger.notice("a missing report is written", metadata: ["report": "\(issued.path)"])
                    }
                }
            } catch let error where !Task.isCancelled && !ReportTurn.isLost(by: error) {
                logger.error("the missing report of \(date) cannot be written: \(error)")
                areWritten = false
            }
        }
        return areWritten
    }

    private func issue(
        _ date: BusinessDate, seal: Int64, runID: Int64, asOf: Instant, _ turn: ReportTurn
    ) async throws -> IssuedReport {
        let issued = try await ReportStage(progress: logger.partsOfTables, fence: turn.confirm).issue(
            on: connection,
            request: ReportRequest(
                seal: seal, runID: runID, businessDate: date, asOf: asOf, timeZone: options.timeZone.identifier,
                directory: options.reportDirectory, page: options.page, notes: options.notes,
                isRepeated: options.isRepeated || date != options.businessDate, mode: options.storage.mode))
        try await settle(date, seal: seal)
        if !issued.isNew { logger.notice("the report of \(date) says nothing new: no further issue is made") }
        return issued
    }

    private func settle(_ date: BusinessDate, seal: Int64) async throws {
        try await connection.execute(SQL.Pipeline.clearReportDue, [.date(date.description), .int(seal)])
    }
}
