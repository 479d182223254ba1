// SPDX-License-Identifier: Apache-2.0

import Logging
import Model
import Postgres
import Runs
import SQLCatalog
import Stores

/// Notes what this process spends of a run's retries and of the time for which its stores are waited for: who resumes the run goes
/// on from there.
actor RunExpenses {
    private static let interval = Duration.seconds(10)

    private let run: Run
    private let apps: [StoreApp]
    private let sessions: DatabaseSessions
    private let logger: Logger
    private var noted: [AppID: ThrottledClient.Spent]

    /// `noted`: by processes that led the run before.
    init(
        of run: Run, _ apps: [StoreApp], noted: [AppID: ThrottledClient.Spent], sessions: DatabaseSessions,
        logger: Logger
    ) {
        self.run = run
        self.apps = apps
        self.noted = noted
        self.sessions = sessions
        self.logger = logger
    }

    /// Notes while the work goes on, and once more when it is done.
    nonisolated func maintain(_ work: @Sendable @escaping () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await work()
                return true
            }
            group.addTask {
                while (try? await Task.sleep(for: Self.interval)) != nil { await self.note() }
                return false
            }
            defer { group.cancelAll() }
            while let isWorkDone = try await group.next(), !isWorkDone {}
        }
        await note()
    }

    /// What could not be noted is noted with what follows.
    private func note() async {
        let spent = apps.map { (app: $0.id, spent: $0.client.spent) }
        let changed = spent.filter { $0.spent != noted[$0.app, default: ThrottledClient.Spent()] }
        guard !changed.isEmpty else { return }
        let parameters: [PostgresValue] = [
            .int(run.id), .textArray(changed.map(\.app.rawValue)), .intArray(changed.map { Int64($0.spent.calls) }),
            .intArray(changed.map { Int64($0.spent.retries) }), .intArray(changed.map(\.spent.waitedMilliseconds)),
        ]
        do {
            let rows = try await sessions.use(.leases) { try await $0.query(SQL.Pipeline.noteSpent, parameters) }
            let written = Set(try rows.map { AppID(try $0.string("app_id")) })
            for (app, spent) in changed where written.contains(app) { noted[app] = spent }
        } catch {
            guard !Task.isCancelled else { return }
            logger.warning("what the run has spent could not be noted", metadata: ["error": "\(error)"])
        }
    }
}
