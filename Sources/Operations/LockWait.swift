// SPDX-License-Identifier: Apache-2.0

import Logging
import Postgres
import Runs
import SQLCatalog
import Synchronization

/// The wait for locks that others hold, over attempts of a second each.
final class LockWait: Sendable {
    private let connection: PostgresConnection
    private let patience: LockPatience
    private let logger: Logger
    private let started = ContinuousClock.now
    /// Who was seen to hold them last, and whether anything was waited for yet.
    private let state = Mutex<(blockers: String?, hasWaited: Bool)>((nil, false))

    init(connection: PostgresConnection, patience: LockPatience, logger: Logger) {
        self.connection = connection
        self.patience = patience
        self.logger = logger
    }

    /// Whether a vacuum of the server's own is what the last attempt waited for: it gives way to whoever waits a little longer.
    func isForVacuum() async throws(PostgresError) -> Bool {
        guard state.withLock(\.hasWaited) else { return false }
        return try await connection.query(SQL.Pipeline.isVacuumed).first?.bool("is_so") ?? false
    }

    /// Runs an attempt.
    ///
    /// Once the wait has lasted, a second session looks meanwhile who keeps it waiting.
    func watching<Result: Sendable>(_ attempt: () async throws -> Result) async throws -> Result {
        guard ContinuousClock.now - started >= patience.untilReported else { return try await attempt() }
        let process = try await connection.query(SQL.Pipeline.ownSession).first?.int64("pid") ?? 0
        let watcher = Task { [connection] in
            try await self.look(for: process, on: try await PostgresConnection.connect(connection.configuration))
        }
        defer { watcher.cancel() }
        return try await attempt()
    }

    /// Before the next attempt.
    ///
    /// Throws `PipelineError` `.databaseBusy` once there is none.
    func pause() async throws {
        state.withLock { $0.hasWaited = true }
        guard ContinuousClock.now - started < patience.limit else {
            let blockers = state.withLock(\.blockers) ?? "other sessions hold locks on it"
            throw PipelineError(
                .databaseBusy,
                "the schema could not be changed within \(patience.limit.components.seconds) s: \(blockers); end what "
                    + "holds them, or run it again later: nothing was changed")
        }
        try await Task.sleep(for: patience.pause)
    }

    private func look(for process: Int64, on watcher: PostgresConnection) async throws {
        while !Task.isCancelled {
            if let blockers = try await ServerLook.blockers(of: process, on: watcher) {
                let isOther = state.withLock { state in
                    defer { state.blockers = blockers }
                    return state.blockers != blockers
                }
                if isOther { logger.warning("waiting for locks to change the schema: \(blockers)") }
                break
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        await watcher.close()
    }
}

extension PostgresError {
    /// Others held a lock for longer than it was waited for, or waited for one of ours themselves.
    var isOfLocks: Bool { isOfLockWait || code == .deadlock }
}
