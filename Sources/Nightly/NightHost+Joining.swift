// SPDX-License-Identifier: Apache-2.0

import Logging
import Model
import Postgres
import Runs
import SQLCatalog
import Stores

/// How a process becomes a host of a run, and what it notes of apps that stop.
extension NightHost {
    /// Joins with all that is known of the run by then.
    ///
    /// `deadline`: of who leads it; the others follow what the run's leader has noted.
    init(
        _ identity: Identity, apps: [StoreApp], options: NightlyOptions, until deadline: ContinuousClock.Instant?,
        sessions: DatabaseSessions, logger: Logger, progress: any NightProgress
    ) async throws {
        let soFar = try await sessions.use { try await RunSoFar.read(identity, of: apps, on: $0) }
        let stops = StoppedApps(soFar.stops) { app, failure, isCause in
            await Self.note(failure, of: app, isCause: isCause, by: identity, through: sessions, logger)
        }
        let time = NightTime(deadline, of: apps)
        self.init(
            identity: identity, apps: apps, options: options, sessions: sessions, logger: logger, progress: progress,
            time: time, stops: stops, deferred: soFar.deferredChecks(of: apps),
            exchange: RunExchange(
                identity, apps: apps, stops: stops, time: time, sessions: sessions, logger: logger, progress: progress))
        try await exchange.learn()
    }

    func stop(_ app: AppID, because failure: StoreFailure) async {
        logger.error("\(failure.sentence(stopping: app))", metadata: ["app": "\(app)", "reason": "\(failure.reason)"])
        await stops.stop(app, because: failure)
    }

    /// Where it cannot be noted, the other hosts ask the app until they meet it themselves.
    ///
    /// That a store says nothing to one host, which may be without a network, is no word about the app: that host asks no more of it, and
    /// the others go on. What its leader meets is the run's.
    private static func note(
        _ failure: StoreFailure, of app: AppID, isCause: Bool, by identity: Identity,
        through sessions: DatabaseSessions, _ logger: Logger
    ) async {
        guard failure.kind != .cancelled else { return }
        guard identity.isLeading || !failure.isOfOneHost else {
            return logger.notice(
                "this host asks no more of the app; the others go on with it", metadata: ["app": "\(app)"])
        }
        let parameters: [PostgresValue] = [
            .int(identity.run.id), PostgresValue(app), .text(failure.kind.rawValue), .text(failure.reason),
            .text(failure.message), .bool(isCause), identity.isLeading ? .int(identity.run.generation) : .null,
        ]
        do {
            try await sessions.use { try await $0.execute(SQL.Pipeline.noteStop, parameters) }
        } catch {
            logger.warning("why an app stops could not be noted", metadata: ["app": "\(app)", "error": "\(error)"])
        }
    }
}
