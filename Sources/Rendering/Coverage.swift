// SPDX-License-Identifier: Apache-2.0

package import Model

/// How fresh one app's data is, as the seal saw it.
package struct Coverage: Sendable, Hashable {
    package let appID: String
    package let store: String
    /// The last night that included the app, and how it went: `done` or `stopped`.
    package let lastRunDate: String
    package let lastRunOutcome: String
    /// Why its store stopped it, and what to do.
    package let reason: String?
    /// Of that night.
    package let due: Int64
    package let checked: Int64
    /// Subscriptions that no run could read when the report's run was sealed, whichever run failed to.
    package let unread: Int64
    /// The clock of the last night that its store did not stop; nil if there was none.
    package let lastCheckedAt: Instant?
    /// That night's business date.
    package let checkedThrough: String?
    /// The owner also sells on billing of his own.
    package let hasOwnBilling: Bool
    /// Since that day it is asked about no more; nil: it is.
    package let retiredOn: String?

    package init(
        appID: String, store: String, lastRunDate: String, lastRunOutcome: String, reason: String?, due: Int64,
        checked: Int64, unread: Int64, lastCheckedAt: Instant?, checkedThrough: String?, hasOwnBilling: Bool,
        retiredOn: String? = nil
    ) {
        (self.appID, self.store, self.hasOwnBilling) = (appID, store, hasOwnBilling)
        (self.lastRunDate, self.lastRunOutcome, self.reason) = (lastRunDate, lastRunOutcome, reason)
        (self.due, self.checked, self.unread) = (due, checked, unread)
        (self.lastCheckedAt, self.checkedThrough, self.retiredOn) = (lastCheckedAt, checkedThrough, retiredOn)
    }

    /// By its store, on the last night; of an app that is retired none is awaited.
    package var isStopped: Bool { lastRunOutcome == "stopped" && retiredOn == nil }

    /// Why the app's last days are not to be trusted; nil where it was read whole on the last night.
    enum Lateness {
        /// By its store, for this reason.
        case stopped(reason: String?)
        /// No night since the one for that day.
        case late(since: String)
    }

    func lateness(on businessDate: BusinessDate) -> Lateness? {
        guard retiredOn == nil else { return nil }
        if isStopped { return .stopped(reason: reason) }
        guard let checkedThrough, checkedThrough < businessDate.description else { return nil }
        return .late(since: checkedThrough)
    }
}
