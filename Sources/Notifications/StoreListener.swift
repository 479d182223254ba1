// SPDX-License-Identifier: Apache-2.0

package import Logging
package import Model
package import Runs
package import Stores

/// Reads notifications and store events, the apps side by side: a store that answers slowly keeps no other app waiting, as no
/// session is taken while it is asked, and one that stops its app stops no other.
package struct StoreListener: Sendable {
    /// What is asked of the stores, besides reading the inbox.
    package enum Scope: Sendable {
        case nothing
        /// The notifications that a store keeps.
        case notifications
        /// Its notifications and events, for so long at most: what is not read in time is read by the next run.
        case everything(within: Span)
    }

    /// What was read for one app.
    package struct Observed: Sendable {
        package let app: AppID
        package fileprivate(set) var counts = NotificationCounts()
        /// Why the store stopped the app; nil where it did not.
        package fileprivate(set) var stop: StoreFailure?
    }

    private let sessions: DatabaseSessions
    private let logger: Logger

    package init(sessions: DatabaseSessions, logger: Logger) {
        self.sessions = sessions
        self.logger = logger
    }

    /// Throws `PostgresError`, or that it was cancelled.
    package func listen(to apps: [StoreApp], in run: Run, _ scope: Scope) async throws -> [AppID: Observed] {
        let observed = try await withThrowingTaskGroup(of: Observed.self) { group in
            for app in apps { group.addTask { try await listen(to: app, in: run, scope) } }
            return try await group.reduce(into: [AppID: Observed]()) { $0[$1.app] = $1 }
        }
        try Task.checkCancellation()
        return observed
    }

    /// Reads all notifications and store events, as a night does; returns why stores stopped their apps.
    package func observe(_ run: Run, _ apps: [StoreApp], within limit: Span) async throws -> [AppID: StoreFailure] {
        try await listen(to: apps, in: run, .everything(within: limit)).compactMapValues(\.stop)
    }

    private func listen(to app: StoreApp, in run: Run, _ scope: Scope) async throws -> Observed {
        let notifications = NotificationRound(run: run, database: sessions, logger: logger)
        var observed = Observed(app: app.id)
        observed.stop = app.store.refusal
        // What is in the inbox waits: whether the store sent it is proved with the app's keys.
        guard observed.stop == nil else { return observed }
        do {
            observed.counts = try await notifications.readInbox(of: app)
            switch scope {
            case .nothing: break
            case .notifications: observed.counts = observed.counts + (try await notifications.fetch(for: app))
            case .everything(let limit):
                let isObserved = try await isDone(within: limit) {
                    _ = try await notifications.fetch(for: app)
                    try await StoreEventRound(run: run, database: sessions).read(of: app)
                }
                if !isObserved { warnUnobserved(app, limit) }
            }
        } catch let failure as StoreFailure {
            // An interruption is no fault of the store's.
            try Task.checkCancellation()
            observed.stop = failure
        }
        return observed
    }

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

    private func warnUnobserved(_ app: StoreApp, _ limit: Span) {
        logger.warning(
            """
            what the store tells unasked (notifications, voided purchases) could not be heard within \
            \(limit.micros / 1_000_000) s; the next run goes on there
            """, metadata: ["app": "\(app.id)"])
    }
}
