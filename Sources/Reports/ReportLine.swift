// SPDX-License-Identifier: Apache-2.0

import Postgres
import SQLCatalog

/// The line of tables from rows as a seal saw them to the marts, for the lineages at hand, within one transaction.
///
/// Which tables it fills is the search path's business: the kept ones, or a session's own.
struct ReportLine {
    let connection: PostgresConnection
    let timeZone: String

    /// Once in each transaction, before anything else.
    func begin() async throws(PostgresError) {
        try await connection.executeScript(SQL.Reports.Refresh.begin)
    }

    /// The lineages that runs wrote of that were sealed after one seal, up to another.
    func touch(after earlier: Int64, through seal: Int64) async throws(PostgresError) {
        try await touch(SQL.Reports.Refresh.touchWritten, [.int(earlier), .int(seal)])
    }

    /// One part of all lineages.
    func touch(part: Int64, of parts: Int64) async throws(PostgresError) {
        try await touch(SQL.Reports.Refresh.touchBatch, [.int(part), .int(parts)])
    }

    private func touch(_ statement: Statement, _ parameters: [PostgresValue]) async throws(PostgresError) {
        try await connection.execute(SQL.Reports.Refresh.forgetLineages)
        try await connection.execute(statement, parameters)
        try await connection.execute(SQL.Reports.Refresh.analyzeLineages)
    }

    /// The rows of the lineages at hand, as a seal saw them.
    func make(asOf seal: Int64) async throws(PostgresError) {
        try await connection.executeScript(SQL.Reports.Refresh.discard)
        try await connection.execute(
            SQL.Reports.Refresh.setScope,
            [.int(seal), .date("-infinity"), .date("infinity"), .text(timeZone)])
        for file in SQL.Reports.Staging.all { try await connection.executeScript(file) }
        for table in KeptTable.intermediates { try await connection.executeScript(table.rows) }
    }

    /// Adds them to tables that hold nothing of these lineages.
    func add(to tables: [KeptTable] = KeptTable.all) async throws(PostgresError) {
        try await put(SQL.Reports.Refresh.changedByBuild, into: tables)
    }

    /// Puts them in place of what the tables hold of these lineages.
    func replace() async throws(PostgresError) {
        try await put(SQL.Reports.Refresh.changedByRefresh, into: KeptTable.all)
    }

    /// The marts move by the difference of the rows, so that they go first.
    private func put(_ difference: Statement, into tables: [KeptTable]) async throws(PostgresError) {
        try await connection.executeScript(difference)
        for table in tables where table.keep == nil { try await connection.executeScript(table.rows) }
        for table in tables {
            if let keep = table.keep { try await connection.executeScript(keep) }
        }
    }

    /// What lineages written of since the last issue put into the figures, as it knew them and now: the report of changes.
    /// Afterwards the rows at hand are theirs, as of `seal`. Returns that issue's seal; nil where there is none.
    func compare(asOf seal: Int64) async throws(PostgresError) -> Int64? {
        let changes = SQL.Reports.Marts.Changes.self
        guard let row = try await connection.query(SQL.Reports.Refresh.lastIssue, [.int(seal)]).first else {
            try await connection.execute(changes.forgetParts)
            return nil
        }
        let issue = try row.int64("seal")
        try await touch(after: issue, through: seal)
        for (side, isNow) in [(issue, false), (seal, true)] {
            try await make(asOf: side)
            try await connection.execute(changes.parts, [.bool(isNow)])
        }
        try await connection.execute(changes.writeParts, [.int(issue)])
        return issue
    }
}
