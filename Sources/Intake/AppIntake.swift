// SPDX-License-Identifier: Apache-2.0

import Extract
import Logging
import Model
import Postgres
import Runs
import SQLCatalog
import Stores
import Transform

/// One app's part of an intake: round by round, until no purchase is left that it has not looked at.
struct AppIntake {
    let app: StoreApp
    let place: BookingPlace
    let request: RunRequest
    let connection: PostgresConnection
    let roundSize: Int64
    let logger: Logger

    private var run: Run { place.run }

    /// What its rounds came to.
    private struct Looked {
        /// Purchases that wait: each is looked at once.
        var waiting: [Int64] = []
        var misconfigured: StoreFailure?
        var unanswered: StoreFailure?
        /// Why the store is asked no more.
        var stopped: StoreFailure?

        mutating func note(_ outcome: PurchaseRound.Outcome) {
            for purchase in outcome.assessed {
                guard case .undecided(let failure) = purchase.opinion else { continue }
                waiting.append(purchase.inbox.id)
                if failure.kind == .credential { misconfigured = failure }
                if failure.kind == .transient { unanswered = failure }
            }
            stopped = outcome.stopped
        }
    }

    /// Returns why the app could not be finished; nil when it was.
    ///
    /// Throws `BookingPlace.NightIsOver` where what is left is for a run of its own.
    func work(into summary: inout IntakeSummary) async throws -> StoreFailure? {
        let round = try await purchaseRound()
        var looked = Looked()
        while try await work(round, &looked, into: &summary) { try Task.checkCancellation() }
        if let stopped = looked.stopped { return stopped }
        let tally = summary.tallies[app.id, default: IntakeSummary.Tally()]
        let isSilent = looked.unanswered != nil && tally.accepted + tally.refused == 0
        return looked.misconfigured ?? (isSilent ? .answeredNothing(app.id, tally.waiting) : nil)
    }

    /// One round; false where none is to follow.
    private func work(
        _ round: PurchaseRound, _ looked: inout Looked, into summary: inout IntakeSummary
    ) async throws -> Bool {
        var isOver = false
        try await place.claiming(app.id, for: request) { chunk in
            let purchases = try await pending(except: looked.waiting)
            guard !purchases.isEmpty else {
                isOver = true
                return false
            }
            let outcome = try await round.assess(purchases)
            looked.note(outcome)
            isOver = outcome.stopped != nil
            guard !outcome.assessed.isEmpty else { return false }
            let loader = IntakeLoader(connection: connection, place: place, chunk: chunk, appID: app.id, logger: logger)
            let (verdicts, isBooked) = try await loader.load(outcome.assessed)
            // What the database refused waits as well.
            looked.waiting += verdicts.filter { $0.state == .pending }.map(\.purchaseID)
            summary.count(verdicts, of: app.id)
            return isBooked
        }
        return !isOver
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

    /// Those that its run has not looked at yet; beside a night, those that this intake has not.
    private func pending(except waiting: [Int64]) async throws(PostgresError) -> [InboxPurchase] {
        let rows = try await connection.query(
            SQL.Intake.listPending,
            [
                PostgresValue(app.id), place.night == nil ? .int(run.id) : .null, .int(roundSize), .intArray(waiting),
            ])
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
