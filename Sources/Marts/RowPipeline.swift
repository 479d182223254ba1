// SPDX-License-Identifier: Apache-2.0

package import Postgres
package import SQLCatalog

/// The line of tables from rows as a seal saw them to the marts, for the lineages at hand, within one transaction.
///
/// Which tables it fills is the search path's business: the marts, or a session's own.
package struct RowPipeline {
    package let connection: PostgresConnection
    package let timeZone: String

    package init(connection: PostgresConnection, timeZone: String) {
        (self.connection, self.timeZone) = (connection, timeZone)
    }

    /// Once in each transaction, before anything else.
    package func prepareSession() async throws(PostgresError) {
        try await connection.executeScript(SQL.Reports.Refresh.begin)
    }

    /// Divides all lineages into parts; returns how many.
    package func divideLineages(partSize: Int64) async throws(PostgresError) -> Int64 {
        let row = try await connection.query(SQL.Reports.Refresh.countParts, [.int(partSize)]).first
        let parts = try row?.int64("parts") ?? 1
        try await connection.execute(SQL.Reports.Refresh.forgetParts)
        try await connection.execute(SQL.Reports.Refresh.divide, [.int(parts)])
        return parts
    }

    /// The lineages that runs wrote of that were sealed after one seal, up to another.
    package func markLineages(writtenAfter earlier: Int64, through seal: Int64) async throws(PostgresError) {
        let runs = try await runs(after: earlier, through: seal)
        try await unmarkLineages()
        try await mark(SQL.Reports.Refresh.markWritten, [.intArray(runs)])
    }

    /// Adds those whose money the exchange rates concern that runs brought, sealed after one seal, up to another.
    ///
    /// Returns how many subscriptions are at hand then; nil where no run brought any rate.
    package func markLineages(convertedAfter earlier: Int64, through seal: Int64) async throws(PostgresError) -> Int64?
    {
        let runs = try await runs(after: earlier, through: seal)
        let row = try await connection.query(SQL.Reports.Refresh.rateRuns, [.intArray(runs)]).first
        guard let ofRates = try row?.int64Array("run_ids"), !ofRates.isEmpty else { return nil }
        try await mark(SQL.Reports.Refresh.markConverted, [.intArray(ofRates), .int(seal)])
        return try await connection.query(SQL.Reports.Refresh.countLineages).first?.int64("lineages")
    }

    private func runs(after earlier: Int64, through seal: Int64) async throws(PostgresError) -> [Int64] {
        let row = try await connection.query(SQL.Reports.Refresh.sealedRuns, [.int(earlier), .int(seal)]).first
        return try row?.int64Array("run_ids") ?? []
    }

    /// One part of all lineages, as they were divided.
    package func markLineages(ofPart part: Int64) async throws(PostgresError) {
        try await unmarkLineages()
        try await mark(SQL.Reports.Refresh.markPart, [.int(part)])
    }

    /// All of them.
    package func markAllLineages() async throws(PostgresError) {
        try await mark(SQL.Reports.Refresh.markAll, [])
    }

    /// Adds the sample of a business date.
    package func markLineages(sampledOn date: String) async throws(PostgresError) {
        try await mark(SQL.Reports.Refresh.markSample, [.date(date)])
    }

    /// Others follow in the same transaction.
    package func unmarkLineages() async throws(PostgresError) {
        try await connection.executeScript(SQL.Reports.Refresh.discard)
        try await connection.execute(SQL.Reports.Refresh.forgetLineages)
    }

    private func mark(_ statement: Statement, _ parameters: [PostgresValue]) async throws(PostgresError) {
        try await connection.execute(statement, parameters)
        try await connection.execute(SQL.Reports.Refresh.analyzeLineages)
    }

    /// Which seal and days are at hand.
    package func scopeSession(
        seal: Int64, from first: String = "-infinity", through last: String = "infinity"
    ) async throws(PostgresError) {
        try await connection.execute(
            SQL.Reports.Refresh.setScope, [.int(seal), .date(first), .date(last), .text(timeZone)])
        try await connection.execute(SQL.Reports.Refresh.analyzeScope)
    }

    /// The rows of the lineages at hand, as a seal saw them.
    package func makeRows(asOf seal: Int64) async throws(PostgresError) {
        try await connection.executeScript(SQL.Reports.Refresh.discard)
        try await scopeSession(seal: seal)
        try await makeRows(of: MaterialisedTable.intermediates)
    }

    /// The same of some tables, as the scope's seal saw them.
    package func makeRows(of tables: [MaterialisedTable]) async throws(PostgresError) {
        try await stageRows(SQL.Reports.Staging.all)
        for file in tables.flatMap({ $0.steps + [$0.rows] }) { try await connection.executeScript(file) }
    }

    /// Their rows in the books, as the scope's seal saw them.
    package func stageRows(_ files: [Statement]) async throws(PostgresError) {
        for file in files { try await connection.executeScript(file) }
    }

    /// Adds them to tables that hold nothing of these lineages.
    package func addRows(to tables: [MaterialisedTable] = MaterialisedTable.all) async throws(PostgresError) {
        try await connection.executeScript(SQL.Reports.Refresh.changedByBuild)
        try await persistRows(in: tables)
    }

    /// Puts them in place of what the marts hold of these lineages, and notes the days that this moves figures on.
    package func replaceRows(asOf seal: Int64) async throws(PostgresError) {
        try await connection.executeScript(SQL.Reports.Refresh.changedByRefresh)
        try await connection.execute(SQL.Reports.Refresh.noteDays, [.int(seal)])
        try await persistRows(in: MaterialisedTable.all)
    }

    /// The marts move by the difference of the rows, so that they go first.
    private func persistRows(in tables: [MaterialisedTable]) async throws(PostgresError) {
        for table in tables where table.materialise == nil { try await connection.executeScript(table.rows) }
        for table in tables {
            if let materialise = table.materialise { try await connection.executeScript(materialise) }
        }
    }

    /// What lineages written of since the last issue put into the figures, as it knew them and now: the report of
    /// changes.
    ///
    /// Afterwards the rows at hand are theirs, as of `seal`. Returns that issue's seal; nil, with nothing done, where
    /// there is none.
    ///
    /// `martSeal`: where the marts are, if the lineages at hand are those written of since: of an issue of that seal
    /// its rows are read there.
    package func compareWithLastIssue(asOf seal: Int64, martSeal: Int64? = nil) async throws(PostgresError) -> Int64? {
        let changes = SQL.Reports.Marts.Changes.self
        guard let row = try await connection.query(SQL.Reports.Refresh.lastIssue, [.int(seal)]).first else {
            try await connection.execute(changes.forgetParts)
            return nil
        }
        let issue = try row.int64("seal")
        if martSeal == issue {
            try await connection.executeScript(changes.ofMarts)
        } else {
            try await markLineages(writtenAfter: issue, through: seal)
            try await makeRows(asOf: issue)
            try await connection.executeScript(changes.ofNew)
        }
        try await connection.execute(changes.parts, [.bool(false)])
        try await makeRows(asOf: seal)
        try await connection.executeScript(changes.ofNew)
        try await connection.execute(changes.parts, [.bool(true)])
        try await connection.execute(changes.forgetParts)
        try await connection.execute(changes.writeParts, [.int(issue)])
        return issue
    }
}
