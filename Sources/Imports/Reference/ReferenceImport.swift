// SPDX-License-Identifier: Apache-2.0

package import Logging
package import Model
internal import Postgres
package import Runs
internal import SQLCatalog

/// `import products`, `prices`, `fx`, `commission-rules` and `tax-rates`: dated facts, appended by a run of their own.
///
/// Good lines go in, bad ones are named, and what is held already does not go in again. A line that says something else
/// than what is held of the same day corrects it, and the outcome notes it; two such lines in one file contradict each
/// other, and the second one is bad. Prices are booked for the sales that waited for them in the same transaction, and lengths of the catalogue decide which
/// line is whose.
package struct ReferenceImport: Sendable {
    /// Which table a file is for.
    package enum Kind: Sendable {
        case products, prices, commissionRules, taxRates
        /// `base` may be nil for the European Central Bank's file, whose base is the euro and whose source is itself.
        case fxRates(base: String?, source: String)
    }

    /// What must be given before a file can be read; nil: nothing.
    ///
    /// Rates need their base currency.
    package static func missing(for file: ImportFile, as kind: Kind) -> String? {
        guard case .fxRates(nil, _) = kind, file.header?.first != Self.centralBankColumn else { return nil }
        return "the rates are for one of which currency? Give --base (only the European Central Bank's file needs none)"
    }

    /// The first column of the European Central Bank's file, by which it is recognized.
    private static let centralBankColumn = "Date"

    /// What became of the lines.
    package struct Outcome: Sendable, Hashable {
        /// Lines that are in the table now, those that were there before included.
        package var good = 0
        /// Rows that went in.
        package var new = 0
        /// Transactions that were priced from the list.
        package var priced = 0
        package var bad: [BadLine] = []
        /// Lines that went in and are worth a look: what they replace, how far a rate moved.
        package var notes: [BadLine] = []
    }

    private let sessions: DatabaseSessions
    private let logger: Logger
    private let leaseSeconds: Int64

    package init(sessions: DatabaseSessions, logger: Logger, leaseSeconds: Int64 = RunLedger.leaseSeconds) {
        self.leaseSeconds = leaseSeconds
        self.sessions = sessions
        self.logger = logger
    }

    /// Imports the file; where its session is lost, over another one.
    ///
    /// Throws `PipelineError` where an app that prices or products are for has an open run.
    package func run(
        _ file: ImportFile, as kind: Kind, apps: [AppID: StoreKind], now: Instant, businessDate: BusinessDate
    ) async throws -> Outcome {
        var setting = ReferenceSetting(apps: Dictionary(apps.map { ($0.key.rawValue, $0.value) }) { first, _ in first })
        let clock = (now, businessDate)
        switch kind {
        case .products: return try await take(file, by: ReferenceLines<ProductLine>(setting), at: clock)
        case .prices: return try await take(file, by: ReferenceLines<PriceLine>(setting), at: clock)
        case .commissionRules: return try await take(file, by: ReferenceLines<CommissionLine>(setting), at: clock)
        case .taxRates: return try await take(file, by: ReferenceLines<TaxLine>(setting), at: clock)
        case .fxRates(let base, let source):
            setting.isByColumn = file.header?.first == Self.centralBankColumn
            setting.base = base ?? (setting.isByColumn ? "EUR" : "")
            setting.source = setting.isByColumn ? RateLine.centralBank : source
            return try await take(file, by: ReferenceLines<RateLine>(setting), at: clock)
        }
    }

    private func take<Line: ReferenceLine>(
        _ file: ImportFile, by reader: ReferenceLines<Line>, at clock: (now: Instant, businessDate: BusinessDate)
    ) async throws -> Outcome {
        let read = reader.read(file)
        var outcome = Outcome()
        outcome.bad = read.bad
        guard !read.rows.isEmpty else { return outcome }
        let apps = Set(read.rows.compactMap(\.line.appID)).sorted().map(AppID.init)
        let request = RunRequest(.import, apps: apps, now: clock.now, businessDate: clock.businessDate)
        let ledRun = LedRun(sessions: sessions, leaseSeconds: leaseSeconds, logger: logger)
        return try await ledRun.run(request, ifBroken: .failed(counts: outcome.counts)) { [outcome] run in
            var written = try await write(read.rows, for: Line.repricesSales ? apps : [], run)
            (written.good, written.bad) = (read.lineCount, outcome.bad)
            return RunEnding(written, outcome: written.bad.isEmpty ? .done : .partial, counts: written.counts)
        }
    }

    /// All or nothing, and sealed with it: what is in the table is seen by reports.
    ///
    /// What is sent again because its session was lost is looked up first: of a commit that was made the outcome is
    /// that of the try that made it.
    private func write<Line: ReferenceLine>(
        _ rows: [ReferenceLines<Line>.Row], for pricedApps: [AppID], _ run: Run
    ) async throws -> Outcome {
        var tried: Outcome?
        return try await sessions.use { connection in
            try await connection.withTransaction { connection in
                let ledger = RunLedger(connection: connection, leaseSeconds: leaseSeconds)
                // Before the look: a commit whose answer was lost may be on its way, and has the lock until it is made.
                try await connection.execute(SQL.Import.lockReferenceData)
                if let tried, try await ledger.isSealed(run) { return tried }
                let outcome = try await write(rows, for: pricedApps, run, on: connection)
                _ = try await ledger.sealWithin(run)
                tried = outcome
                return outcome
            }
        }
    }

    private func write<Line: ReferenceLine>(
        _ rows: [ReferenceLines<Line>.Row], for pricedApps: [AppID], _ run: Run, on connection: PostgresConnection
    ) async throws -> Outcome {
        var outcome = Outcome()
        for batch in ReferenceLines<Line>.batches(of: rows) {
            for row in try await connection.query(Line.insertion, [.int(run.id)] + batch) {
                outcome.new += 1
                guard let note = try row.optionalString("note") else { continue }
                outcome.notes.append(BadLine(number: try row.int("line_no"), reason: BadLine.Reason(note)))
            }
        }
        if let conclusion = Line.conclusion(of: rows.map(\.line)) {
            for row in try await connection.query(conclusion.statement, [.int(run.id)] + conclusion.values) {
                outcome.notes.append(BadLine(number: 1, reason: BadLine.Reason(try row.string("note"))))
            }
        }
        if !pricedApps.isEmpty, outcome.new > 0 {
            outcome.priced = try await ListPricing(connection: connection)
                .price(pricedApps, run: run.id, now: run.now)
        }
        return outcome
    }
}

extension ReferenceImport.Outcome {
    fileprivate var counts: [String: Int64] {
        [
            "lines": Int64(good), "new": Int64(new), "bad_lines": Int64(bad.count), "notes": Int64(notes.count),
            "priced": Int64(priced),
        ]
    }
}
