// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Issues
import Model
import Postgres
import Rendering
import Runs

/// What the owner configured, checked: nothing in here has to be looked at twice.
struct Configuration: Sendable {
    /// Where the books are kept.
    enum Database: Sendable {
        /// A server that somebody else runs, another one for those who only look, and how long either is tried when it cannot be
        /// reached.
        case server(PostgresConfiguration, reading: PostgresConfiguration?, retryFor: Span)
        /// A server of our own in this folder.
        case privateCluster(directory: String)
    }

    /// Where and how reports are written.
    struct Reports: Sendable {
        var directory: String
        /// ISO 4217.
        var currency: String
        var timeZone: ReportTimeZone
        /// `en` or `ja`.
        var language: String
        /// Chart.js; nil: where the system keeps it, if it does.
        var chartScript: String?
        /// Who is notified of issues; nil: no recipient.
        var delivery: DeliverySettings?
        /// What the owner remarks on days; nil: no file is named.
        var notes: ReportNotes?
        /// Who may read them, and how long they stay.
        var storage = IssueStorage()
    }

    /// What a night may take.
    struct Nightly: Sendable {
        /// `finishWithin`, where the file says nothing.
        static let usualTime = Span.hours(5)

        var finishWithin: Span
        /// How long a store that is down is waited for, per app.
        var waitForStore: Span
        /// Retries as a share of the calls.
        var retryBudgetPercent: Int
    }

    var database: Database
    /// How long a statement has no answer before its session is looked for.
    var watchdog: Span
    var apps: [AppConfiguration]
    var access: AccessPolicy
    var nightly: Nightly
    var reports: Reports
    /// How long the stores' answers are kept.
    var archiveRetention: Span
    /// How old an app's last finished night may be before the status is not OK.
    var statusMaxAge = Rules.nightAge
    /// Where the figures of the last night are written for Prometheus; nil: nowhere.
    var metricsFile: String?
    /// `--now` may lie in the future: for trials.
    var isClockSimulated: Bool
    /// Of such trials: what the clock shows where there is no `--now`.
    ///
    /// Nil: as the wall clock.
    var simulatedNow: Instant?
    /// How long a leader that stopped renewing is still taken for alive, in seconds: shorter only in trials.
    var leaseSeconds = RunLedger.leaseSeconds
}
