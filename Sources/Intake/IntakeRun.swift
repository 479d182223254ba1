// SPDX-License-Identifier: Apache-2.0

package import Logging
package import Model
package import Postgres
package import Runs
internal import SQLCatalog
internal import Stores

/// Intake: looks at the purchases that the backend handed in, app by app, and assesses each.
///
/// What is accepted is registered and booked in the same transaction as its verdict; what cannot be assessed now waits
/// for the next run.
package struct IntakeRun: Sendable {
    package struct Options: Sendable {
        /// The run's logical clock.
        package var now: Instant
        package var businessDate: BusinessDate
        /// Purchases that are assessed and written together.
        package var roundSize: Int64 = 200
        /// How an open run of these apps is waited for.
        package var waiting = RunWaiting()
        /// How long a leader that stopped renewing is still taken for alive, in seconds.
        package var leaseSeconds = RunLedger.leaseSeconds

        package init(now: Instant, businessDate: BusinessDate) {
            self.now = now
            self.businessDate = businessDate
        }
    }

    private let connection: PostgresConnection
    private let database: PostgresConfiguration
    private let apps: [StoreApp]
    private let options: Options
    private let logger: Logger

    /// `connection`: to the database, whose schema is this program's.
    package init(
        connection: PostgresConnection, database: PostgresConfiguration, apps: [StoreApp], options: Options,
        logger: Logger
    ) {
        self.connection = connection
        self.database = database
        self.apps = apps
        self.options = options
        self.logger = logger
    }

    /// Throws `PipelineError` or `PostgresError`; what an app's store refuses is in the summary instead.
    package func run() async throws -> IntakeSummary {
        var worked = Worked()
        var rest = apps
        while !rest.isEmpty {
            let nights = try await ledger.openNights(of: rest.map(\.id))
            do {
                if let index = rest.firstIndex(where: { nights[$0.id] != nil }), let night = nights[rest[index].id] {
                    try await work(on: rest[index], beside: night, into: &worked)
                    rest.remove(at: index)
                } else {
                    worked = try await workAlone(on: rest, after: worked)
                    rest = []
                }
            } catch is NightIsOpen {
                // It began meanwhile.
            } catch is BookingPlace.NightIsOver {
                // It was sealed meanwhile: what is left is for a run of its own, or the next night's.
            }
        }
        worked.summary.result = worked.result(of: apps)
        return worked.summary
    }

    private var ledger: RunLedger {
        RunLedger(connection: connection, leaseSeconds: options.leaseSeconds, waiting: options.waiting)
    }

    private func request(_ apps: [StoreApp]) -> RunRequest {
        RunRequest(.intake, apps: apps.map(\.id), now: options.now, businessDate: options.businessDate)
    }

    /// What the apps' purchases came to, and which apps could not be finished.
    private struct Worked: Sendable {
        var summary = IntakeSummary()
        var stops: [AppID: StoreFailure] = [:]
        /// New ones, of whichever app.
        var deadLetters: Int64 = 0

        /// What was answered until the store went down is done: such an app has finished, late.
        var late: Set<AppID> {
            Set(stops.filter { $0.value.kind == .storeDown && summary.tallies[$0.key]?.isAnswered == true }.keys)
        }

        mutating func stop(_ app: AppID, because failure: StoreFailure?) {
            guard let failure else { return }
            stops[app] = failure
            summary.stoppedApps.append((app, failure.message))
        }

        func result(of apps: [StoreApp]) -> RunResult {
            let own = Set(apps.map(\.id))
            let unfinished = stops.filter { own.contains($0.key) && !late.contains($0.key) }
            return RunResult(
                unfinished: unfinished.map(\.value), of: apps.count,
                isClean: deadLetters == 0 && late.isDisjoint(with: own))
        }
    }

    /// In a run of its own.
    private func workAlone(on apps: [StoreApp], after before: Worked) async throws -> Worked {
        try await ledger.withRun(request(apps), on: database, logger: logger, ifBroken: .resumable) { run in
            let place = BookingPlace(ownRun: run, ledger, on: database, logger: logger)
            var worked = before
            for app in apps.sorted(by: { $0.id < $1.id }) {
                worked.stop(app.id, because: try await work(on: app, at: place, into: &worked.summary))
                let tally = worked.summary.tallies[app.id, default: IntakeSummary.Tally()]
                try await ledger.setDue(tally.accepted + tally.refused + tally.waiting, of: app.id, in: run)
            }
            for app in apps.map(\.id) {
                guard let failure = worked.stops[app] else { continue }
                try await ledger.stop(app, of: run, because: failure.message, isLate: worked.late.contains(app))
            }
            return worked
        } conclude: { run, _, worked in
            var worked = worked
            let deadLetters = try await ledger.figures(of: run)["dead_letters"] ?? 0
            worked.deadLetters += deadLetters
            var counts = worked.summary.counts(of: apps.map(\.id))
            counts["dead_letters"] = deadLetters
            return RunEnding(worked, outcome: worked.result(of: apps).outcome, counts: counts)
        }
    }

    /// Under the run of an open night, whose leader may live or not.
    private func work(on app: StoreApp, beside night: Int64, into worked: inout Worked) async throws {
        let last = try await letters(of: app.id, beside: night, after: 0)?.int64("last_letter") ?? 0
        let place = BookingPlace(
            beside: night, now: options.now, leaseSeconds: options.leaseSeconds, ledger, on: database, logger: logger)
        do {
            worked.stop(app.id, because: try await work(on: app, at: place, into: &worked.summary))
        } catch let isOver as BookingPlace.NightIsOver {
            worked.deadLetters += try await letters(of: app.id, beside: night, after: last)?.int64("letters") ?? 0
            throw isOver
        }
        worked.deadLetters += try await letters(of: app.id, beside: night, after: last)?.int64("letters") ?? 0
    }

    private func work(
        on app: StoreApp, at place: BookingPlace, into summary: inout IntakeSummary
    ) async throws -> StoreFailure? {
        if let refusal = app.store.refusal { return refusal }
        return try await AppIntake(
            app: app, place: place, request: request([app]), connection: connection, roundSize: options.roundSize,
            logger: logger
        ).work(into: &summary)
    }

    private func letters(
        of app: AppID, beside night: Int64, after letter: Int64
    ) async throws(PostgresError) -> PostgresRow? {
        try await connection.query(SQL.Intake.countLettersBeside, [.int(night), PostgresValue(app), .int(letter)]).first
    }
}
