// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Marts
import Model
import Postgres
import Rendering
import Signing
import SQLCatalog

/// The entries of the ledger that money of an issue is made of, as its seal knew them: how many, their checksum, their sum.
///
/// The checksum is of CSV lines of subscription key, transaction, product, number, kind, instant, amount in micros, currency and
/// source, in the order of the first four.
struct LedgerRows {
    /// What a report of money sums up of the ledger in a column; the sign of a refund is turned where it is shown as positive.
    private enum Part {
        case charges, refunds, all

        func matches(_ refundKind: String?) -> Bool {
            switch self {
            case .charges: refundKind == nil
            case .refunds: refundKind != nil
            case .all: true
            }
        }
    }

    private static let keys = [
        "date", "app_id", "store", "product_id", "country", "currency", "product_type", "kind",
    ]
    /// Where `ledger.sql` has what a line is made of, the kind of a refund, and the amount.
    private static let linePositions = [8, 9, 3, 10, 11, 12, 13, 5, 14]
    private static let refundKindPosition = 7
    private static let amountPosition = 13
    private static let lineColumns: [ReportColumn] = [
        ("subscription_key", .count), ("transaction_id", .text), ("product_id", .text), ("seq", .count),
        ("kind", .text), ("occurred_at", .text), ("amount_micros", .count), ("currency", .text), ("source", .text),
    ].map { ReportColumn(name: $0, kind: $1, definition: "") }

    private let part: Part
    /// Whether the amounts add up to the figure, and with which sign.
    private let sign: Int64?
    private let name: FigureName

    /// Nil of a figure that is not made of the ledger alone, or whose rows are chosen by anything else than what an entry tells.
    init?(_ name: FigureName) {
        guard ["revenue", "refunds"].contains(name.report), name.columns.count == 1, let column = name.columns.first,
            name.conditions.allSatisfy({ Self.keys.contains($0.column) })
        else { return nil }
        self.name = name
        let base = FigureShape.base(of: column)
        if name.report == "refunds" || base.hasPrefix("refund") {
            part = .refunds
        } else {
            part = base == "gross" || base == "charges" ? .charges : .all
        }
        sign = ["gross", "net"].contains(column) ? 1 : column == "refunded" ? -1 : nil
    }

    /// Reads them in a transaction of its own.
    ///
    /// `days`: those that the figure is of.
    func read(
        on connection: PostgresConnection, asOf seal: Int64, timeZone: String, days: (first: String, last: String)
    ) async throws -> Citation.Ledger {
        let ledger = try await connection.withTransaction(.repeatableRead) { connection in
            try await connection.executeScript(SQL.Reports.Refresh.useMarts)
            let line = RowPipeline(connection: connection, timeZone: timeZone)
            try await line.prepareSession()
            try await markLineages(of: days, by: line, on: connection)
            try await line.scopeSession(seal: seal)
            try await line.makeRows(of: MaterialisedTable.intermediates.filter { $0.name == "money_movements" })
            try await line.scopeSession(seal: seal, from: days.first, through: days.last)
            return try await summary(connection)
        }
        try await connection.executeScript(SQL.Reports.Refresh.forgetSession)
        return ledger
    }

    /// A day of any zone lies within the day before and the day after it.
    private func markLineages(
        of days: (first: String, last: String), by line: RowPipeline, on connection: PostgresConnection
    ) async throws(PostgresError) {
        guard let first = BusinessDate(days.first)?.adding(days: -1),
            let last = BusinessDate(days.last)?.adding(days: 2)
        else { return try await line.markAllLineages() }
        try await connection.execute(
            SQL.Reports.Citation.markTime, [.text("\(first)T00:00:00Z"), .text("\(last)T00:00:00Z")])
        try await connection.execute(SQL.Reports.Refresh.analyzeLineages)
    }

    private func summary(_ connection: PostgresConnection) async throws -> Citation.Ledger {
        let digest = try RunningSHA256()
        var filter = FigureFilter(name, columns: Self.keys)
        var (count, sum) = (0, Int64(0))
        try await connection.execute(SQL.Reports.Citation.listEntries)
        var rows = try await connection.query(SQL.Reports.Manifest.fetchRows)
        while !rows.isEmpty {
            var lines: [UInt8] = []
            for row in rows.map(\.texts) where part.matches(row[Self.refundKindPosition]) && filter.matches(row) {
                CSVText.append(Self.linePositions.map { row[$0] }, columns: Self.lineColumns, to: &lines)
                count += 1
                sum += row[Self.amountPosition].flatMap { Int64($0) } ?? 0
            }
            try digest.update(lines)
            rows = try await connection.query(SQL.Reports.Manifest.fetchRows)
        }
        try await connection.execute(SQL.Reports.Manifest.closeRows)
        return Citation.Ledger(
            entries: Citation.Rows(count: count, sha256: Hex.encode(try digest.finish())),
            micros: sign.map { $0 * sum })
    }
}
