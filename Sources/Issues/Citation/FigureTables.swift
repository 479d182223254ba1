// SPDX-License-Identifier: Apache-2.0

import Marts
import Model
import Postgres
import Rendering
import SQLCatalog

/// Reads a figure from the tables that reports are made from, by the report's own view: as it is today, and transaction by
/// transaction as two seals knew it.
struct FigureTables {
    /// From the seal to the one that the marts are at.
    struct Seals: Hashable {
        let issued: Int64
        let today: Int64
    }

    /// The figure as it is today, and where.
    struct Today {
        let rows: FigureRows
        let seal: Int64
        let timeZone: String
    }

    let connection: PostgresConnection
    let name: FigureName
    let report: ReportCatalog.Report
    /// The first and the last day that are asked for.
    let days: (first: String, last: String)

    init(
        connection: PostgresConnection, name: FigureName, report: ReportCatalog.Report, shape: FigureShape,
        stamp: ReportStamp
    ) {
        self.connection = connection
        self.name = name
        self.report = report
        let asked = shape.dayColumn.flatMap { day in name.conditions.first { $0.column == day } }
        if let first = asked?.first, let last = asked.map({ $0.last ?? $0.first }), BusinessDate(first) != nil,
            BusinessDate(last) != nil
        {
            days = Self.inExport(of: stamp, first, last)
        } else {
            days = (stamp.firstDate ?? "-infinity", stamp.lastDate)
        }
    }

    /// An export of some days has no others: what was asked for beyond them is no part of its figure.
    private static func inExport(
        of stamp: ReportStamp, _ first: String, _ last: String
    ) -> (first: String, last: String) {
        guard let begin = stamp.firstDate else { return (first, last) }
        let (from, to) = (max(first, begin), min(last, stamp.lastDate))
        return from <= to ? (from, to) : (first, last)
    }

    /// Of the marts, wherever they are.
    ///
    /// Throws `CitationError` while they are being built.
    func today(_ shape: FigureShape, notBefore seal: Int64) async throws -> Today {
        let today = try await connection.withTransaction(.repeatableRead) { connection in
            try await connection.execute(SQL.Reports.Refresh.lockForReading)
            guard let position = try await MartTables(connection: connection, timeZone: "").position(),
                position.isWhole, position.seal >= seal
            else {
                throw CitationError(
                    .notReady,
                    "schema marts is being built or at an earlier seal than the issue: run `subledger report`, "
                        + "then cite again")
            }
            try await connection.executeScript(SQL.Reports.Refresh.useSession)
            let line = RowPipeline(connection: connection, timeZone: position.timeZone)
            try await line.prepareSession()
            var rows = FigureRows(name, of: shape)
            try await defineViews(line, asOf: position.seal)
            try await read { for row in $0 { _ = try rows.take(row) } }
            return Today(rows: rows, seal: position.seal, timeZone: position.timeZone)
        }
        try await discard()
        return today
    }

    /// What each transaction of the lineages that were written of between the two seals puts in, as one of them knew
    /// it.
    ///
    /// The body runs where the rows at hand are those.
    func amounts<Result>(
        asOf seal: Int64, between seals: Seals, timeZone: String, into empty: OriginAmounts,
        _ body: (OriginAmounts) async throws -> Result
    ) async throws -> Result {
        let result = try await connection.withTransaction(.repeatableRead) { connection in
            try await connection.executeScript(SQL.Reports.Refresh.useMarts)
            let line = RowPipeline(connection: connection, timeZone: timeZone)
            try await line.prepareSession()
            try await line.markLineages(writtenAfter: seals.issued, through: seals.today)
            _ = try await line.markLineages(convertedAfter: seals.issued, through: seals.today)
            try await connection.executeScript(SQL.Reports.Refresh.useSession)
            for table in MaterialisedTable.all {
                try await connection.executeScript(table.definition.made(in: .session))
            }
            try await line.makeRows(asOf: seal)
            try await connection.executeScript(SQL.Reports.Citation.assignOrigins)
            try await line.addRows()
            try await defineViews(line, asOf: seal)
            var amounts = empty
            try await read { rows in
                let origins = try await origins(amounts.names(in: rows))
                for row in rows { try amounts.take(row, of: origins) }
            }
            return try await body(amounts)
        }
        try await discard()
        return result
    }

    /// What was learned of the transactions that moved.
    ///
    /// Within the body of `amounts`, as of the later seal.
    func learned(
        of moved: [MovedOrigin], between seals: Seals
    ) async throws(PostgresError) -> [RowOrigin.Lasting: LearnedFacts] {
        let asked = moved.map { (lineage: $0.lineageKey, transaction: $0.origin.isTransaction ? $0.origin.id : "") }
        let rows = try await connection.query(
            SQL.Reports.Citation.learned,
            [
                .int(seals.issued), .int(seals.today), .intArray(asked.map(\.lineage)),
                .textArray(asked.map(\.transaction)),
            ])
        var known: [Int64: [String: LearnedFacts]] = [:]
        for row in rows {
            known[try row.int64("lineage_key"), default: [:]][try row.string("transaction_id")] = try LearnedFacts(row)
        }
        let facts = zip(moved, asked).compactMap { moved, asked in
            known[asked.lineage]?[asked.transaction].map { (moved.origin, $0) }
        }
        return Dictionary(facts) { first, _ in first }
    }

    /// The reports' views, for these days.
    private func defineViews(_ line: RowPipeline, asOf seal: Int64) async throws(PostgresError) {
        for view in SQL.Reports.views { try await connection.executeScript(view.made(in: .session)) }
        try await line.scopeSession(seal: seal, from: days.first, through: days.last)
    }

    /// What stands in for the products of rows.
    private func origins(_ names: [String]) async throws(PostgresError) -> [String: RowOrigin] {
        var origins: [String: RowOrigin] = [:]
        for row in try await connection.query(SQL.Reports.Citation.listOrigins, [.textArray(names)]) {
            origins[try row.string("origin")] = RowOrigin(
                productID: try row.string("product_id"), lineageKey: try row.int64("lineage_key"),
                transactionID: try row.string("transaction_id"), money: try row.string("money"))
        }
        return origins
    }

    /// The report's rows, some at a time.
    private func read(_ take: ([[String?]]) async throws -> Void) async throws {
        try await connection.execute(report.query)
        var rows = try await connection.query(SQL.Reports.Manifest.fetchRows)
        while !rows.isEmpty {
            try await take(rows.map(\.texts))
            rows = try await connection.query(SQL.Reports.Manifest.fetchRows)
        }
        try await connection.execute(SQL.Reports.Manifest.closeRows)
    }

    private func discard() async throws(PostgresError) {
        try await connection.executeScript(SQL.Reports.Refresh.forgetSession)
    }
}

extension LearnedFacts {
    init(_ row: PostgresRow) throws(PostgresError) {
        isNew = try row.bool("is_new")
        hasRefund = try row.bool("has_refund")
        hasCharge = try row.bool("has_charge")
        hasImage = try row.bool("has_image")
        hasState = try row.bool("has_state")
        hasProduct = try row.bool("has_product")
        hasLink = try row.bool("has_link")
        hasRate = try row.bool("has_rate")
    }
}
