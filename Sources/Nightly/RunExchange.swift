// SPDX-License-Identifier: Apache-2.0

import Logging
import Model
import Postgres
import Runs
import SQLCatalog
import Stores

/// What a host notes of its part in a run, and learns of the others' every second.
///
/// Which apps are stopped, what was spent of the retries and of the time for which stores are waited for, and until when may be asked
/// are the run's: they are in its tables, and no process has them for itself.
actor RunExchange {
    private static let interval = Duration.seconds(1)

    /// What a host has done of an app.
    private struct Part: Hashable {
        var calls = 0
        var retries = 0
        var chunks = 0
        var checks = 0
        var wasAnswered = false
    }

    private let host: NightHost.Identity
    private let apps: [AppID: StoreApp]
    private let stops: StoppedApps
    private let time: NightTime
    private let sessions: DatabaseSessions
    private let logger: Logger
    private let progress: any NightProgress
    /// What this host has loaded, calls and retries apart, which the clients count.
    private var loaded: [AppID: Part] = [:]
    private var noted: [AppID: Part] = [:]
    /// Checks of the other hosts that were reported as progress.
    private var checksOfOthers: [AppID: Int] = [:]

    init(
        _ host: NightHost.Identity, apps: [StoreApp], stops: StoppedApps, time: NightTime, sessions: DatabaseSessions,
        logger: Logger, progress: any NightProgress
    ) {
        self.host = host
        self.apps = Dictionary(apps.map { ($0.id, $0) }) { first, _ in first }
        self.stops = stops
        self.time = time
        self.sessions = sessions
        self.logger = logger
        self.progress = progress
    }

    /// Notes and learns while the work goes on, and once more when it is done: who leads the run throws where that fails, for what it
    /// has not learned would be sealed as if it were not so.
    nonisolated func maintain<Result: Sendable>(
        _ work: @Sendable @escaping () async throws -> Result
    ) async throws -> Result {
        let repeating = Task {
            while (try? await Task.sleep(for: Self.interval)) != nil { await self.exchange() }
        }
        let result: Result
        do {
            result = try await withTaskCancellationHandler(operation: work) { repeating.cancel() }
        } catch {
            repeating.cancel()
            await repeating.value
            throw error
        }
        repeating.cancel()
        await repeating.value
        if host.isLeading { try await settle() } else { await exchange() }
        return result
    }

    /// A chunk is loaded, or a part of it.
    func count(checks: Int, of app: AppID, isWhole: Bool) {
        loaded[app, default: Part()].checks += checks
        if isWhole { loaded[app, default: Part()].chunks += 1 }
    }

    /// Notes and learns, or throws: before what follows from all that the hosts know.
    ///
    /// `purpose`: of the session that it takes. One for work waits until the server has room for it; one for leases is refused at once, as
    /// what is done every second may be.
    func settle(over purpose: DatabaseSessions.Purpose = .work) async throws {
        try await note(over: purpose)
        try await learn(over: purpose)
    }

    /// What could not be noted or read is so with what follows.
    func exchange() async {
        do {
            try await settle(over: .leases)
        } catch {
            guard !Task.isCancelled else { return }
            logger.warning(
                "what the run's hosts know could not be exchanged", metadata: ["error": "\(error)"])
        }
    }

    private func note(over purpose: DatabaseSessions.Purpose) async throws {
        // A host that waits alone may be without a network: as with what stops an app, its leader's waiting is the run's.
        let waited = (host.isLeading ? Array(apps.values) : [])
            .map { (app: $0.id, milliseconds: $0.client.spent.waitedMilliseconds) }
            .filter { $0.milliseconds > 0 }
        let parts = apps.mapValues(part).filter { $0.value != noted[$0.key, default: Part()] }
        guard !parts.isEmpty || !waited.isEmpty else { return }
        let run = host.run.id
        let parameters = parameters(of: parts.sorted { $0.key < $1.key })
        try await sessions.use(purpose) { connection in
            if !waited.isEmpty {
                try await connection.execute(
                    SQL.Pipeline.noteWaiting,
                    [.int(run), .textArray(waited.map(\.app.rawValue)), .intArray(waited.map(\.milliseconds))])
            }
            if !parts.isEmpty { try await connection.execute(SQL.Pipeline.noteHost, parameters) }
        }
        noted.merge(parts) { $1 }
    }

    private func part(of app: StoreApp) -> Part {
        var part = loaded[app.id, default: Part()]
        let counts = app.client.counts
        (part.calls, part.retries) = (counts.calls, counts.retries)
        part.wasAnswered = app.client.hasAnsweredWell
        return part
    }

    private func parameters(of parts: [(key: AppID, value: Part)]) -> [PostgresValue] {
        let counts = [\Part.calls, \.retries, \.chunks, \.checks].map { count in
            PostgresValue.intArray(parts.map { Int64($0.value[keyPath: count]) })
        }
        return [
            .int(host.run.id), .text(host.name), .text(Leader.current.host), .int(Leader.current.processID),
            .textArray(parts.map(\.key.rawValue)),
        ] + counts + [.textArray(parts.filter(\.value.wasAnswered).map(\.key.rawValue))]
    }

    /// What the others have noted.
    func learn(over purpose: DatabaseSessions.Purpose = .work) async throws {
        let run = host.run
        let name = host.name
        // In this order: what is said of the apps is not older than whose time counts.
        let (state, rows) = try await sessions.use(purpose) { connection in
            let state = host.isLeading ? nil : try await RunLedger(connection: connection).look(at: run)
            return (state, try await connection.query(SQL.Pipeline.listRunApps, [.int(run.id), .text(name)]))
        }
        let said = try rows.map { (row) throws(PostgresError) in try SaidOfApp(row) }
        for said in said { await learn(said) }
        guard let state, time.follow(state) else { return }
        await stops.resumeLate(except: Set(said.filter { $0.stop != nil }.map(\.app)))
    }

    private func learn(_ said: SaidOfApp) async {
        guard let app = apps[said.app] else { return }
        app.client.learn(said.others)
        app.client.learn(checksOfOthers: said.checksOfOthers)
        if said.wereOthersAnswered { app.client.learnOfAnswers() }
        let checks = said.checksOfOthers - checksOfOthers[said.app, default: 0]
        if checks > 0 { progress.advanced(app: said.app, by: checks) }
        checksOfOthers[said.app] = said.checksOfOthers
        guard let failure = said.stop, await stops.learn(failure, of: said.app) else { return }
        logger.error(
            "\(failure.sentence(stopping: said.app)) Another host of the run has found it.",
            metadata: ["app": "\(said.app)", "reason": "\(failure.reason)"])
        // What is under way when the time is over is brought to its end.
        if failure.cause != .outOfTime { app.client.stopAsking(because: failure) }
    }
}
