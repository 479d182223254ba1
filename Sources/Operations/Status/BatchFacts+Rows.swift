// SPDX-License-Identifier: Apache-2.0

import Model
package import Postgres
import SQLCatalog

extension BatchFacts {
    /// Reads them; within a transaction all of one snapshot.
    package static func read(on connection: PostgresConnection) async throws(PostgresError) -> BatchFacts {
        var facts = BatchFacts()
        for row in try await connection.query(SQL.Status.listNights) { facts.apps.append(try App(row)) }
        facts.owedReports = try await owedReports(on: connection)
        for row in try await connection.query(SQL.Status.listInterruptedRuns) {
            facts.deadRuns.append(
                DeadRun(
                    runID: try row.int64("run_id"), job: try row.string("job"),
                    businessDate: try row.string("business_date")))
        }
        if let issue = try await connection.query(SQL.Status.findNewestIssue).first,
            try issue.int64("failed_checks") > 0
        {
            facts.unreconciledDate = try issue.string("business_date")
        }
        return facts
    }

    private static func owedReports(on connection: PostgresConnection) async throws(PostgresError) -> [String] {
        var dates: [String] = []
        for row in try await connection.query(SQL.Status.listOwedReports) {
            dates.append(try row.string("business_date"))
        }
        return dates
    }
}

extension BatchFacts.App {
    init(_ row: PostgresRow) throws(PostgresError) {
        self.init(try row.string("app_id"))
        if let runID = try row.optionalInt64("run_id") { lastNight = try BatchFacts.Night(row, runID: runID) }
        lastFinished = try row.optionalInstant("last_finished")
        isUnderWay = try row.bool("is_under_way")
        unread = try row.optionalInt64("unread") ?? 0
        asked = try row.optionalInt64("asked") ?? 0
        calls = try row.optionalInt64("calls") ?? 0
        newDeadLetters = try row.int64("dead_letters")
        openDeadLetters = try row.int64("open_letters")
        guard let issuedAt = try row.optionalInstant("issued_at") else { return }
        lastIssue = BatchFacts.Issue(
            businessDate: try row.string("issue_date"), path: try row.string("issue_path"), issuedAt: issuedAt)
    }
}

extension BatchFacts.Night {
    init(_ row: PostgresRow, runID: Int64) throws(PostgresError) {
        let reason = try row.optionalString("reason") ?? "no reason was given"
        let isLate = try row.bool("is_late")
        self.init(
            runID: runID, businessDate: try row.string("business_date"), logicalNow: try row.instant("last_night"),
            end: isLate ? .late(reason) : try row.bool("is_stopped") ? .stopped(reason) : .finished,
            seconds: try row.optionalInt64("seconds") ?? 0)
    }
}
