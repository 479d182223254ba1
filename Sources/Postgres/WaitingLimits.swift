// SPDX-License-Identifier: Apache-2.0

/// After how long a wait is spoken of, and looked into.
package struct WaitingLimits: Sendable {
    /// Before the first line about a wait.
    package var untilReported: Duration = .seconds(10)
    /// Between two lines about the same wait.
    package var betweenReports: Duration = .seconds(60)
    /// Without an answer for so long, a statement's session is looked for on the server.
    package var watchdog: Duration = .seconds(600)

    package init() {}
}

/// A wait that has begun, and when it is to be spoken of.
package struct ReportedWait: Sendable {
    package let started: ContinuousClock.Instant
    private let limits: WaitingLimits
    private var next: ContinuousClock.Instant

    package init(_ limits: WaitingLimits, since started: ContinuousClock.Instant = .now) {
        self.started = started
        self.limits = limits
        next = started + limits.untilReported
    }

    /// True when a line is due; the next one is due a minute later.
    package mutating func isDue(at now: ContinuousClock.Instant = .now) -> Bool {
        guard now >= next else { return false }
        next = now + limits.betweenReports
        return true
    }
}
