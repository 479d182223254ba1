// SPDX-License-Identifier: Apache-2.0

import Model
import Notifications

/// What `notifications` says at its end: a line for each app.
struct NotificationText: CustomStringConvertible {
    let summary: NotificationJob.Summary

    init(_ summary: NotificationJob.Summary) { self.summary = summary }

    var description: String {
        let stopped = Dictionary(summary.stoppedApps.map { ($0.app, $0.message) }) { first, _ in first }
        return summary.apps.map { app, counts in
            counts.map { "\(app): \(Self.line($0))" } ?? StoppedText.line(app.rawValue, stopped[app] ?? "")
        }.joined(separator: "\n")
    }

    private static func line(_ counts: NotificationCounts) -> String {
        let unknown = counts.unknownTypes.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
        let parts = [
            "\(text(counts.read)) read", "\(text(counts.pulled)) fetched", "\(text(counts.applied)) applied",
            "\(text(counts.ignored)) ignored (\(text(counts.duplicates)) duplicates)",
            "\(text(counts.refused)) refused", "\(text(counts.registered)) new subscriptions",
        ]
        let types = unknown.isEmpty ? "" : " · unknown types: " + unknown.joined(separator: ", ")
        let failure = counts.pullFailure.map { " · not fetched to the end: \($0)" } ?? ""
        return parts.joined(separator: " · ") + types + failure
    }

    private static func text(_ count: Int) -> String { Int64(count).grouped }
}
