// SPDX-License-Identifier: Apache-2.0

import Model
import Testing

@testable import Operations

/// The figures of the last night in Prometheus' text format.
@Suite struct MetricsTextTests {
    /// 2026-01-08T02:15:00Z.
    private static let night = Instant(micros: 1_767_838_500_000_000)

    private static func facts() -> BatchFacts {
        var app = BatchFacts.App("acme-ios")
        app.lastNight = BatchFacts.Night(runID: 7, businessDate: "2026-01-07", logicalNow: night, seconds: 95)
        app.lastFinished = night
        (app.asked, app.unread, app.calls, app.openDeadLetters) = (1_000, 2, 1_203, 3)
        app.lastIssue = BatchFacts.Issue(businessDate: "2026-01-07", path: "/r", issuedAt: night + .seconds(120))
        var facts = BatchFacts()
        facts.apps = [BatchFacts.App("acme-\"new\""), app, BatchFacts.App("gone")]
        facts.owedReports = ["2026-01-06"]
        return facts
    }

    static func text() -> String {
        let apps = ["acme-\"new\"", "acme-ios"]
        let verdict = BatchVerdict(on: facts(), apps: apps, maxAge: .hours(26), now: night)
        return "\(MetricsText(facts(), apps: apps, verdict: verdict))"
    }

    @Test func `each figure is a sample by app, and what is not known has none`() {
        let samples = Self.text().split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(
            samples == [
                #"subledger_last_night_timestamp_seconds{app="acme-ios"} 1767838500"#,
                #"subledger_last_issue_timestamp_seconds{app="acme-ios"} 1767838620"#,
                #"subledger_due{app="acme-ios"} 1000"#, #"subledger_unread{app="acme-ios"} 2"#,
                #"subledger_dead_letters{app="acme-\"new\""} 0"#, #"subledger_dead_letters{app="acme-ios"} 3"#,
                #"subledger_night_duration_seconds{app="acme-ios"} 95"#, #"subledger_calls{app="acme-ios"} 1203"#,
                "subledger_owed_reports 1", "subledger_ok 0",
            ])
    }

    /// As the format's description has it: a name's HELP and TYPE, once, before its samples, and a line feed at the end.
    @Test func `it is the text format of Prometheus`() throws {
        var declared: [Substring] = []
        let text = Self.text()
        #expect(text.hasSuffix("\n") && !text.contains("\n\n"))
        for line in text.split(separator: "\n") {
            if let help = line.wholeMatch(of: /# HELP ([a-z_]+) \S.*\./) {
                #expect(!declared.contains(help.1))
                declared.append(help.1)
            } else if let type = line.wholeMatch(of: /# TYPE ([a-z_]+) gauge/) {
                #expect(type.1 == declared.last)
            } else {
                let sample = try #require(line.wholeMatch(of: /([a-z_]+)(\{app="(?:[^"\\]|\\["\\n])*"\})? [0-9]+/))
                #expect(sample.1 == declared.last, "\(line)")
            }
        }
    }
}
