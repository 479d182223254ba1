// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Testing

@testable import Operations

/// Whether the batch is as it should be, by facts written down here.
@Suite struct BatchVerdictTests {
    /// 2026-01-08T06:00:00Z.
    private static let now = Instant(micros: 1_767_852_000_000_000)

    /// An app whose night of 7 January finished it three hours ago.
    private static func app(_ id: String, ended end: BatchFacts.Night.End = .finished, hoursAgo: Int64 = 3)
        -> BatchFacts.App
    {
        var app = BatchFacts.App(id)
        app.lastNight = BatchFacts.Night(
            runID: 7, businessDate: "2026-01-07", logicalNow: now - .hours(3), end: end)
        app.lastFinished = now - .hours(hoursAgo)
        app.asked = 1_000
        return app
    }

    private static func verdict(_ apps: [BatchFacts.App], _ change: (inout BatchFacts) -> Void = { _ in })
        -> BatchVerdict
    {
        var facts = BatchFacts()
        facts.apps = apps
        change(&facts)
        return BatchVerdict(on: facts, maxAge: .hours(26), now: now)
    }

    @Test func `a batch of which all is there is OK`() {
        let verdict = Self.verdict([Self.app("acme-android"), Self.app("acme-ios")])
        #expect(verdict.isOK && "\(verdict)" == "OK")
    }

    @Test func `what is not OK is one line, which names an app once`() {
        var stopped = Self.app("acme-android", ended: .stopped("invalid_grant"))
        stopped.unread = 29
        let verdict = Self.verdict([stopped, Self.app("acme-ios")]) { $0.owedReports = ["2026-01-06"] }
        #expect("\(verdict)" == "NOT OK: acme-android stopped (invalid_grant), 29 unread, no report for 6 January")
    }

    @Test(arguments: [(26, "OK"), (27, "NOT OK: a finished no night for 27 h")] as [(Int64, String)])
    func `a finished night may be 26 hours old`(_ hours: Int64, _ line: String) {
        #expect("\(Self.verdict([Self.app("a", hoursAgo: hours)]))" == line)
    }

    @Test func `an app whose night is under way is not stale, and one that never finished is`() {
        var app = Self.app("a", hoursAgo: 30)
        app.isUnderWay = true
        #expect(Self.verdict([app]).isOK)
        #expect("\(Self.verdict([BatchFacts.App("b")]))" == "NOT OK: b has finished no night yet")
    }

    @Test func `an app that the configuration does not have is not assessed, one that the database does not know is`() {
        var facts = BatchFacts()
        facts.apps = [BatchFacts.App("gone"), Self.app("a")]
        let of = { BatchVerdict(on: facts, apps: $0, maxAge: .hours(26), now: Self.now) }
        #expect(of(["a"]).isOK)
        #expect(of(["a", "new"]).findings == [.stale(app: "new", hours: nil)])
    }

    /// More than one in a hundred, and more than four.
    @Test(arguments: [(4, 10, false), (5, 500, false), (5, 499, true), (5, 0, true)] as [(Int64, Int64, Bool)])
    func `few unread are no finding`(_ unread: Int64, _ asked: Int64, _ isFinding: Bool) {
        var app = Self.app("a")
        (app.unread, app.asked) = (unread, asked)
        #expect(Self.verdict([app]).findings == (isFinding ? [.unread(app: "a", count: unread)] : []))
    }

    @Test func `late apps, new dead letters, open books and dead runs are findings`() {
        var late = Self.app("a", ended: .late("out_of_time"))
        (late.newDeadLetters, late.openDeadLetters) = (2, 9)
        let verdict = Self.verdict([late]) { facts in
            facts.unreconciledDate = "2026-01-07"
            facts.deadRuns = [BatchFacts.DeadRun(runID: 12, job: "nightly", businessDate: "2026-01-08")]
        }
        #expect(
            "\(verdict)"
                == "NOT OK: a finished late (out_of_time), 2 new dead letters, the books do not agree (report of 7 "
                + "January), run 12 (nightly) is interrupted")
    }

    @Test func `many findings and many dates remain one line`() {
        let verdict = Self.verdict((1...20).map { Self.app("a\($0)", hoursAgo: 50) })
        #expect("\(verdict)".hasSuffix("a12 finished no night for 50 h, and 8 more"))
        let dates = Self.verdict([]) { $0.owedReports = ["2025-12-30", "2026-01-04", "2026-01-05", "2026-01-06"] }
        #expect("\(dates)" == "NOT OK: no report for 4 January and 5 January and 6 January and 1 earlier")
    }

    @Test func `programs read it as JSON`() throws {
        let verdict = Self.verdict([Self.app("a", ended: .stopped("invalid_grant"))])
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = String(decoding: try encoder.encode(verdict), as: UTF8.self)
        #expect(
            json == #"{"findings":[{"app_id":"a","kind":"stopped","text":"stopped (invalid_grant)"}],"is_ok":false,"#
                + #""summary":"NOT OK: a stopped (invalid_grant)"}"#)
    }
}
