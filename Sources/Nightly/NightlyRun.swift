// SPDX-License-Identifier: Apache-2.0

internal import Extract
internal import Issues
package import Logging
package import Model
internal import Postgres
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

    let sessions: DatabaseSessions
    let apps: [StoreApp]
    let options: NightlyOptions
    let logger: Logger
    let progress: any NightProgress
    /// How long it listens, plans and asks.
    private let stages = StageSeconds()
    /// By the machine's clock, whatever the logical now is.
    private let deadline: ContinuousClock.Instant
    private let listening: Listening

    /// `sessions`: with the database, whose schema is this program's.
    ///
    /// `listening`: is called once, before the night plans.
    package init(
        sessions: DatabaseSessions, apps: [StoreApp], options: NightlyOptions, logger: Logger,
        progress: any NightProgress, listening: @escaping Listening
    ) {
        self.sessions = sessions
        self.apps = apps
        self.options = options
        self.logger = logger
        self.progress = progress
        self.listening = listening
        self.deadline = .now + .microseconds(options.finishWithin.micros)
    }

    /// Runs the night.
    ///
    /// Throws `PipelineError` or `PostgresError`, and `NothingToDo` where it is one of a schedule's and another start
    /// has just done the date; what an app's store refuses is in the summary instead.
    package func run() async throws -> RunSummary {
        for app in apps { app.client.finish(by: deadline) }
        if options.dryRun {
            return try await DryRun(sessions: sessions, apps: apps, options: options, logger: logger).run()
        }
        var request = RunRequest(
            .nightly, apps: apps.map(\.id), now: options.now, businessDate: options.businessDate,
            isReported: options.reports, isAudit: options.all)
        request.finishBy = deadline
        request.stages = stages
        request.lastSealFound = ReportDirectory.highestSeal(in: options.reportDirectory)
        if options.isRepeated {
            request.isNeeded = { [apps = request.apps, options] in
                try await !DoneDate(connection: $0).isDone(apps, options)
            }
        }
        // An interruption or failure leaves the run open, its reports included, for the next one to resume.
        let led = LedRun(
            sessions: sessions, leaseSeconds: options.leaseSeconds, waiting: options.waiting, logger: logger)
        var summary = try await led.run(request, ifBroken: .resumable) { run in
            try await ask(run)
        } conclude: { run, seal, asked, connection in
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

    private func ask(_ run: Run) async throws -> Asked {
        let host = try await NightHost(
            NightHost.Identity(run, isLeading: true), apps: apps, options: options, until: deadline, sessions: sessions,
            logger: logger, progress: progress)
        try await host.exchange.maintain { try await workThrough(host) }
        let unanswered = try await sessions.use { try await failedChecks(of: run, $0).appsWithoutAnswer() }
        for (app, failure) in unanswered { await host.stop(app, because: failure) }
        let failures = await host.stops.failures
        let hasManyFailedChecks = try await sessions.use {
            try await failedChecks(of: run, $0).reportShares(except: Set(failures.keys))
        }
        let answered = try await sessions.use { try await failedChecks(of: run, $0).answeredApps() }
        let late = Set(failures.filter { $0.value.kind == .storeDown && answered.contains($0.key) }.keys)
        for (app, failure) in failures.sorted(by: { $0.key < $1.key }) {
            try await sessions.use {
                try await RunLedger(connection: $0, leaseSeconds: options.leaseSeconds)
                    .stop(app, of: run, because: failure.message, isLate: late.contains(app))
            }
        }
        progress.finished()
        return Asked(stops: failures, late: late, hasManyFailedChecks: hasManyFailedChecks)
    }

    private func failedChecks(of run: Run, _ connection: PostgresConnection) -> FailedChecks {
        FailedChecks(run: run, connection: connection, logger: logger)
    }

    /// Listens, then plans, works and decides until nothing is due any more or the time is over.
    ///
    /// What the leader before it left undecided is work, too, though no chunk is open.
    private func workThrough(_ host: NightHost) async throws {
        let limit = min(Self.longestListening, Span(micros: options.finishWithin.micros / 10))
        let before = await host.stops.failures
        let stopped = try await stages.measure("listen") {
            try await listening(host.run, apps.filter { before[$0.id] == nil }, limit)
        }
        for (app, failure) in stopped.sorted(by: { $0.key < $1.key }) {
            // Of a store that is down the checks say so; an app of which none is due has finished all the same.
            if failure.mayPass {
                logger.warning("what the store reported could not be read: \(failure)", metadata: ["app": "\(app)"])
            } else {
                await host.stop(app, because: failure)
            }
        }
        try await plan(host)
        while try await isUndone(host) {
            try await stages.measure("ask") { try await host.workToTheEnd() }
            try await host.exchange.settle()
            try await host.decide()
            if host.time.isOver { try await stopLateApps(host) } else { try await plan(host) }
        }
    }

    private func isUndone(_ host: NightHost) async throws -> Bool {
        let stopped = await host.stops.failures
        let open = apps.map(\.id).filter { stopped[$0] == nil }
        return try await sessions.use {
            try await ExtractStage(connection: $0).isUndone(runID: host.run.id, of: open)
        }
    }

    private func stopLateApps(_ host: NightHost) async throws {
        let rows = try await sessions.use { try await $0.query(SQL.Pipeline.listOpenApps, [.int(host.run.id)]) }
        for row in rows {
            let app = AppID(try row.string("app_id"))
            let failure = StoreFailure(
                .storeDown, because: .outOfTime,
                message: "App \(app) stops for tonight: nightly.finish_within is over. "
                    + "\(try row.int64("subscriptions")) subscriptions stay due for the next night; allow it more time, "
                    + "or more requests per second.")
            if await !host.stops.isStopped(app) { await host.stop(app, because: failure) }
        }
    }

    /// Plans what is due and not planned yet.
    ///
    /// The first round plans the night, a further one what the answers showed: other subscriptions of the same
    /// customers. A resumed run keeps its leader's plan.
    private func plan(_ host: NightHost) async throws {
        let stopped = await host.stops.failures
        try await stages.measure("plan") {
            for app in apps where stopped[app.id] == nil {
                let planned = try await sessions.use {
                    try await plan(app, of: host.run, by: ExtractStage(connection: $0))
                }
                progress.planned(app: app.id, due: planned.due)
            }
        }
    }

    private func plan(
        _ app: StoreApp, of run: Run, by extract: ExtractStage
    ) async throws -> ExtractStage.Planned {
        let part = ExtractStage.Plan(
            runID: run.id, generation: run.generation, appID: app.id, now: run.now, isAudit: run.isAudit,
            looks: try await app.looks(by: extract))
        do {
            return try await extract.plan(part, chunkSize: options.chunkSize)
        } catch is ExtractStage.RunLost {
            throw PipelineError.takenOver(run)
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
