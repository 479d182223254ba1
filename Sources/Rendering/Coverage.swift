// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import SQLCatalog

/// How fresh one app's data is, as the seal saw it.
struct Coverage: Sendable, Hashable {
    let appID: String
    let store: String
    /// The last night that included the app, and how it went: `done` or `stopped`.
    let lastRunDate: String
    let lastRunOutcome: String
    /// Why its store stopped it, and what to do.
    let reason: String?
    /// Of that night.
    let due: Int64
    let checked: Int64
    /// Subscriptions that nobody could read when the report's run was sealed, whichever run failed to.
    let unread: Int64
    /// The clock of the last night that its store did not stop; nil if there was none.
    let lastCheckedAt: Instant?
    /// That night's business date.
    let checkedThrough: String?
    /// The owner also sells on billing of his own.
    let hasOwnBilling: Bool

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
        hasOwnBilling = try row.bool("has_own_billing")
    }

    var isStopped: Bool { lastRunOutcome == "stopped" }

    /// Why the app's last days are not to be trusted; nil where it was read whole on the last night.
    enum Lateness {
        /// By its store, for this reason.
        case stopped(reason: String?)
        /// No night since the one for that day.
        case late(since: String)
    }

    func lateness(on businessDate: BusinessDate) -> Lateness? {
        if isStopped { return .stopped(reason: reason) }
        guard let checkedThrough, checkedThrough < businessDate.description else { return nil }
        return .late(since: checkedThrough)
    }
}
