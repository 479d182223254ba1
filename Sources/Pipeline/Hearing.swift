// SPDX-License-Identifier: Apache-2.0

import Logging
import Model
import Postgres
import Stores

/// Hears what the stores tell unasked before a night plans, the apps side by side, each on a connection of its own. Hints
/// are worth a part of the night and no more: what is not heard in time is heard by the next run.
struct Hearing {
    private static let longest = Span.minutes(10)

    let night: NightlyRun
    let run: Run
    let stops: StoppedApps

    func listen() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for app in night.apps { group.addTask { try await listen(to: app) } }
            try await group.waitForAll()
        }
    }

    /// A store that cannot be asked stops its app, and the others go on.
    private func listen(to app: NightlyApp) async throws {
        let connection = try await PostgresConnection.connect(night.database, logger: night.logger)
        defer { Task { await connection.close() } }
        let notifications = NotificationRound(run: run, connection: connection, logger: night.logger)
        do {
            _ = try await notifications.listen(to: app, pulls: false)
            let isHeard = try await isDone(within: limit) {
                _ = try await notifications.fetch(for: app)
                try await NewsRound(run: run, connection: connection).listen(to: app)
            }
            if !isHeard { tellUnheard(app) }
        } catch let failure as StoreFailure {
            await night.stop(app.id, because: failure, among: stops)
        }
        try Task.checkCancellation()
    }

    private var limit: Span { min(Self.longest, Span(micros: night.options.finishWithin.micros / 10)) }

    /// False when it was cut short.
    private func isDone(within limit: Span, _ work: @Sendable @escaping () async throws -> Void) async throws -> Bool {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await work()
                return true
            }
            group.addTask {
                try await Task.sleep(for: .microseconds(limit.micros))
                return false
            }
            defer { group.cancelAll() }
            return try await group.next() ?? true
        }
    }

    private func tellUnheard(_ app: NightlyApp) {
        night.logger.warning(
            """
            what the store tells unasked (notifications, voided purchases) could not be heard within \
            \(limit.micros / 1_000_000) s; the next run goes on there
            """, metadata: ["app": "\(app.id)"])
    }
}
