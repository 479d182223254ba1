// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import Rendering
import SQLCatalog

/// From the issued figure to today's: what moved it between the two seals.
struct FigureBridge {
    /// A report about its own issue: there is no same figure of another day.
    private static let ofItsIssue = "changes"

    let tables: FigureTables
    let shape: FigureShape
    let stamp: ReportStamp
    /// The issue's.
    let seal: Int64

    /// Today's figure, nil where there is none to compare with, and what bridges the two.
    struct Found {
        let today: Citation.Today?
        let movements: [Movement]
    }

    /// Issued and movements come to today's figure, to the millionth.
    func read(from issued: FigureAmount) async throws -> Found {
        guard shape.report != Self.ofItsIssue else { return Found(today: nil, movements: []) }
        try shape.check(tables.name)
        let now = try await tables.today(shape, notBefore: seal)
        let amount = try now.rows.amount()
        let today = Citation.Today(
            amount: amount.with(currencyOf: issued), rows: now.rows.count, seal: now.seal,
            asOf: try await asOf(now.seal))
        if let then = issued.currency, let currency = amount.currency, then != currency {
            return Found(today: nil, movements: [])
        }
        let difference = (amount.micros ?? 0) - (issued.micros ?? 0)
        let isSum = tables.name.columns.allSatisfy { shape.addition(of: $0) != .never }
        guard difference != 0, isSum else { return Found(today: today, movements: []) }
        return Found(today: today, movements: try await movements(of: difference, now))
    }

    private func asOf(_ seal: Int64) async throws -> Instant {
        guard let row = try await tables.connection.query(SQL.Reports.Citation.readSeal, [.int(seal)]).first else {
            throw CitationError(.notReady, "seal \(seal) is that of no run: run `subledger report`, then cite again")
        }
        return try row.instant("logical_now")
    }

    private func movements(of difference: Int64, _ now: FigureTables.Today) async throws -> [Movement] {
        let seals = FigureTables.Seals(issued: seal, today: now.seal)
        let parts = try await parts(between: seals, now.timeZone)
        let moved = parts?.moved ?? []
        let row = try await tables.connection.query(
            SQL.Reports.Citation.importsSince, [.int(seals.issued), .int(seals.today)]
        ).first
        let rest = UnexplainedRest(
            micros: difference - moved.reduce(0) { $0 + $1.micros }, partCount: parts?.count,
            hasOtherDefinitions: stamp.definitionsVersion != ReportIdentity.definitionsVersion,
            hasOtherTimeZone: now.timeZone != stamp.timeZone, hasNewRules: try row?.bool("has_rules") ?? false,
            isEstimated: tables.name.columns.contains { $0.contains("proceeds") || $0.contains("tax") })
        return Movement.all(moved, parts?.facts ?? [:], rest: rest)
    }

    private struct Parts {
        let moved: [MovedOrigin]
        let facts: [RowOrigin.Lasting: LearnedFacts]
        /// Transactions that were looked at, at either seal.
        let count: Int
    }

    /// Nil where the report does not tell its rows apart by what they follow from.
    private func parts(between seals: FigureTables.Seals, _ timeZone: String) async throws -> Parts? {
        guard let empty = OriginAmounts(tables.name, of: shape) else { return nil }
        let then = try await tables.amounts(
            asOf: seals.issued, between: seals, timeZone: timeZone, into: empty
        ) { $0 }
        return try await tables.amounts(
            asOf: seals.today, between: seals, timeZone: timeZone, into: empty
        ) { now in
            let moved = now.moved(since: then)
            return Parts(
                moved: moved, facts: try await tables.learned(of: moved, between: seals),
                count: now.parts.count + then.parts.count)
        }
    }
}

extension FigureAmount {
    /// A figure without rows has no currency of its own.
    fileprivate func with(currencyOf other: FigureAmount) -> FigureAmount {
        FigureAmount(micros: micros, isCount: isCount, currency: currency ?? other.currency)
    }
}
