// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport
import Testing

@testable import ReportSupport

/// The MRR bridge in small histories whose figures were worked out on paper: each change in one bucket, on its own day.
@Suite struct MRRBridgeTests {
    private let january = Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z")
    private let end = "2026-02-05 12:00Z"

    private func february(price: Int64? = 9_990_000, kind: String = "renewal", product: String = "monthly") -> Sale {
        Sale(id: "t2", product: product, kind: kind, from: end, to: "2026-03-05 12:00Z", price: price)
    }

    @Test func `a first payment is new, and its day closes with it`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-10")
            try await world.charged(january)
            try await world.became("active", at: january.from, expires: end)
            #expect(
                try await world.bridge(through: "2026-01-10") == [
                    "2026-01-05 monthly USD: 0.000000, new 9.990000 = 9.990000"
                ])
            let days = try await world.reported(
                "select date, opening::text, closing::text from mrr_bridge order by date", through: "2026-01-07")
            #expect(
                days == [
                    "2026-01-05|0.000000|9.990000", "2026-01-06|9.990000|9.990000", "2026-01-07|9.990000|9.990000",
                ]
            )
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test(arguments: [
        // 28 to 31 days are a month; 10 × 1.
        ("2026-02-01 00:00Z", "2026-03-01 00:00Z", "10.000000"),
        ("2026-01-31 12:00Z", "2026-02-28 12:00Z", "10.000000"),
        ("2026-01-05 12:00Z", "2026-02-04 12:00Z", "10.000000"),
        // 7 days: 10 × 30.4375 ÷ 7 = 43.4821428…; 14 days: 21.7410714…; 1 day: 304.375.
        ("2026-01-05 12:00Z", "2026-01-12 12:00Z", "43.482143"),
        ("2026-01-05 12:00Z", "2026-01-19 12:00Z", "21.741071"),
        ("2026-01-05 12:00Z", "2026-01-06 12:00Z", "304.375000"),
        // 10 ÷ 3; 10 ÷ 6 = 1.6666…; 10 ÷ 12 = 0.8333….
        ("2026-01-05 12:00Z", "2026-04-05 12:00Z", "3.333333"), ("2026-01-05 12:00Z", "2026-07-05 12:00Z", "1.666667"),
        ("2026-01-05 12:00Z", "2027-01-05 12:00Z", "0.833333"), ("2024-01-05 12:00Z", "2025-01-05 12:00Z", "0.833333"),
        // Three months and 26 hours are three months; an hour more makes 91 days (10 × 30.4375 ÷ 91 = 3.3447802…).
        ("2026-01-05 12:00Z", "2026-04-06 14:00Z", "3.333333"), ("2026-01-05 12:00Z", "2026-04-06 15:00Z", "3.344780"),
        // 45 days are no months: 10 × 30.4375 ÷ 45 = 6.7638888….
        ("2026-01-05 12:00Z", "2026-02-19 12:00Z", "6.763889"),
    ])
    func `a period's price counts by the month`(from: String, to: String, mrr: String) async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2027-12-31")
            try await world.charged(Sale(from: from, to: to, price: 10_000_000))
            let opened = try await world.bridge(through: "2027-12-31").first ?? ""
            #expect(opened.hasSuffix("new \(mrr) = \(mrr)"))
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `the catalogue says how long a period is`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-06-30")
            try await world.night(2, for: "2026-07-01")
            try await world.product("club", "P4W")
            try await world.product("club", "P2M", from: "2026-03-01")
            try await world.product("club", "P6M", from: "2026-03-01", seal: 2)
            // Four weeks by the catalogue: 28 × 30.4375 ÷ 28 = 30.4375; by the calendar it would be a month.
            try await world.charged(
                Sale(key: 1, product: "club", from: "2026-02-01 12:00Z", to: "2026-03-01 12:00Z", price: 28_000_000))
            try await world.charged(
                Sale(key: 2, product: "club", from: "2026-03-01 12:00Z", to: "2026-04-01 12:00Z", price: 28_000_000))
            let first = "2026-02-01 club USD: 0.000000, new 30.437500 = 30.437500"
            #expect(try await world.bridge(seal: 1, through: "2026-02-28") == [first])
            // 28 ÷ 2 = 14, until the later import says half a year: 28 ÷ 6 = 4.6666….
            #expect(
                try await world.bridge(seal: 1, through: "2026-03-01").last
                    == "2026-03-01 club USD: 30.437500, new 14.000000 = 44.437500")
            #expect(
                try await world.bridge(seal: 2, through: "2026-03-01").last
                    == "2026-03-01 club USD: 30.437500, new 4.666667 = 35.104167")
        }
    }

    /// Apple sells the commitment under the product of the year: each month of it is a period of its own.
    @Test func `a year paid by the month is worth its months`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-06-30")
            try await world.product("yearly", "P1Y")
            try await world.charged(
                Sale(key: 1, product: "yearly", from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z", price: 5_000_000))
            try await world.charged(
                Sale(key: 2, product: "yearly", from: "2026-01-05 12:00Z", to: "2027-01-05 12:00Z", price: 48_000_000))
            // 5, and 48 ÷ 12 = 4.
            #expect(
                try await world.bridge(through: "2026-01-05") == [
                    "2026-01-05 yearly USD: 0.000000, new 9.000000 = 9.000000"
                ])
        }
    }

    @Test(arguments: ["retention", "other"])
    func `a retention offer of three months up front counts a third of its price a month`(offerType: String)
        async throws
    {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            try await world.product("monthly", "P1M")
            // 14.97 ÷ 3.
            try await world.charged(
                Sale(from: "2026-01-05 12:00Z", to: "2026-04-05 12:00Z", price: 14_970_000, offerType: offerType))
            try await world.became("active", at: "2026-01-05 12:00Z", autoRenew: true)
            #expect(
                try await world.bridge(through: "2026-01-31") == [
                    "2026-01-05 monthly USD: 0.000000, new 4.990000 = 4.990000"
                ])
        }
    }

    @Test func `an offer paid up front lasts as long as it says`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-06-30")
            try await world.product("monthly", "P1M")
            // 12 for three months up front is 4 a month, whatever the product's own month.
            try await world.charged(
                Sale(from: "2026-01-05 12:00Z", to: "2026-04-05 12:00Z", price: 12_000_000, offerType: "introductory"))
            #expect(
                try await world.bridge(through: "2026-02-01") == [
                    "2026-01-05 monthly USD: 0.000000, new 4.000000 = 4.000000"
                ])
        }
    }

    @Test func `sums are exact and rounded once`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-10")
            // Three times 1 ÷ 3 is 1, not 0.999999; two halves of a millionth are even.
            for key in [Int64(1), 2, 3] {
                try await world.charged(
                    Sale(key: key, from: january.from, to: "2026-04-05 12:00Z", price: 1_000_000))
            }
            try await world.charged(
                Sale(key: 4, product: "half", from: january.from, to: "2026-03-05 12:00Z", price: 1))
            try await world.charged(
                Sale(key: 5, product: "more", from: january.from, to: "2026-03-05 12:00Z", price: 3))
            #expect(
                try await world.bridge(through: "2026-01-10") == [
                    "2026-01-05 monthly USD: 0.000000, new 1.000000 = 1.000000",
                    "2026-01-05 more USD: 0.000000, new 0.000002 = 0.000002",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `a higher or lower price counts when its period starts`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-31")
            try await world.charged(january)
            try await world.charged(february(price: 12_990_000))
            try await world.charged(
                Sale(id: "t3", kind: "renewal", from: "2026-03-05 12:00Z", to: "2026-04-05 12:00Z", price: 4_990_000))
            try await world.became("active", at: "2026-03-05 12:00Z", expires: "2026-04-05 12:00Z")
            #expect(
                try await world.bridge(through: "2026-03-31") == [
                    "2026-01-05 monthly USD: 0.000000, new 9.990000 = 9.990000",
                    "2026-02-05 monthly USD: 9.990000, expansion 3.000000 = 12.990000",
                    "2026-03-05 monthly USD: 12.990000, contraction -8.000000 = 4.990000",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `a product change moves the old value, and the difference is the new one's`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-20")
            var before = january
            before.isUpgraded = true
            try await world.charged(before)
            // 59.99 a year is 4.9991666… a month; 9.99 − 4.9991666… = 4.9908333….
            try await world.charged(
                Sale(
                    id: "t2", product: "yearly", kind: "upgrade", from: "2026-01-20 12:00Z", to: "2027-01-20 12:00Z",
                    price: 59_990_000))
            try await world.became("active", at: "2026-01-20 12:00Z", expires: "2027-01-20 12:00Z")
            #expect(
                try await world.bridge(through: "2026-02-20") == [
                    "2026-01-05 monthly USD: 0.000000, new 9.990000 = 9.990000",
                    "2026-01-20 monthly USD: 9.990000, moved_out -9.990000 = 0.000000",
                    "2026-01-20 yearly USD: 0.000000, moved_in 9.990000, contraction -4.990833 = 4.999167",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `another currency is no expansion`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-20")
            try await world.charged(january)
            var moved = february(price: 1_500_000_000)
            moved.currency = "JPY"
            try await world.charged(moved)
            try await world.became("active", at: end, expires: moved.to)
            #expect(
                try await world.bridge(through: "2026-02-20") == [
                    "2026-01-05 monthly USD: 0.000000, new 9.990000 = 9.990000",
                    "2026-02-05 monthly JPY: 0.000000, moved_in 1500.000000 = 1500.000000",
                    "2026-02-05 monthly USD: 9.990000, moved_out -9.990000 = 0.000000",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `an unknown price is left out until it is known`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-20")
            var unknown = january
            (unknown.price, unknown.currency) = (nil, nil)
            try await world.sold(unknown)
            try await world.charged(february())
            try await world.became("active", at: end, expires: "2026-03-05 12:00Z")
            #expect(
                try await world.bridge(through: "2026-02-20") == [
                    "2026-02-05 monthly USD: 0.000000, moved_in 9.990000 = 9.990000"
                ])
            #expect(try await world.subscribers(on: "2026-01-10") == ["monthly: active 1"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test(arguments: [
        ("voluntary", "churn_voluntary"), ("involuntary", "churn_involuntary"), ("price", "churn_price"),
        ("product", "churn_product"), ("developer", "churn_other"), ("unknown", "churn_other"),
        ("replaced", "moved_out"),
    ])
    func `an end is listed under its reason on the day of the effective end`(stated: String, bucket: String)
        async throws
    {
        // The delta is booked once, at the end, not also when auto-renewal was switched off (Ghost Members #255); a fall
        // to zero is never a contraction.
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await world.charged(january)
            try await world.became("active", at: january.from, expires: end, autoRenew: true)
            try await world.became("active", at: "2026-01-15 12:00Z", expires: end, autoRenew: false)
            try await world.became("expired", at: end, recorded: "2026-02-06 02:00Z", reason: stated, expires: end)
            #expect(
                try await world.bridge(through: "2026-02-28") == [
                    "2026-01-05 monthly USD: 0.000000, new 9.990000 = 9.990000",
                    "2026-02-05 monthly USD: 9.990000, \(bucket) -9.990000 = 0.000000",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `what lapsed becomes involuntary churn of the same day when the store gives up`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await world.night(2, for: "2026-04-07")
            try await world.charged(january)
            try await world.became("billing_retry", at: end, recorded: "2026-02-06 02:00Z", expires: end)
            try await world.became(
                "expired", at: end, recorded: "2026-04-07 02:00Z", reason: "involuntary", expires: end, seal: 2)
            #expect(
                try await world.bridge(seal: 1).last
                    == "2026-02-05 monthly USD: 9.990000, lapsed -9.990000 = 0.000000")
            #expect(
                try await world.bridge(seal: 2).last
                    == "2026-02-05 monthly USD: 9.990000, churn_involuntary -9.990000 = 0.000000")
            #expect(try await world.failedChecks(seal: 1).isEmpty)
            #expect(try await world.failedChecks(seal: 2).isEmpty)
        }
    }

    @Test func `paid again out of retry or pause is recovery, and after an end reactivation`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-31")
            let ends = [
                (Int64(1), "billing_retry", "lapsed"), (2, "paused", "paused"), (3, "expired", "churn_voluntary"),
            ]
            for (key, state, _) in ends {
                var sale = january
                (sale.key, sale.product) = (key, "p\(key)")
                try await world.charged(sale)
                try await world.became(
                    state, key: key, at: end, recorded: "2026-02-06 02:00Z",
                    reason: state == "expired" ? "voluntary" : nil, expires: end)
                let kind = state == "billing_retry" ? "renewal" : "resubscribe"
                try await world.charged(
                    Sale(
                        key: key, id: "t2", product: "p\(key)", kind: kind, from: "2026-02-20 12:00Z",
                        to: "2026-03-20 12:00Z", price: 7_000_000))
                try await world.became("active", key: key, at: "2026-02-20 12:00Z", expires: "2026-03-20 12:00Z")
            }
            #expect(
                try await world.bridge(through: "2026-02-28").suffix(6) == [
                    "2026-02-05 p1 USD: 9.990000, lapsed -9.990000 = 0.000000",
                    "2026-02-05 p2 USD: 9.990000, paused -9.990000 = 0.000000",
                    "2026-02-05 p3 USD: 9.990000, churn_voluntary -9.990000 = 0.000000",
                    "2026-02-20 p1 USD: 0.000000, recovery 7.000000 = 7.000000",
                    "2026-02-20 p2 USD: 0.000000, recovery 7.000000 = 7.000000",
                    "2026-02-20 p3 USD: 0.000000, reactivation 7.000000 = 7.000000",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `a subscription older than what we know is imported`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await world.charged(february())
            try await world.became("active", at: end, expires: "2026-03-05 12:00Z")
            #expect(
                try await world.bridge(through: "2026-02-28") == [
                    "2026-02-05 monthly USD: 0.000000, imported 9.990000 = 9.990000"
                ])
        }
    }

    @Test func `a free period between paid ones moves out and in`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-31")
            try await world.charged(january)
            try await world.sold(
                Sale(
                    id: "free", kind: "trial", from: end, to: "2026-03-05 12:00Z", price: 0, offerType: "promotional"))
            try await world.charged(
                Sale(id: "t3", kind: "renewal", from: "2026-03-05 12:00Z", to: "2026-04-05 12:00Z"))
            try await world.became("active", at: "2026-03-05 12:00Z", expires: "2026-04-05 12:00Z")
            #expect(
                try await world.bridge(through: "2026-03-31") == [
                    "2026-01-05 monthly USD: 0.000000, new 9.990000 = 9.990000",
                    "2026-02-05 monthly USD: 9.990000, moved_out -9.990000 = 0.000000",
                    "2026-03-05 monthly USD: 0.000000, moved_in 9.990000 = 9.990000",
                ])
        }
    }

    @Test func `who comes and goes within a day is both in the bridge`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            var sale = january
            (sale.refundedAt, sale.refundKind, sale.refund) = ("2026-01-05 20:00Z", "full", 9_990_000)
            try await world.charged(sale)
            try await world.booked("refund", -9_990_000, at: "2026-01-05 20:00Z", of: sale)
            try await world.became("revoked", at: "2026-01-05 20:00Z", reason: "refund", expires: end)
            #expect(
                try await world.bridge(through: "2026-02-28") == [
                    "2026-01-05 monthly USD: 0.000000, new 9.990000, churn_refund -9.990000 = 0.000000"
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `a span of days opens with what came before it`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-31")
            try await world.charged(january)
            try await world.charged(february(price: 12_990_000))
            let span = "select * from mrr_bridge where date >= '2026-02-04' order by date"
            let part = try await world.reported(span, from: "2026-02-04", through: "2026-02-08")
            #expect(part == (try await world.reported(span, through: "2026-02-08")))
            #expect(part.count == 5)
            let late = try await world.reported(
                "select date, opening::text, new::text, closing::text from mrr_bridge", from: "2026-02-05",
                through: "2026-02-05")
            #expect(late == ["2026-02-05|9.990000|0.000000|12.990000"])
        }
    }

    @Test func `an order of several products counts whole`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-10")
            var base = january
            base.store = "google_play"
            var addOn = base
            (addOn.product, addOn.price) = ("extra", 2_000_000)
            try await world.charged(base)
            try await world.charged(addOn)
            #expect(
                try await world.bridge(through: "2026-01-10") == [
                    "2026-01-05 monthly USD: 0.000000, new 11.990000 = 11.990000"
                ])
            #expect(try await world.subscribers(on: "2026-01-06") == ["monthly: active 1"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }
}
