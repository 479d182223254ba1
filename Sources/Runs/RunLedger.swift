// SPDX-License-Identifier: Apache-2.0

package import Model
package import Postgres
internal import SQLCatalog

/// The run ledger: opens, resumes, seals and finishes runs, so that overlapping jobs are harmless and a dead one is
/// resumed.
package struct RunLedger: Sendable {
    /// How long a leader that stopped renewing is still taken for alive, in seconds.
    package static let leaseSeconds: Int64 = 60

    let database: PostgresConnection
    let leaseSeconds: Int64
    private let leader: Leader

    package init(
        connection: PostgresConnection, leader: Leader = .current, leaseSeconds: Int64 = RunLedger.leaseSeconds
    ) {
        self.database = connection
        self.leader = leader
        self.leaseSeconds = leaseSeconds
    }

    /// Opens a run for these apps, or takes over the one that a dead process left for the same business date, whose clock it keeps
    /// then. The schema stays as this program knows it until the run is open; from then on migrators see that it is.
    ///
    /// Throws `PipelineError`: `.alreadyRunning` naming who
    /// holds the app, `.clockRunsBackwards` when `now` lies before a sealed run of these apps, `.schemaDiffers` when a
    /// newer program has changed the schema.
    package func open(_ request: RunRequest) async throws -> Run {
        do {
            return try await database.withTransaction { connection in
                try await Schema.share(on: connection)
                try await checkClock(request)
                if let opened = try await findOpened(by: request) { return opened }
                if let resumed = try await settleOpenRuns(before: request) { return resumed }
                return try await begin(request)
            }
        } catch let error as PostgresError where error.constraint == "one_open_run_per_app" {
            throw PipelineError(
                .alreadyRunning, "another process has just opened a run of these apps; try again when it is done")
        }
    }

    /// The same for a run that neither reports nor audits.
    package func open(
        _ job: Run.Job, apps: [AppID], now: Instant, businessDate: BusinessDate
    ) async throws -> Run {
        try await open(RunRequest(job, apps: apps, now: now, businessDate: businessDate))
    }

    private func begin(_ request: RunRequest) async throws -> Run {
        let opened = try await database.query(
            SQL.Pipeline.openRun,
            [
                PostgresValue(request.job), .date(request.businessDate.description), PostgresValue(request.now),
                .text(leader.host), .int(leader.processID), .int(leaseSeconds), .bool(request.isReported),
                .bool(request.isAudit), .int(request.number),
            ])
        guard let row = opened.first else { throw PipelineError(.failed, "the run could not be opened") }
        let run = Run(
            id: try row.int64("run_id"), job: request.job, now: request.now,
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

    private func checkClock(_ request: RunRequest) async throws {
        guard [.nightly, .notifications, .intake, .report].contains(request.job) else { return }
        let now = request.now
        let row = try await database.query(
            SQL.Pipeline.findLastClock, [.textArray(request.apps.map(\.rawValue))]
        ).first
        guard let last = try row?.optionalInstant("logical_now"), now < last else { return }
        throw PipelineError(
            .clockRunsBackwards,
            "--now \(now.iso8601) lies before the last sealed run of these apps (\(last.iso8601)); "
                + "what was reported then would change: give a later instant")
    }

    /// Runs that are still open: a living one refuses us, a dead one is taken over or closed.
    private func settleOpenRuns(before request: RunRequest) async throws -> Run? {
        let names = request.apps.map(\.rawValue)
        for row in try await database.query(SQL.Pipeline.findOpenRuns, [.textArray(names)]) {
            guard try !row.bool("is_leased") else { throw try Self.alreadyOpen(row) }
            if try isHalf(row, of: request) { return try await takeOver(row, request) }
            try await close(row)
        }
        return nil
    }

    /// What a dead process left of the same job, apps and business date. One that audits goes on with no run that does not.
    private func isHalf(_ row: PostgresRow, of request: RunRequest) throws -> Bool {
        try row.string("job") == request.job.rawValue
            && row.string("business_date") == request.businessDate.description
            && Set(row.textArray("apps")) == Set(request.apps.map(\.rawValue))
            && row.optionalInt64("seal") == nil && (row.bool("is_audit") || !request.isAudit)
    }

    private static func alreadyOpen(_ row: PostgresRow) throws -> PipelineError {
        PipelineError(
            .alreadyRunning,
            "\(try PipelineError.openRun(row)); try again when it is done (if it has died, from "
                + "\(try row.instant("leased_until").iso8601) on: until then its lease holds)")
    }

    private func takeOver(_ row: PostgresRow, _ request: RunRequest) async throws -> Run? {
        let id = try row.int64("run_id")
        let taken = try await database.query(
            SQL.Pipeline.takeOverRun,
            [
                .int(id), .int(try row.int64("leader_generation")), .text(leader.host), .int(leader.processID),
                .int(leaseSeconds), .bool(request.isReported), .int(request.number),
            ])
        guard let generation = try taken.first?.int64("leader_generation") else { return nil }
        try await database.execute(SQL.Pipeline.releaseChunks, [.int(id)])
        return Run(
            id: id, job: request.job, now: try row.instant("logical_now"), generation: generation, isResumed: true,
            isAudit: try row.bool("is_audit"))
    }

    /// A dead run of another night: what it loaded remains and is sealed, what it did not is due still. One that was sealed
    /// already has nothing left undone: what was said of its apps stays.
    private func close(_ row: PostgresRow) async throws {
        let id = try row.int64("run_id")
        let generation = try row.int64("leader_generation")
        let apps = try row.textArray("apps")
        try await database.execute(SQL.Pipeline.abandonChunks, [.int(id), .textArray(apps)])
        if try row.optionalInt64("seal") == nil {
            for app in apps.compactMap(\.self) {
                try await database.execute(
                    SQL.Pipeline.stopApp,
                    [.int(id), .text(app), .text("its process died; the next run went on"), .bool(false)])
            }
            _ = try await database.query(SQL.Pipeline.sealRun, [.int(id), .int(generation)])
        }
        try await database.execute(SQL.Pipeline.closeRunApps, [.int(id)])
        try await database.execute(
            SQL.Pipeline.finishRun,
            [.int(id), .int(generation), .text("failed"), .json("{}"), .text("its process died; the next run went on")])
        try await database.execute(SQL.Pipeline.forgetPlan, [.int(id)])
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
