// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import SQLCatalog

/// How fresh one app's data is, as the seal saw it.
struct Coverage: Hashable {
    let appID: String
    let store: String
    /// The last night that included the app, and how it went: `done` or `stopped`.
    let lastRunDate: String
    let lastRunOutcome: String
    /// Why its store stopped it, and what to do.
    let reason: String?
    let due: Int64
    let checked: Int64
    let unread: Int64
    /// The clock of the last night that its store did not stop; nil if there was none.
    let lastCheckedAt: Instant?
    /// That night's business date.
    let checkedThrough: String?

    init(_ row: PostgresRow) throws(PostgresError) {
        appID = try row.string("app_id")
        store = try row.string("store")
        lastRunDate = try row.string("last_run_date")
        lastRunOutcome = try row.string("last_run_outcome")
        reason = try row.optionalString("reason")
        due = try row.int64("due")
        checked = try row.int64("checked")
        unread = try row.int64("unread")
        lastCheckedAt = try row.optionalInstant("last_checked_at")
        checkedThrough = try row.optionalString("checked_through")
    }

    /// What a reader must know before trusting the app's last days; nil if there is nothing.
    func warning(on businessDate: BusinessDate) -> String? {
        let known = lastCheckedAt.map { "its figures stand as of \($0.iso8601)" } ?? "it was never read"
        if lastRunOutcome == "stopped" {
            let reason = reason.map { ": \($0)" } ?? ""
            return "\(appID) was stopped on the last night; \(known)\(reason)"
        }
        guard let checkedThrough, checkedThrough < businessDate.description else { return nil }
        return "\(appID) is late: no night since the one for \(checkedThrough); \(known)"
    }
}
