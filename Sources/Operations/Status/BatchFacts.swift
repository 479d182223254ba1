// SPDX-License-Identifier: Apache-2.0

package import Model

/// What the verdict on the batch rests on: last nights, owed reports, dead runs.
///
/// Read in a few short statements, none of which counts subscriptions.
package struct BatchFacts: Sendable, Hashable {
    /// An app's last night and last issue, however many other runs came since.
    package struct App: Sendable, Hashable {
        package var appID: String
        package var lastNight: Night?
        /// Logical now of the last night that finished it.
        package var lastFinished: Instant?
        /// A night of it has a living leader.
        package var isUnderWay = false
        /// As of its last seal.
        package var unread: Int64 = 0
        /// The most that a night of the last business date had to ask.
        package var asked: Int64 = 0
        /// Requests of the nights of the last business date.
        package var calls: Int64 = 0
        /// Open ones of the nights of the last business date.
        package var newDeadLetters: Int64 = 0
        package var openDeadLetters: Int64 = 0
        package var lastIssue: Issue?

        package init(_ appID: String) { self.appID = appID }
    }

    /// A sealed night, as an app's part of it went.
    package struct Night: Sendable, Hashable {
        package enum End: Sendable, Hashable {
            case finished
            /// Its store answered until it went down, or the time was over.
            case late(String)
            case stopped(String)
        }

        package var runID: Int64
        package var businessDate: String
        package var logicalNow: Instant
        package var end: End
        /// From the run's start to the app's end in it.
        package var seconds: Int64

        package init(runID: Int64, businessDate: String, logicalNow: Instant, end: End = .finished, seconds: Int64 = 0)
        {
            (self.runID, self.businessDate, self.logicalNow) = (runID, businessDate, logicalNow)
            (self.end, self.seconds) = (end, seconds)
        }
    }

    package struct Issue: Sendable, Hashable {
        package var businessDate: String
        package var path: String
        package var issuedAt: Instant

        package init(businessDate: String, path: String, issuedAt: Instant) {
            (self.businessDate, self.path, self.issuedAt) = (businessDate, path, issuedAt)
        }
    }

    /// A run whose leader is dead.
    package struct DeadRun: Sendable, Hashable {
        package var runID: Int64
        package var job: String
        package var businessDate: String

        package init(runID: Int64, job: String, businessDate: String) {
            (self.runID, self.job, self.businessDate) = (runID, job, businessDate)
        }
    }

    /// Of every app that the database knows, in the order of their ids.
    package var apps: [App] = []
    /// Business dates whose sealed night owes a report that is not there, the oldest first.
    package var owedReports: [String] = []
    package var deadRuns: [DeadRun] = []
    /// The business date of the newest issue, where its books do not agree.
    package var unreconciledDate: String?

    package init() {}
}
