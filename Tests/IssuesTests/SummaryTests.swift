// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// summary.json: the head of the page as values, and the days behind it.
@Suite struct SummaryTests {
    /// One customer leaves on the fifth; another comes on the third, buys something besides and gets two dollars of it back.
    private static func history(_ world: ReportWorld) async throws {
        try await world.night(1, for: "2026-02-03", issued: false)
        try await world.night(2, for: "2026-02-06", issued: false)
        try await world.covered(2, app: "acme-ios", due: 2, checked: 2)
        let leaving = Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z")
        try await world.charged(leaving)
        try await world.became("expired", at: "2026-02-05 12:00Z", reason: "voluntary", expires: leaving.to)
        try await world.charged(Sale(key: 2, id: "t2", from: "2026-02-03 10:00Z", to: "2026-03-03 10:00Z"))
        var coins = Sale(
            key: 3, id: "t3", product: "coins", kind: "one_time", from: "2026-02-03 11:00Z", price: 5_000_000)
        (coins.refundedAt, coins.refundKind, coins.refund) = ("2026-02-04 10:00Z", "partial", 2_000_000)
        try await world.charged(coins)
        try await world.booked("refund", -2_000_000, at: "2026-02-04 10:00Z", of: coins)
    }

    private static func issue(
        _ world: ReportWorld, on date: String = "2026-02-06", language: String = "en",
        _ body: (IssueSummary, IssuedReport, String) throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            let issued = try await ReportStage().issue(
                on: world.connection,
                request: ReportRequest(
                    seal: 2, runID: 2, businessDate: try #require(BusinessDate(date)),
                    asOf: try #require(Instant(iso8601: "2026-02-07T02:00:00Z")), directory: directory,
                    page: PageOptions(language: language)))
            let manifest = try #require(FileManager.default.contents(atPath: "\(issued.path)/manifest.json"))
            try manifest.write(to: URL(fileURLWithPath: "\(directory)/manifest"))
            let sha256 = try WrittenFile.describe("\(directory)/manifest").sha256
            let summary = try await IssueReader(folder: issued.path, manifestSHA256: sha256)
                .summary(proving: ["report.html", "report.xlsx"])
            try body(summary, issued, try String(contentsOfFile: "\(issued.path)/report.html", encoding: .utf8))
        }
    }

    @Test func `the days since the first night, to the micro`() async throws {
        try await ReportWorld.with { world in
            try await Self.history(world)
            try await Self.issue(world) { summary, _, _ in
                #expect(
                    summary.days == [
                        day("2026-02-03", net: 14_990_000, mrr: 19_980_000),
                        day("2026-02-04", net: -2_000_000, refunded: 2_000_000, refunds: 1, mrr: 19_980_000),
                        day("2026-02-05", mrr: 9_990_000, churned: ["voluntary": 1]),
                        day("2026-02-06", mrr: 9_990_000),
                    ])
                #expect(summary.currency == "USD" && summary.seal == 2 && summary.movedFigures == 0)
                #expect(
                    summary.apps == [
                        IssueSummary.App(app: "acme-ios", lastCheckedAt: "2026-02-07T02:00:00Z", missingPrices: 0)
                    ])
            }
        }
    }

    private func day(
        _ date: String, net: Int64 = 0, refunded: Int64 = 0, refunds: Int64 = 0, mrr: Int64,
        churned: [String: Int64] = [:]
    ) -> IssueSummary.Day {
        IssueSummary.Day(
            date: date, netMicros: net, refundedMicros: refunded, refunds: refunds, mrrMicros: mrr, churned: churned)
    }

    @Test(arguments: [("en", "MRR, gross", "Agrees and complete"), ("ja", "純売上(30日間)", "整合・欠落なし")])
    func `the head of the page, in its words`(_ language: String, _ label: String, _ verdict: String) async throws {
        try await ReportWorld.with { world in
            try await Self.history(world)
            try await Self.issue(world, language: language) { summary, _, page in
                #expect(summary.verdict == verdict && summary.reconciled && summary.language == language)
                let figures = Dictionary(uniqueKeysWithValues: summary.figures.map { ($0.id, $0.text) })
                // The charge of 5 January is older than thirty days.
                #expect(figures["mrr"] == "9.99 USD" && figures["netRevenue30"] == "12.99 USD")
                #expect(figures["activeSubscribers"] == "1")
                #expect(summary.figures.contains { $0.label == label })
                for figure in summary.figures { #expect(page.contains(HTMLText.escaped(figure.label))) }
                for change in summary.figures.flatMap(\.changes) { #expect(page.contains(HTMLText.escaped(change))) }
            }
        }
    }

    /// Of five that tried, one pays, one was paid and given back, two ended unpaid and one was not read since.
    @Test func `trial conversion is converted of those who started, the pending beside it`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-24", issued: false)
            try await world.night(2, for: "2026-01-25", issued: false)
            let end = "2026-01-12 12:00Z"
            for key in Int64(1)...5 {
                try await world.sold(
                    Sale(
                        key: key, id: "free", kind: "trial", from: "2026-01-05 12:00Z", to: end, price: 0,
                        offerType: "introductory"))
            }
            try await world.charged(Sale(key: 1, from: end, to: "2026-02-12 12:00Z"))
            var refunded = Sale(key: 2, from: end, to: "2026-02-12 12:00Z")
            (refunded.refundedAt, refunded.refundKind, refunded.refund) = ("2026-01-14 12:00Z", "full", 9_990_000)
            try await world.charged(refunded)
            try await world.became("revoked", key: 2, at: "2026-01-14 12:00Z", reason: "refund")
            for key in [Int64(3), 4] {
                try await world.became("expired", key: key, at: end, reason: "voluntary", expires: end)
            }
            try await world.became("trial", key: 5, at: "2026-01-05 12:00Z", expires: end)
            for (language, detail) in [("en", "2 of 5, 1 pending"), ("ja", "5 件中 2 件、継続中 1 件")] {
                try await Self.issue(world, on: "2026-01-25", language: language) { summary, _, page in
                    let card = try #require(summary.figures.first { $0.id == "trialConversion" })
                    #expect(card.text == "40.0%" && card.detail == detail && page.contains(detail))
                }
            }
        }
    }

    @Test func `when the last one has left, MRR is nothing and not unknown`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-04", issued: false)
            try await world.night(2, for: "2026-02-06", issued: false)
            let leaving = Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z")
            try await world.charged(leaving)
            try await world.became("expired", at: "2026-02-05 12:00Z", reason: "voluntary", expires: leaving.to)
            try await Self.issue(world) { summary, _, _ in
                #expect(summary.days.map(\.mrrMicros) == [9_990_000, 0, 0])
            }
        }
    }

    @Test func `a subscriber without a price is counted with his app`() async throws {
        try await ReportWorld.with { world in
            try await Self.history(world)
            var unpriced = Sale(key: 4, id: "t4", from: "2026-02-04 10:00Z", to: "2026-03-04 10:00Z")
            (unpriced.price, unpriced.currency) = (nil, nil)
            try await world.sold(unpriced)
            try await Self.issue(world) { summary, _, _ in
                #expect(summary.apps.map(\.missingPrices) == [1])
                #expect(summary.warnings.contains { $0.hasPrefix("acme-ios: subscribers without a price") })
            }
        }
    }
}
