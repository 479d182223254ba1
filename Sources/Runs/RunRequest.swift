// SPDX-License-Identifier: Apache-2.0

package import Model
package import Postgres

/// A run to be opened.
package struct RunRequest: Sendable {
    package let job: Run.Job
    package let apps: [AppID]
    /// The run's logical clock.
    package let now: Instant
    package let businessDate: BusinessDate
    /// A report of its business date is to be written.
    package let isReported: Bool
    /// Every subscription that is not closed is asked about, due or not.
    package let isAudit: Bool
    /// Nothing is asked after it, by this machine's clock; nil: no limit.
    package var finishBy: ContinuousClock.Instant?
    /// Asked in the transaction that opens the run: one that ended meanwhile may have left nothing to do.
    package var isNeeded: @Sendable (PostgresConnection) async throws -> Bool = { _ in true }
    /// The highest seal that is found outside of the database, asked before the run is sealed: it gets a higher one, as do all after it.
    package var lastSealFound: @Sendable (PostgresConnection) async throws -> Int64 = { _ in 0 }
    /// Where the stages of its run are measured.
    package var stages = StageSeconds()
    /// By which the run is found again that it opened when the answer was lost.
    package let number = Int64.random(in: 1...Int64.max)

    package init(
        _ job: Run.Job, apps: [AppID], now: Instant, businessDate: BusinessDate, isReported: Bool = false,
        isAudit: Bool = false
    ) {
        self.job = job
        self.apps = apps
        self.now = now
        self.businessDate = businessDate
        self.isReported = isReported
        self.isAudit = isAudit
    }

    /// How long it may ask from now on, in microseconds.
    var timeLeft: Int64? {
        guard let finishBy else { return nil }
        let (seconds, attoseconds) = ContinuousClock.now.duration(to: finishBy).components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
