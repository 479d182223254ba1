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

    /// What every total of the app leaves out; nil where nothing is.
    var ownBillingNote: String? {
        guard hasOwnBilling else { return nil }
        return
            "\(appID) also sells on billing of its owner's own: such sales make no order at the store, and are in no total."
    }

    var isStopped: Bool { lastRunOutcome == "stopped" }

    /// What a reader must know before trusting the app's last days, a sentence each.
    func warnings(on businessDate: BusinessDate) -> [String] {
        [lateness(on: businessDate), silence].compactMap(\.self)
    }

    /// The figures hold what was last known of them.
    private var silence: String? {
        guard unread > 0 else { return nil }
        let (some, are) = unread == 1 ? ("1 subscription", "is") : ("\(AmountText.count(unread)) subscriptions", "are")
        return "\(some) of \(appID) \(are) unread: the store could not be asked, and they count as they last stood; "
            + "the next run asks again"
    }

    /// The app was not read whole on the last night; nil if it was.
    func lateness(on businessDate: BusinessDate) -> String? {
        let known = lastCheckedAt.map { "its figures stand as of \($0.iso8601)" } ?? "it was never read"
        if isStopped {
            let reason = reason.map { ": \($0)" } ?? ""
            return "\(appID) was stopped on the last night; \(known)\(reason)"
        }
        guard let checkedThrough, checkedThrough < businessDate.description else { return nil }
        return "\(appID) is late: no night since the one for \(checkedThrough); \(known)"
    }
}
