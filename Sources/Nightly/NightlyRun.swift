// SPDX-License-Identifier: Apache-2.0

internal import Extract
package import Logging
package import Model
package import Postgres
package import Runs
internal import SQLCatalog
package import Stores

/// A night: Extract → Fetch → Transform → Load → Reports, for all its apps.
package struct NightlyRun: Sendable {
    /// Reads notifications and store events, for so long at most; returns why stores stopped their apps.
    package typealias Listening =
        @Sendable (Run, _ apps: [StoreApp], _ limit: Span) async throws -> [AppID: StoreFailure]

    /// Hints are worth a part of the night and no more.
    private static let longestListening = Span.minutes(10)

    private let connection: PostgresConnection
    let database: PostgresConfiguration
    let apps: [StoreApp]
    let options: NightlyOptions
    let logger: Logger
    let progress: any NightProgress
    /// By the machine's clock, whatever the logical now is.
    private let deadline: ContinuousClock.Instant
    private let listening: Listening

    /// - Parameters:
    ///   - connection: to the database, whose schema is this program's.
    ///   - listening: is called once, before the night plans.
    package init(
        connection: PostgresConnection, database: PostgresConfiguration, apps: [StoreApp], options: NightlyOptions,
        logger: Logger, progress: any NightProgress, listening: @escaping Listening
    ) {
        self.connection = connection
        self.database = database
        self.apps = apps
        self.options = options
        self.logger = logger
        self.progress = progress
        self.listening = listening
        self.deadline = .now + .microseconds(options.finishWithin.micros)
    }

    /// No chunk is started any more; those under way are brought to their end.
    var isOutOfTime: Bool { .now >= deadline }

    /// Runs the night. Throws `PipelineError` or `PostgresError`; what an app's store refuses is in the summary instead.
    package func run() async throws -> RunSummary {
        for app in apps { app.client.finish(by: deadline) }
        if options.dryRun {
            return try await DryRun(connection: connection, apps: apps, options: options, logger: logger).run()
        }
        let ledger = RunLedger(
            connection: connection, leaseSeconds: options.leaseSeconds, waiting: options.waiting)
        let request = RunRequest(
            .nightly, apps: apps.map(\.id), now: options.now, businessDate: options.businessDate,
            isReported: options.reports, isAudit: options.all)
        // An interruption or failure leaves the run open, its reports included, for the next one to resume.
        var summary = try await ledger.withRun(request, on: database, logger: logger, ifBroken: .resumable) { run in
            try await ask(run, ledger)
        } conclude: { run, seal, asked in
            try await RunFinalizer(
                connection: connection, run: run, options: options, stops: asked.stops, late: asked.late,
                askedApps: apps.count, hasManyFailedChecks: asked.hasManyFailedChecks, logger: logger
            ).finalize(seal: seal)
        }
        for app in apps { summary.count(app.client) }
        return summary
    }

    /// What asking the stores came to.
    private struct Asked: Sendable {
        /// Why apps were stopped.
        let stops: [AppID: StoreFailure]
        /// Those of them that had finished with what they were answered until then.
        let late: Set<AppID>
        let hasManyFailedChecks: Bool
    }

    private func ask(_ run: Run, _ ledger: RunLedger) async throws -> Asked {
        let stops = StoppedApps()
        let answered = try await ExtractStage(connection: connection)
            .answered(of: apps.map(\.id), before: run.now, besides: run.id)
        let deferred = DeferredChecks(of: apps.map(\.store), answered: answered)
        try await workThrough(run, stops, deferred)
        let failed = FailedChecks(run: run, connection: connection, logger: logger)
        for (app, failure) in try await failed.appsWithoutAnswer() { await stop(app, because: failure, among: stops) }
        let hasManyFailedChecks = try await failed.reportShares(except: Set(stops.failures.keys))
        let failures = await stops.failures
        let answered = try await failed.answeredApps()
        let late = Set(failures.filter { $0.value.kind == .storeDown && answered.contains($0.key) }.keys)
        for (app, failure) in failures.sorted(by: { $0.key < $1.key }) {
            try await ledger.stop(app, of: run, because: failure.message, isLate: late.contains(app))
        }
        progress.finished()
        return Asked(stops: failures, late: late, hasManyFailedChecks: hasManyFailedChecks)
    }

    /// Listens, then plans and works until nothing is due any more or the time is over.
    private func workThrough(
        _ run: Run, _ stops: StoppedApps, _ deferred: DeferredChecks
    ) async throws {
        let limit = min(Self.longestListening, Span(micros: options.finishWithin.micros / 10))
        let stopped = try await listening(run, apps, limit)
        for (app, failure) in stopped.sorted(by: { $0.key < $1.key }) {
            // Of a store that is down the checks say so; an app of which none is due has finished all the same.
            if failure.mayPass {
                logger.warning("what the store reported could not be read: \(failure)", metadata: ["app": "\(app)"])
            } else {
                await stop(app, because: failure, among: stops)
            }
        }
        while try await plan(run, without: stops.failures) {
            try await work(on: run, stops, deferred)
            try await decide(deferred, connection, stops)
            guard !isOutOfTime else { return try await stopLateApps(run, stops) }
        }
    }

    func stop(_ app: AppID, because failure: StoreFailure, among stops: StoppedApps) async {
        logger.error("the app stops: \(failure)", metadata: ["app": "\(app)", "reason": "\(failure.reason)"])
        await stops.stop(app, because: failure)
    }

    private func stopLateApps(_ run: Run, _ stops: StoppedApps) async throws {
        for row in try await connection.query(SQL.Pipeline.listOpenApps, [.int(run.id)]) {
            let app = AppID(try row.string("app_id"))
            let failure = StoreFailure(
                .storeDown, reason: StoreFailure.outOfTime,
                message: "App \(app) stops for tonight: nightly.finish_within is over. "
                    + "\(try row.int64("subscriptions")) subscriptions stay due for the next night; allow it more time, "
                    + "or more requests per second.")
            if await !stops.isStopped(app) { await stop(app, because: failure, among: stops) }
        }
    }

    /// Plans what is due and not planned yet; true while there is work. The first round plans the night, a further one
    /// what the answers showed: other subscriptions of the same customers. A resumed run keeps its leader's plan.
    private func plan(
        _ run: Run, without stops: [AppID: StoreFailure]
    ) async throws -> Bool {
        let extract = ExtractStage(connection: connection)
        for app in apps where stops[app.id] == nil {
            let part = ExtractStage.Plan(
                runID: run.id, appID: app.id, now: run.now, isAudit: run.isAudit,
                looks: try await app.looks(by: extract))
            let planned = try await extract.plan(part, chunkSize: options.chunkSize)
            progress.planned(app: app.id, due: planned.due)
        }
        let open = apps.map(\.id).filter { stops[$0] == nil }
        return try await extract.hasOpenChunks(runID: run.id, of: open)
    }

    /// Works the chunks off, the apps side by side: each has a worker of its own at least, with a connection of its own.
    private func work(on run: Run, _ stops: StoppedApps, _ deferred: DeferredChecks) async throws {
        let stopped = await stops.failures
        let open = apps.map(\.id).filter { stopped[$0] == nil }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<max(options.workers, open.count) where !open.isEmpty {
                let home = open[number % open.count]
                group.addTask {
                    try await ChunkWorker(
                        night: self, run: run, stops: stops, deferred: deferred, number: number + 1, home: home
                    ).work()
                }
            }
            try await group.waitForAll()
        }
    }
}

extension RunSummary {
    /// The cost of asking, printed at the end and not kept: the same night run again may differ.
    fileprivate mutating func count(_ client: ThrottledClient) {
        let cost = client.counts
        counts["calls", default: 0] += Int64(cost.calls)
        counts["retries", default: 0] += Int64(cost.retries)
        counts["throttled", default: 0] += Int64(cost.throttled)
    }
}
