// SPDX-License-Identifier: Apache-2.0

import Extract
import Logging
import Model
import Postgres
import Runs
import SQLCatalog
import Stores
import Transform

/// One app's part of an intake: round by round, until no purchase is left that this run has not looked at.
struct AppIntake {
    let app: StoreApp
    let run: Run
    let connection: PostgresConnection
    let roundSize: Int64
    let logger: Logger

    /// Returns why the app could not be finished; nil when it was.
    func work(into summary: inout IntakeSummary) async throws -> StoreFailure? {
        let round = try await purchaseRound()
        let loader = IntakeLoader(connection: connection, run: run, appID: app.id, logger: logger)
        var (misconfigured, unanswered): (StoreFailure?, StoreFailure?) = (nil, nil)
        while true {
            let purchases = try await pending()
            guard !purchases.isEmpty else { break }
            let outcome = try await round.assess(purchases)
            for purchase in outcome.assessed {
                guard case .undecided(let failure) = purchase.opinion else { continue }
                if failure.kind == .credential { misconfigured = failure }
                if failure.kind == .transient { unanswered = failure }
            }
            if !outcome.assessed.isEmpty { summary.count(try await loader.load(outcome.assessed), of: app.id) }
            if let stopped = outcome.stopped { return stopped }
            try Task.checkCancellation()
        }
        let tally = summary.tallies[app.id, default: IntakeSummary.Tally()]
        let isSilent = unanswered != nil && tally.accepted + tally.refused == 0
        return misconfigured ?? (isSilent ? .answeredNothing(app.id, tally.waiting) : nil)
    }

    private func purchaseRound() async throws(PostgresError) -> PurchaseRound {
        let extract = ExtractStage(connection: connection)
        let days = try await extract.refundWatchDays(
            of: app.id, days: app.store.refundWatchDays, reportsRefunds: app.store.reportsRefunds)
        let transform = TransformStage(
            store: app.store, now: run.now, defaultCountry: app.defaultCountry, refundWatchDays: days,
            levels: try await extract.levels(of: app.id, now: run.now))
        return PurchaseRound(
            app: app, run: run, connection: connection, transform: transform, refundWatchDays: days, logger: logger)
    }

    private func pending() async throws(PostgresError) -> [InboxPurchase] {
        let rows = try await connection.query(
            SQL.Intake.listPending, [PostgresValue(app.id), .int(run.id), .int(roundSize)])
        return try rows.map { (row) throws(PostgresError) in try InboxPurchase(row) }
    }
}

extension StoreFailure {
    /// A store that answered nothing at all was down, however few were asked about.
    fileprivate static func answeredNothing(_ app: AppID, _ waiting: Int) -> StoreFailure {
        StoreFailure(
            .storeDown, reason: "all_failed",
            message: "App \(app): its store answered nothing; \(waiting) purchases wait, and the next run asks again.")
    }
}
