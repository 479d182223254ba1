// SPDX-License-Identifier: Apache-2.0

import Postgres
import SQLCatalog

/// A session's own tables and views under the names of the kept ones: reports of an earlier seal, of another time zone or of
/// some days are made by the same statements.
struct SessionTables {
    let connection: PostgresConnection
    let request: ReportRequest
    var tellPart: BuildProgress = { _, _ in }

    /// Makes all tables as of the request's seal, part by part.
    func build() async throws {
        try await connection.withTransaction { connection in
            try await connection.executeScript(SQL.Reports.Refresh.useSession)
            for table in KeptTable.all { try await connection.executeScript(table.definition) }
            try await connection.executeScript(KeptTable.comparison)
        }
        let line = ReportLine(connection: connection, timeZone: request.timeZone)
        let parts = try await countParts()
        for part in 0..<parts {
            try await within(line) {
                try await line.touch(part: part, of: parts)
                try await line.make(asOf: request.seal)
                try await line.add()
            }
            tellPart(part + 1, parts)
        }
        try await within(line) { _ = try await line.compare(asOf: request.seal) }
    }

    /// Within the transaction that reads: one view for each report, over the session's tables where it has any.
    func show() async throws(PostgresError) {
        try await connection.executeScript(SQL.Reports.Refresh.useSession)
        try await connection.executeScript(SQL.Reports.Refresh.begin)
        for view in SQL.Reports.views { try await connection.executeScript(view) }
    }

    /// Which days the views show from now on.
    func show(from first: String, through last: String) async throws(PostgresError) {
        try await connection.execute(
            SQL.Reports.Refresh.setScope,
            [.int(request.seal), .date(first), .date(last), .text(request.timeZone)])
    }

    func discard() async throws(PostgresError) {
        try await connection.executeScript(SQL.Reports.Refresh.forgetSession)
    }

    private func countParts() async throws(PostgresError) -> Int64 {
        let row = try await connection.query(SQL.Reports.Refresh.countParts, [.int(KeptTables.partSize)]).first
        return try row?.int64("parts") ?? 1
    }

    private func within(
        _ line: ReportLine, _ body: () async throws -> Void
    ) async throws {
        try await connection.withTransaction { connection in
            try await connection.executeScript(SQL.Reports.Refresh.useSession)
            try await line.begin()
            try await body()
        }
    }
}
