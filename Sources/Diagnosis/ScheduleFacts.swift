// SPDX-License-Identifier: Apache-2.0

package import Model

/// Who starts nights, as far as this machine shows it.
package struct ScheduleFacts: Sendable {
    /// A schedule whose last night is longer ago does not run.
    private static let longestPause = Span.hours(36)

    /// Files of crontabs and timers that start `subledger nightly`.
    package var files: [String]
    /// What runs this very process and has schedules of its own, such as `Kubernetes`.
    package var orchestrator: String?
    /// Since the last night's seal; nil: there was none, or it is unknown.
    package var lastNight: Span?
    /// `clock: simulated`: nights are started by hand.
    package var isSimulated: Bool

    package init(
        files: [String] = [], orchestrator: String? = nil, lastNight: Span? = nil, isSimulated: Bool = false
    ) {
        (self.files, self.orchestrator, self.lastNight, self.isSimulated) =
            (files, orchestrator, lastNight, isSimulated)
    }

    var finding: Finding {
        guard !isSimulated else { return .fine("schedule", "the clock is simulated: nights are started by hand") }
        let place = files.isEmpty ? orchestrator.map { "by \($0)" } : "in \(files.joined(separator: ", "))"
        switch (place, lastNight) {
        case (let place?, let age?) where age > Self.longestPause:
            return .toDo(
                "schedule",
                "nights are started \(place), and the last one ended \(age.words) ago: look at what it wrote (journalctl -u "
                    + "subledger, cron's mails) and at subledger status")
        case (let place?, _): return .fine("schedule", "nights are started \(place)")
        case (nil, let age?) where age <= Self.longestPause:
            return .fine("schedule", "the last night ended \(age.words) ago; who starts it is not to be seen here")
        default:
            return .toDo(
                "schedule",
                "no crontab and no timer that this account can see starts subledger nightly --once: add the lines of "
                    + "cron/subledger.crontab by crontab -e, or systemctl enable --now subledger.timer; where another machine "
                    + "starts it, its first night ends this line")
        }
    }
}
