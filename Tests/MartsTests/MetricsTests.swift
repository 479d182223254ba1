// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport
import Testing

@testable import ReportSupport

/// Rates of a month, and lifetime values, worked out on paper.
@Suite struct MetricsTests {
    private func metrics(_ world: ReportWorld, _ columns: String, month: String, through: String) async throws
        -> [String]
    {
        try await world.reported(
            "select product_id, \(columns) from metrics where month = $1 order by product_id", [.text(month)],
            through: through)
    }

    /// January to February, then what the price says from the 10th of February; nothing where it is nil.
    private func lineage(_ world: ReportWorld, key: Int64, price: Int64, then next: Int64?) async throws {
        try await world.charged(Sale(key: key, from: "2026-01-10 12:00Z", to: "2026-02-10 12:00Z", price: price))
        guard let next else {
            return try await world.became(
                "expired", key: key, at: "2026-02-10 12:00Z", reason: "voluntary", expires: "2026-02-10 12:00Z")
        }
        try await world.charged(
            Sale(
                key: key, id: "t2", kind: "renewal", from: "2026-02-10 12:00Z", to: "2026-03-10 12:00Z", price: next))
        try await world.became("active", key: key, at: "2026-02-10 12:00Z", expires: "2026-03-10 12:00Z")
    }

    @Test func `rates follow the opening set`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await lineage(world, key: 1, price: 10_000_000, then: 10_000_000)
            try await lineage(world, key: 2, price: 10_000_000, then: 4_000_000)
            try await lineage(world, key: 3, price: 10_000_000, then: 15_000_000)
            try await lineage(world, key: 4, price: 10_000_000, then: nil)
            // Came and went within the month: in no rate.
            var passing = Sale(key: 5, from: "2026-02-15 12:00Z", to: "2026-03-15 12:00Z", price: 20_000_000)
            (passing.refundedAt, passing.refundKind, passing.refund) = ("2026-02-20 12:00Z", "full", 20_000_000)
            try await world.charged(passing)
            try await world.booked("refund", -20_000_000, at: "2026-02-20 12:00Z", of: passing)
            try await world.became("revoked", key: 5, at: "2026-02-20 12:00Z", reason: "refund")
            // Opening 4 with 40. Lost: 6 by contraction, 10 by churn: 16 of 40. Gained: 5.
            // Quick ratio: (20 new + 5) ÷ (6 + 10 + 20) = 25 ÷ 36 = 0.6944….
            #expect(
                try await metrics(
                    world,
                    "opening, churned_of_opening, churn_rate::text, opening_mrr::text, lost_mrr::text, "
                        + "gross_mrr_churn::text, net_mrr_churn::text, grr::text, nrr::text, quick_ratio::text, "
                        + "closing_mrr::text, arr::text, active", month: "2026-02", through: "2026-02-28") == [
                        "monthly|4|1|0.250000|40.000000|16.000000|0.400000|0.275000|0.600000|0.725000|0.694444|29.000000|"
                            + "348.000000|3"
                    ])
            // Due on 10 February: four, of which three renewed; the refunded one was never due.
            #expect(
                try await metrics(world, "due, renewed, renewal_rate::text", month: "2026-02", through: "2026-02-28")
                    == ["monthly|4|3|0.750000"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `who churns and comes back within the month counts once, and with reactivation`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await lineage(world, key: 1, price: 10_000_000, then: nil)
            try await world.charged(
                Sale(
                    key: 1, id: "t2", kind: "resubscribe", from: "2026-02-20 12:00Z", to: "2026-03-20 12:00Z",
                    price: 8_000_000))
            try await world.became("active", key: 1, at: "2026-02-20 12:00Z", expires: "2026-03-20 12:00Z")
            #expect(
                try await metrics(
                    world,
                    "churned_of_opening, gross_mrr_churn::text, net_mrr_churn::text, nrr::text, nrr_with_reactivation::text",
                    month: "2026-02", through: "2026-02-28") == ["monthly|1|1.000000|0.200000|0.000000|0.800000"])
        }
    }

    @Test func `no more is lost than was opened with`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await world.charged(Sale(from: "2026-01-10 12:00Z", to: "2026-02-10 12:00Z", price: 10_000_000))
            var dearer = Sale(
                id: "t2", kind: "renewal", from: "2026-02-10 12:00Z", to: "2026-03-10 12:00Z", price: 15_000_000)
            (dearer.refundedAt, dearer.refundKind, dearer.refund) = ("2026-02-20 12:00Z", "full", 15_000_000)
            try await world.charged(dearer)
            try await world.booked("refund", -15_000_000, at: "2026-02-20 12:00Z", of: dearer)
            try await world.became("revoked", at: "2026-02-20 12:00Z", reason: "refund")
            let columns = "churned_of_opening, lost_mrr::text, gross_mrr_churn::text, nrr::text, closing_mrr::text"
            // Opened with 10, rose to 15 on the 10th; on the 20th 15 went, of which it opened with 10.
            #expect(
                try await metrics(world, columns, month: "2026-02", through: "2026-02-15") == [
                    "monthly|0|0.000000|0.000000|1.500000|15.000000"
                ])
            #expect(
                try await metrics(world, columns, month: "2026-02", through: "2026-02-28") == [
                    "monthly|1|10.000000|1.000000|0.500000|0.000000"
                ])
        }
    }

    @Test func `a lapse that recovers is no gain`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await world.charged(Sale(from: "2026-01-10 12:00Z", to: "2026-02-10 12:00Z", price: 10_000_000))
            try await world.became("billing_retry", at: "2026-02-10 12:00Z", expires: "2026-02-10 12:00Z")
            try await world.charged(
                Sale(
                    id: "t2", kind: "renewal", from: "2026-02-20 12:00Z", to: "2026-03-20 12:00Z", price: 12_000_000))
            try await world.became("active", at: "2026-02-20 12:00Z", expires: "2026-03-20 12:00Z")
            #expect(
                try await metrics(
                    world, "churned_of_opening, gross_mrr_churn::text, nrr::text, due, renewed", month: "2026-02",
                    through: "2026-02-28") == ["monthly|0|0.000000|1.200000|1|0"])
        }
    }

    @Test func `a plan change is neither renewed nor due`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await world.charged(Sale(from: "2026-01-10 12:00Z", to: "2026-02-10 12:00Z", price: 10_000_000))
            try await world.charged(
                Sale(
                    id: "t2", product: "yearly", kind: "upgrade", from: "2026-02-10 12:00Z", to: "2027-02-10 12:00Z",
                    price: 96_000_000))
            try await world.became("active", at: "2026-02-10 12:00Z", expires: "2027-02-10 12:00Z", autoRenew: false)
            // 96 a year are 8 a month: 2 of 10 lost by the lineage that opened under monthly.
            #expect(
                try await metrics(
                    world,
                    "opening, churned_of_opening, gross_mrr_churn::text, due, plan_changes, active, set_to_cancel",
                    month: "2026-02", through: "2026-02-28") == ["monthly|1|0|0.200000|0|1|0|0", "yearly|0|0||0|0|1|1"])
        }
    }

    @Test func `lifetime value is of matured cohorts and net of refunds`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-12-31")
            for (key, month) in [(Int64(1), 1), (1, 2), (1, 3), (2, 1)] {
                try await world.charged(
                    Sale(
                        key: key, id: "t\(month)", kind: month == 1 ? "purchase" : "renewal",
                        from: "2026-0\(month)-10 12:00Z", to: "2026-0\(month + 1)-10 12:00Z", price: 10_000_000))
            }
            var refunded = Sale(key: 2, id: "t1", from: "2026-01-10 12:00Z", to: "2026-02-10 12:00Z", price: 10_000_000)
            (refunded.refundedAt, refunded.refundKind, refunded.refund) = ("2026-04-01 12:00Z", "partial", 4_000_000)
            try await world.sold(refunded)
            try await world.booked("refund", -4_000_000, at: "2026-04-01 12:00Z", of: refunded)
            func values(_ through: String) async throws -> [String] {
                try await world.reported(
                    "select cohort_month, days, cohort_size, net::text, ltv::text from ltv order by days",
                    through: through)
            }
            // Within 30 days: 10 + 10 (the renewal is 31 days later); within 90: 30 + 10 − 4 (81 days later).
            #expect(
                try await values("2026-05-01") == [
                    "2026-01|30|2|20.000000|10.000000", "2026-01|90|2|36.000000|18.000000", "2026-01|180|2||",
                    "2026-01|365|2||",
                ])
            // 31 January and 30 days are 2 March: the first of March is a day too early.
            #expect(try await values("2026-03-01").first == "2026-01|30|2||")
            #expect(try await values("2026-03-02").first == "2026-01|30|2|20.000000|10.000000")
        }
    }
}
