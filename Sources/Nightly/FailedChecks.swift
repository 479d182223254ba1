// SPDX-License-Identifier: Apache-2.0

import Logging
import Model
import Postgres
import Runs
import SQLCatalog
import Stores

/// What the failed checks of a night say about each app as a whole.
struct FailedChecks {
    let run: Run
    let connection: PostgresConnection
    let logger: Logger

    /// Those whose store said anything: a state, a word about an id, notifications.
    func answeredApps() async throws(PostgresError) -> Set<AppID> {
        var apps: Set<AppID> = []
        for row in try await connection.query(SQL.Pipeline.listAnsweredApps, [.int(run.id)]) {
            apps.insert(AppID(try row.string("app_id")))
        }
        return apps
    }

    /// A store that answered nothing at all was down, however few were asked: its app has not finished.
    func appsWithoutAnswer() async throws(PostgresError) -> [(AppID, StoreFailure)] {
        var apps: [(AppID, StoreFailure)] = []
        for row in try await connection.query(SQL.Pipeline.listUnansweredApps, [.int(run.id)]) {
            let app = AppID(try row.string("app_id"))
            let failure = StoreFailure(
                .storeDown, reason: "all_failed",
                message: "App \(app): all \(try row.int64("checks")) checks of tonight failed"
                    + "\(try await most(of: app)). They are due at once: the next run asks again.")
            apps.append((app, failure))
        }
        return apps
    }

    /// Logs each app of whose checks more than a hundredth, and more than four, failed; true if there is one.
    func reportShares(except stopped: Set<AppID>) async throws(PostgresError) -> Bool {
        var isAny = false
        for row in try await connection.query(SQL.Pipeline.listFailedChecks, [.int(run.id)]) {
            let app = AppID(try row.string("app_id"))
            guard !stopped.contains(app) else { continue }
            isAny = true
            let (failed, checks) = (try row.int64("failed"), try row.int64("checks"))
            let most = try await most(of: app)
            logger.error(
                """
                \(failed) of \(checks) checks of \(app) failed\(most). See to it and run the night again: what \
                may pass is due at once.
                """, metadata: ["app": "\(app)"])
        }
        return isAny
    }

    /// Why most of them came to nothing.
    private func most(of app: AppID) async throws(PostgresError) -> String {
        let row = try await connection.query(
            SQL.Pipeline.findCommonestFailure, [.int(run.id), PostgresValue(app)]
        ).first
        return try row?.optionalString("last_error").map { ", most of them so: \($0)".withoutStop } ?? ""
    }
}

extension String {
    fileprivate var withoutStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
