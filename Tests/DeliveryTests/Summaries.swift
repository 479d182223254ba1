// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Testing

@testable import Delivery
@testable import Rendering

/// Summaries of issues written by hand: quiet ones, in which a test changes one thing.
struct Summaries {
    /// 2026-04-01T02:15:00Z, the night after the last day.
    static let night = "2026-04-01T02:15:00Z"

    /// `count` days up to 2026-03-31, each with the same figures; the last ones as said.
    static func days(
        _ count: Int, net: Int64? = 100, refunded: Int64? = 10, refunds: Int64 = 1, mrr: Int64? = 1_000,
        churned: [String: Int64] = ["voluntary": 1, "involuntary": 1]
    ) -> [IssueSummary.Day] {
        // 2026-03-31 is day 20543 since 1970.
        (0..<count).map { number in
            IssueSummary.Day(
                date: PageSpan.text(ofDay: 20_543 - count + 1 + number), netMicros: net.map { $0 * 1_000_000 },
                refundedMicros: refunded.map { $0 * 1_000_000 }, refunds: refunds,
                mrrMicros: mrr.map { $0 * 1_000_000 }, churned: churned)
        }
    }

    static func summary(
        _ days: [IssueSummary.Day] = days(120), reconciled: Bool = true, verdict: String = "Agrees and complete",
        warnings: [String] = [], movedFigures: Int = 0, language: String = "en",
        figures: [IssueSummary.Figure] = [
            IssueSummary.Figure(
                id: "mrr", label: "MRR", text: "1,000.00 USD", changes: ["+2.0% against 30 days before"])
        ],
        apps: [IssueSummary.App] = [IssueSummary.App(app: "acme-ios", lastCheckedAt: night, missingPrices: 0)]
    ) -> IssueSummary {
        IssueSummary(
            businessDate: "2026-03-31", lastDate: "2026-03-31", seal: 7, asOf: night, language: language,
            currency: "USD", reconciled: reconciled, verdict: verdict, warnings: warnings, figures: figures,
            movedFigures: movedFigures, apps: apps, days: days)
    }

    static func alerts(
        _ summary: IssueSummary, _ thresholds: AlertThresholds = AlertThresholds(), unknownValues: Int64 = 0,
        after hours: Int64 = 1
    ) throws -> [Alert] {
        let now = try #require(Instant(iso8601: night)) + .hours(hours)
        return AlertRules(thresholds, of: summary, unknownValues: unknownValues, now: now).alerts
    }
}
