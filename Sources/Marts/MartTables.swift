// SPDX-License-Identifier: Apache-2.0

package import Postgres
import SQLCatalog

/// The tables that reports are made from, which last from issue to issue and are moved on for the lineages that were written of.
///
/// They are as of one seal, by the days of one time zone. Built for the first time, for another zone, or after a definition changed, they are
/// filled part by part: a build that was interrupted goes on where it ended.
package struct MartTables {
    /// Subscriptions in a part of a build: what fits into 256 MB of the server's memory.
    package static let partSize: Int64 = 20_000

    /// How far they are.
    package struct Position {
        package let seal: Int64
        package let timeZone: String
        package let parts: Int64
        package let partsBuilt: Int64
        package let staleTables: Set<String>

        package var isWhole: Bool { parts == partsBuilt && staleTables.isEmpty }

        package func isAt(_ seal: Int64, _ timeZone: String) -> Bool {
            isWhole && self.seal == seal && self.timeZone == timeZone
        }
    }

    package let connection: PostgresConnection
    package let line: RowPipeline
    package let partSize: Int64
    package let progress: BuildProgress
    package let fence: IssueFence

    package init(
        connection: PostgresConnection, timeZone: String, partSize: Int64 = MartTables.partSize,
        progress: @escaping BuildProgress = { _, _ in }, fence: @escaping IssueFence = { _ in }
    ) {
        self.connection = connection
        self.partSize = partSize
        self.progress = progress
        self.fence = fence
        line = RowPipeline(connection: connection, timeZone: timeZone)
    }

    /// Nil before they were first made.
    package func position() async throws(PostgresError) -> Position? {
        guard let row = try await connection.query(SQL.Reports.Refresh.readPosition).first else { return nil }
        return Position(
            seal: try row.int64("seal"), timeZone: try row.string("time_zone"), parts: try row.int64("parts"),
            partsBuilt: try row.int64("parts_built"),
            staleTables: Set(try row.textArray("stale_tables").compactMap(\.self)))
    }

    /// Moves them on to a seal; where they are beyond it already, they are left alone.
    package func refreshMarts(to seal: Int64) async throws {
        while try await step(to: seal) {}
    }

    /// One transaction's worth.
    ///
    /// False when there is nothing left to do.
    package func step(to seal: Int64) async throws -> Bool {
        try await connection.withTransaction { connection in
            try await connection.executeScript(SQL.Reports.Refresh.useMarts)
            try await connection.execute(SQL.Reports.Refresh.lockPosition)
            let isMoreLeft = try await move(from: try await position(), to: seal)
            try await fence(connection)
            return isMoreLeft
        }
    }

    private func move(from position: Position?, to seal: Int64) async throws -> Bool {
        guard let position, position.timeZone == line.timeZone else {
            try await start(at: seal)
            return true
        }
        if !position.isWhole {
            try await position.parts == 0 ? divide(position) : build(position)
            return true
        }
        guard position.seal < seal else { return false }
        guard try await refresh(position, to: seal) else {
            try await start(at: seal)
            return true
        }
        return false
    }

    private func start(at seal: Int64) async throws(PostgresError) {
        try await connection.execute(SQL.Reports.Refresh.startBuild, [.int(seal), .text(line.timeZone)])
        try await connection.execute(
            SQL.Reports.Refresh.markStale, [.textArray(MaterialisedTable.all.map(\.name))])
    }

    /// Whatever parts a build that was started again had added to its tables: they start empty.
    private func divide(_ position: Position) async throws(PostgresError) {
        try await connection.execute(SQL.Reports.Refresh.lockForEmptying)
        for table in position.staleTables.sorted() {
            try await connection.execute(SQL.Reports.Refresh.emptyTable, [.text(table)])
        }
        let parts = try await line.divideLineages(partSize: partSize)
        try await connection.execute(SQL.Reports.Refresh.restartBuild, [.int(parts)])
    }

    private func build(_ position: Position) async throws(PostgresError) {
        try await line.prepareSession()
        try await line.markLineages(ofPart: position.partsBuilt)
        try await line.makeRows(asOf: position.seal)
        try await line.addRows(to: MaterialisedTable.all.filter { position.staleTables.contains($0.name) })
        try await connection.execute(SQL.Reports.Refresh.endPart)
        if position.partsBuilt + 1 == position.parts { _ = try await line.compareWithLastIssue(asOf: position.seal) }
        progress(position.partsBuilt + 1, position.parts)
    }

    /// False, with nothing done, where so much of the money is worth something else in the reporting currency that the tables are
    /// better built again, part by part.
    private func refresh(_ position: Position, to seal: Int64) async throws(PostgresError) -> Bool {
        if try await hasCurrencyChanged(from: position.seal, to: seal) { return false }
        try await line.prepareSession()
        let converted = try await markLineages(since: position, through: seal)
        if let converted, converted > max(partSize, position.parts * partSize / 4) { return false }
        if try await line.compareWithLastIssue(asOf: seal, martSeal: position.seal) != position.seal {
            _ = try await markLineages(since: position, through: seal)
            try await line.makeRows(asOf: seal)
        }
        try await line.replaceRows(asOf: seal)
        try await connection.execute(SQL.Reports.Refresh.movePosition, [.int(seal)])
        return true
    }

    /// What was written of since, and what exchange rates concern that came since: how many then; nil where none came.
    private func markLineages(since position: Position, through seal: Int64) async throws(PostgresError) -> Int64? {
        try await line.markLineages(writtenAfter: position.seal, through: seal)
        return try await line.markLineages(convertedAfter: position.seal, through: seal)
    }

    private func hasCurrencyChanged(from earlier: Int64, to seal: Int64) async throws(PostgresError) -> Bool {
        let parameters: [PostgresValue] = [.int(earlier), .int(seal)]
        let row = try await connection.query(SQL.Reports.Refresh.hasCurrencyChanged, parameters).first
        return try row?.bool("has_changed") ?? false
    }

    /// Replaces what differs by what the session made from the history, while they are at that seal still.
    package func correctMarts(asOf seal: Int64) async throws -> [CorrectedTable] {
        try await connection.withTransaction { connection in
            try await connection.execute(SQL.Reports.Refresh.lockPosition)
            try await connection.execute(SQL.Reports.Refresh.lockForEmptying)
            guard try await position()?.isAt(seal, line.timeZone) == true else { return [] }
            var corrected: [CorrectedTable] = []
            for table in MaterialisedTable.all {
                let row = try await connection.query(SQL.Reports.Refresh.correctTable, [.text(table.name)]).first
                let rows = try row?.int64("corrected") ?? 0
                if rows > 0 { corrected.append(CorrectedTable(name: table.name, rows: rows)) }
            }
            try await fence(connection)
            return corrected
        }
    }
}
