// SPDX-License-Identifier: Apache-2.0

package import Issues
package import Model
package import Rendering
package import Runs

/// How a night is to be run.
package struct NightlyOptions: Sendable {
    /// The run's logical clock.
    package var now: Instant
    /// Every subscription that is not closed, due or not.
    package var all = false
    /// Asks the stores and reports what would change; writes nothing.
    package var dryRun = false
    package var reports = true
    /// A schedule starts it again and again: a further report of its date is issued only where it says something else.
    package var isRepeated = false
    /// Chunks that are worked on at once; one of each app at least.
    package var workers = 2
    /// Subscriptions (or receipts) per chunk.
    package var chunkSize = 500
    /// How long an archived answer that changed nothing is kept.
    package var archiveRetention = Span.days(90)
    /// How long a night may ask; what is not asked by then stays due.
    package var finishWithin = Span.hours(5)
    /// How long a leader that stopped renewing is still taken for alive, in seconds.
    package var leaseSeconds = RunLedger.leaseSeconds
    /// How an open run of its apps is waited for.
    package var waiting = RunWaiting()
    /// How long a worker that stopped renewing still has its chunk, in seconds.
    var chunkLeaseSeconds: Int64 { 2 * leaseSeconds }
    package var reportDirectory: String
    /// How its reports lie on the disk.
    package var storage = IssueStorage()
    /// The report time zone: it decides the business date.
    package var timeZone: ReportTimeZone
    /// How the page of the night's report is made.
    package var page = PageOptions()
    /// What the owner remarks on days.
    package var notes: ReportNotes?

    package init(now: Instant, reportDirectory: String, timeZone: ReportTimeZone) {
        self.now = now
        self.reportDirectory = reportDirectory
        self.timeZone = timeZone
    }

    /// The day of its now in the report time zone.
    var today: BusinessDate { BusinessDate(lastCompleteDayBefore: now + .days(1), in: timeZone) }

    package var businessDate: BusinessDate { BusinessDate(lastCompleteDayBefore: now, in: timeZone) }
}
