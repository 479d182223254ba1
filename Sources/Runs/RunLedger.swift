// SPDX-License-Identifier: Apache-2.0

package import Logging
package import Model
package import Postgres
internal import SQLCatalog

/// The run ledger: opens, resumes, seals and finishes runs, so that overlapping jobs are harmless and a dead one is
/// resumed.
package struct RunLedger: Sendable {
    /// How long a leader that stopped renewing is still taken for alive, in seconds.
    package static let leaseSeconds: Int64 = 60
    /// A host that leaves frees several chunks, and who closes their run or stops their app abandons them: each may wait for the other.
    static let lockAttempts = 5

    let database: PostgresConnection
    let leaseSeconds: Int64
    let leader: Leader
    let waiting: RunWaiting

    package init(
        connection: PostgresConnection, leader: Leader = .current, leaseSeconds: Int64 = RunLedger.leaseSeconds,
        waiting: RunWaiting = RunWaiting()
    ) {
        self.database = connection
        self.leader = leader
        self.leaseSeconds = leaseSeconds
        self.waiting = waiting
    }

    /// Opens a run for these apps, or takes over the one that a dead process left for the same business date, whose
    /// clock it keeps then.
    ///
    /// The schema stays as this program knows it until the run is open; from then on migrators see that it is.
    ///
    /// A run in the way that will soon be over is waited for, and the log says for whom. Throws `PipelineError`: `.alreadyRunning`
    /// naming who has the app, at once where it is a night of these apps (an intake: `NightIsOpen`), `.clockRunsBackwards` when
    /// `now` lies before a sealed run of these apps, `.schemaDiffers` when a newer program has changed the schema; or `NothingToDo`.
    package func open(_ request: RunRequest, logger: Logger? = nil) async throws -> Run {
        try await waiting.untilFree(logger: logger) { hasWaited in
            try await openOnce(request, hasWaited: hasWaited, logger)
        }
    }

    private func openOnce(_ request: RunRequest, hasWaited: Bool, _ logger: Logger?) async throws -> Run {
        do {
            let run: Run? = try await database.withTransaction(attempts: Self.lockAttempts) { connection in
                try await Schema.share(on: connection)
                if let opened = try await findOpened(by: request) { return opened }
                let now = try await clock(of: request, hasWaited: hasWaited)
                if let resumed = try await settleOpenRuns(before: request, logger) { return resumed }
                // What was closed before stays closed.
                guard try await request.isNeeded(connection) else { return nil }
                return try await begin(request, at: now)
            }
            guard let run else { throw NothingToDo() }
            return run
        } catch let error as PostgresError where error.constraint == "one_open_run_per_app" {
            throw Occupied.justOpened
        }
    }

    /// The same for a run that neither reports nor audits.
    package func open(
        _ job: Run.Job, apps: [AppID], now: Instant, businessDate: BusinessDate
    ) async throws -> Run {
        try await open(RunRequest(job, apps: apps, now: now, businessDate: businessDate))
    }

    private func begin(_ request: RunRequest, at now: Instant) async throws -> Run {
        let opened = try await database.query(
            SQL.Pipeline.openRun,
            [
                PostgresValue(request.job), .date(request.businessDate.description), PostgresValue(now),
                .text(leader.host), .int(leader.processID), .int(leaseSeconds), .bool(request.isReported),
                .bool(request.isAudit), .int(request.number), PostgresValue(request.timeLeft),
            ])
        guard let row = opened.first else { throw PipelineError(.failed, "the run could not be opened") }
        let run = Run(
            id: try row.int64("run_id"), job: request.job, now: now,
            generation: try row.int64("leader_generation"), isResumed: false, isAudit: request.isAudit)
        try await database.execute(
            SQL.Pipeline.openRunApps, [.int(run.id), .textArray(request.apps.map(\.rawValue))])
        return run
    }

    /// An earlier try of the same request has opened it, and the answer was lost.
    private func findOpened(by request: RunRequest) async throws -> Run? {
        guard let row = try await database.query(SQL.Pipeline.findRequestedRun, [.int(request.number)]).first else {
            return nil
        }
        return Run(
            id: try row.int64("run_id"), job: request.job, now: try row.instant("logical_now"),
            generation: try row.int64("leader_generation"), isResumed: try row.bool("is_resumed"),
            isAudit: try row.bool("is_audit"))
    }

    /// The clock that the run begins with.
    ///
    /// Throws where it lies before that of a sealed run of its apps.
    func clock(of request: RunRequest, hasWaited: Bool) async throws -> Instant {
        guard [.nightly, .notifications, .intake, .report].contains(request.job) else { return request.now }
        let row = try await database.query(
            SQL.Pipeline.findLastClock, [.textArray(request.apps.map(\.rawValue))]
        ).first
        guard let last = try row?.optionalInstant("logical_now"), request.now < last else { return request.now }
        if waiting.movesClock, try hasWaited || row?.optionalBool("is_past") == true { return last }
        throw PipelineError(
            .clockRunsBackwards,
            "--now \(request.now.iso8601) lies before the last sealed run of these apps (\(last.iso8601)); "
                + "what was reported then would change: give a later instant")
    }

    /// Runs that are still open: a living one refuses us or is waited for, a dead one is taken over or closed.
    ///
    /// Nothing is settled while any of them lives.
    private func settleOpenRuns(before request: RunRequest, _ logger: Logger?) async throws -> Run? {
        let apps = PostgresValue.textArray(request.apps.map(\.rawValue))
        let met = try await database.query(SQL.Pipeline.findOpenRuns, [apps]).map { row in
            let run = try OpenRun(row)
            return (run: run, meeting: Meeting(of: request, with: run))
        }
        if met.contains(where: { $0.meeting == .worksBeside }) { throw NightIsOpen() }
        if let night = met.first(where: { $0.meeting == .refused }) { throw Occupied(night.run).refusal() }
        if let busy = met.first(where: { $0.meeting == .waits }) { throw Occupied(busy.run) }
        for (run, meeting) in met where meeting != .passes {
            try await endSessions(of: run, logger)
            try await endSilentSessions(ofRun: run.id, silentFor: leaseSeconds, logger)
            if meeting == .resumes { return try await takeOver(run, request) }
            do {
                try await limitLockWait(toMilliseconds: lockWait)
                try await close(run)
                try await limitLockWait(toMilliseconds: 0)
            } catch let error as PostgresError where error.isOfLockWait {
                // Perhaps of a host that froze a moment ago: whoever looks again after its lease ends its session.
                throw Occupied.locked(run)
            }
        }
        return nil
    }

    private func takeOver(_ run: OpenRun, _ request: RunRequest) async throws -> Run? {
        let taken = try await database.query(
            SQL.Pipeline.takeOverRun,
            [
                .int(run.id), .int(run.generation), .text(leader.host), .int(leader.processID), .int(leaseSeconds),
                .bool(request.isReported), .int(request.number), PostgresValue(request.timeLeft),
            ])
        guard let generation = try taken.first?.int64("leader_generation") else { return nil }
        try await database.execute(SQL.Pipeline.releaseChunks, [.int(run.id)])
        try await database.execute(SQL.Pipeline.forgetTimeOver, [.int(run.id)])
        return Run(
            id: run.id, job: request.job, now: run.now, generation: generation, isResumed: true, isAudit: run.isAudit)
    }

    /// A dead run of another night: what it loaded remains and is sealed, what it did not is due still.
    ///
    /// One that was sealed already has nothing left undone: what was said of its apps stays.
    ///
    /// Throws `Occupied`, and leaves it as it is, where another process has taken it over since it was met.
    private func close(_ run: OpenRun) async throws {
        let apps = run.apps.sorted()
        try await database.execute(
            SQL.Pipeline.abandonChunks,
            [.int(run.id), .textArray(apps.map(\.rawValue)), .int(run.generation)])
        if !run.isSealed {
            // Before the rows of its apps: who plans for it locks them in this order.
            let locked = try await database.query(SQL.Pipeline.lockToSeal, [.int(run.id), .int(run.generation)])
            // What follows would close its apps, and drop its plan, under its new leader.
            guard !locked.isEmpty else { throw Occupied.justOpened }
            for app in apps {
                try await database.execute(
                    SQL.Pipeline.stopApp,
                    [
                        .int(run.id), PostgresValue(app), .text("its process died; the next run went on"), .bool(false),
                        .int(run.generation),
                    ])
            }
            _ = try await sealOnce(run.id, run.generation)
        }
        try await database.execute(SQL.Pipeline.closeRunApps, [.int(run.id)])
        try await database.execute(
            SQL.Pipeline.finishRun,
            [
                .int(run.id), .int(run.generation), .text("failed"), .json("{}"),
                .text("its process died; the next run went on"),
            ])
        try await database.execute(SQL.Pipeline.abandonBeside, [.int(run.id)])
        try await database.execute(SQL.Pipeline.forgetPlan, [.int(run.id)])
        try await database.execute(SQL.Pipeline.forgetDeferred, [.int(run.id)])
    }
}

extension PipelineError {
    /// Who holds an open run: its job, apps, process and since when.
    package static func openRun(_ row: PostgresRow) throws(PostgresError) -> String {
        let apps = try row.textArray("apps").compactMap(\.self).joined(separator: ", ")
        let job = try row.string("job")
        let article = "aeiou".contains(job.prefix(1)) ? "an" : "a"
        return "\(article) \(job) run of \(apps) is open: held by process \(try row.int64("process_id")) on "
            + "\(try row.string("host")) since \(try row.instant("started_at").iso8601)"
    }
}
