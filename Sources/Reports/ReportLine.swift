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

    /// Divides all lineages into parts; returns how many.
    func divide(partSize: Int64) async throws(PostgresError) -> Int64 {
        let row = try await connection.query(SQL.Reports.Refresh.countParts, [.int(partSize)]).first
        let parts = try row?.int64("parts") ?? 1
        try await connection.execute(SQL.Reports.Refresh.forgetParts)
        try await connection.execute(SQL.Reports.Refresh.divide, [.int(parts)])
        return parts
    }

    /// The lineages that runs wrote of that were sealed after one seal, up to another.
    func touch(after earlier: Int64, through seal: Int64) async throws(PostgresError) {
        let runs = try await runs(after: earlier, through: seal)
        try await forgetLineages()
        try await touch(SQL.Reports.Refresh.touchWritten, [.intArray(runs)])
    }

    /// Adds those whose money the exchange rates concern that runs brought, sealed after one seal, up to another. Returns how
    /// many subscriptions are at hand then; nil where no run brought any rate.
    func touchConverted(after earlier: Int64, through seal: Int64) async throws(PostgresError) -> Int64? {
        let runs = try await runs(after: earlier, through: seal)
        let row = try await connection.query(SQL.Reports.Refresh.rateRuns, [.intArray(runs)]).first
        guard let ofRates = try row?.int64Array("run_ids"), !ofRates.isEmpty else { return nil }
        try await touch(SQL.Reports.Refresh.touchConverted, [.intArray(ofRates), .int(seal)])
        return try await connection.query(SQL.Reports.Refresh.countLineages).first?.int64("lineages")
    }

    private func runs(after earlier: Int64, through seal: Int64) async throws(PostgresError) -> [Int64] {
        let row = try await connection.query(SQL.Reports.Refresh.sealedRuns, [.int(earlier), .int(seal)]).first
        return try row?.int64Array("run_ids") ?? []
    }

    /// One part of all lineages, as they were divided.
    func touch(part: Int64) async throws(PostgresError) {
        try await forgetLineages()
        try await touch(SQL.Reports.Refresh.touchPart, [.int(part)])
    }

    /// All of them.
    func touchAll() async throws(PostgresError) {
        try await touch(SQL.Reports.Refresh.touchAll, [])
    }

    /// Adds the sample of a business date.
    func touch(sampleOf date: String) async throws(PostgresError) {
        try await touch(SQL.Reports.Refresh.touchSample, [.date(date)])
    }

    /// Others follow in the same transaction.
    func forgetLineages() async throws(PostgresError) {
        try await connection.executeScript(SQL.Reports.Refresh.discard)
        try await connection.execute(SQL.Reports.Refresh.forgetLineages)
    }

    private func touch(_ statement: Statement, _ parameters: [PostgresValue]) async throws(PostgresError) {
        try await connection.execute(statement, parameters)
        try await connection.execute(SQL.Reports.Refresh.analyzeLineages)
    }

    /// Which seal and days are at hand.
    func setScope(
        seal: Int64, from first: String = "-infinity", through last: String = "infinity"
    ) async throws(PostgresError) {
        try await connection.execute(
            SQL.Reports.Refresh.setScope, [.int(seal), .date(first), .date(last), .text(timeZone)])
        try await connection.execute(SQL.Reports.Refresh.analyzeScope)
    }

    /// The rows of the lineages at hand, as a seal saw them.
    func make(asOf seal: Int64) async throws(PostgresError) {
        try await connection.executeScript(SQL.Reports.Refresh.discard)
        try await setScope(seal: seal)
        try await make(MaterialisedTable.intermediates)
    }

    /// The same of some tables, as the scope's seal saw them.
    func make(_ tables: [MaterialisedTable]) async throws(PostgresError) {
        try await stage(SQL.Reports.Staging.all)
        for file in tables.flatMap({ $0.steps + [$0.rows] }) { try await connection.executeScript(file) }
    }

    /// Their rows in the books, as the scope's seal saw them.
    func stage(_ files: [Statement]) async throws(PostgresError) {
        for file in files { try await connection.executeScript(file) }
    }

    /// Adds them to tables that hold nothing of these lineages.
    func add(to tables: [MaterialisedTable] = MaterialisedTable.all) async throws(PostgresError) {
        try await connection.executeScript(SQL.Reports.Refresh.changedByBuild)
        try await put(into: tables)
    }

    /// Puts them in place of what the kept tables hold of these lineages, and notes the days that this moves figures on.
    func replace(asOf seal: Int64) async throws(PostgresError) {
        try await connection.executeScript(SQL.Reports.Refresh.changedByRefresh)
        try await connection.execute(SQL.Reports.Refresh.noteDays, [.int(seal)])
        try await put(into: MaterialisedTable.all)
    }

    /// The marts move by the difference of the rows, so that they go first.
    private func put(into tables: [MaterialisedTable]) async throws(PostgresError) {
        for table in tables where table.materialise == nil { try await connection.executeScript(table.rows) }
        for table in tables {
            if let materialise = table.materialise { try await connection.executeScript(materialise) }
        }
    }

    /// What lineages written of since the last issue put into the figures, as it knew them and now: the report of changes.
    /// Afterwards the rows at hand are theirs, as of `seal`. Returns that issue's seal; nil, with nothing done, where there is
    /// none.
    ///
    /// - Parameter keptSeal: where the kept tables stand, if the lineages at hand are those written of since: of an issue of
    ///   that seal its rows are read there.
    func compare(asOf seal: Int64, keptSeal: Int64? = nil) async throws(PostgresError) -> Int64? {
        let changes = SQL.Reports.Marts.Changes.self
        guard let row = try await connection.query(SQL.Reports.Refresh.lastIssue, [.int(seal)]).first else {
            try await connection.execute(changes.forgetParts)
            return nil
        }
        let issue = try row.int64("seal")
        if keptSeal == issue {
            try await connection.executeScript(changes.ofKept)
        } else {
            try await touch(after: issue, through: seal)
            try await make(asOf: issue)
            try await connection.executeScript(changes.ofNew)
        }
        try await connection.execute(changes.parts, [.bool(false)])
        try await make(asOf: seal)
        try await connection.executeScript(changes.ofNew)
        try await connection.execute(changes.parts, [.bool(true)])
        try await connection.execute(changes.writeParts, [.int(issue)])
        return issue
    }
}
