// SPDX-License-Identifier: Apache-2.0

import Model

/// The facts of the batch for Prometheus, in its text format: a gauge each, by app where it is an app's.
///
/// Pure. What is not known has no sample: a night that never was is no night of 1970.
package struct MetricsText: CustomStringConvertible {
    private var facts: BatchFacts
    private let verdict: BatchVerdict

    /// `apps`: those that are configured.
    package init(_ facts: BatchFacts, apps: [String], verdict: BatchVerdict) {
        self.facts = facts
        self.facts.apps = facts.apps.filter { apps.contains($0.appID) }
        self.verdict = verdict
    }

    package var description: String {
        [
            gauge("last_night_timestamp_seconds", "Clock of the last night that finished the app.") {
                $0.lastFinished.map(Self.seconds)
            },
            gauge("last_issue_timestamp_seconds", "When the app's last report was issued.") {
                ($0.lastIssue?.issuedAt).map(Self.seconds)
            },
            gauge("due", "Subscriptions that the last business date's nights had to ask about.") {
                $0.lastNight == nil ? nil : $0.asked
            },
            gauge("unread", "Subscriptions whose last check failed.") { $0.lastNight == nil ? nil : $0.unread },
            gauge("dead_letters", "Open dead letters.") { $0.openDeadLetters },
            gauge("night_duration_seconds", "From the start of the last night to the app's end in it.") {
                $0.lastNight?.seconds
            },
            gauge("calls", "Requests to the app's store by the last business date's nights.") {
                $0.lastNight == nil ? nil : $0.calls
            },
            total("owed_reports", "Business dates whose report is owed and missing.", value: facts.owedReports.count),
            total(
                "ok", "1 where the verdict of subledger status was OK at the end of the night.",
                value: verdict.isOK ? 1 : 0),
        ].joined()
    }

    private func gauge(_ name: String, _ help: String, value: (BatchFacts.App) -> Int64?) -> String {
        let samples = facts.apps.compactMap { app in
            value(app).map { "subledger_\(name){app=\"\(Self.escaped(app.appID))\"} \($0)\n" }
        }
        return samples.isEmpty ? "" : Self.head(name, help) + samples.joined()
    }

    private func total(_ name: String, _ help: String, value: Int) -> String {
        Self.head(name, help) + "subledger_\(name) \(value)\n"
    }

    private static func head(_ name: String, _ help: String) -> String {
        "# HELP subledger_\(name) \(help)\n# TYPE subledger_\(name) gauge\n"
    }

    private static func seconds(_ instant: Instant) -> Int64 { instant.micros / 1_000_000 }

    private static func escaped(_ label: String) -> String {
        label.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
