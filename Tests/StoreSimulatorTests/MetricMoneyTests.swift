// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreSimulator

/// Money over time, cohorts, trials and rates of lives that were worked out on paper first.
@Suite struct MetricMoneyTests {
    private static func earned(_ books: Books, _ day: String) -> [Int64] {
        books.metrics(.happened).recognised(through: day).filter { $0.date == day }.flatMap {
            [$0["recognised"] ?? -1, $0["deferred"] ?? -1]
        }
    }

    /// 7.99 over 744 hours: 14 of them on the first day are 0.150349…, 38 by the end of the second 0.408091….
    @Test func `a charge is earned second by second, and what it was not yet is deferred`() {
        let books = Paper.books(Paper.life(Paper.january()), at: "2026-02-03T00:00:00Z")
        #expect(Self.earned(books, "2026-01-01") == [150_349, 7_839_651])
        #expect(Self.earned(books, "2026-01-02") == [257_742, 7_581_909])
        let all = books.metrics(.happened).recognised(through: "2026-02-02")
        #expect(all.sum("recognised") == 7_990_000 && all.count == 32)
    }

    /// By the end of 10 January 230 hours were earned: 2.470026…; the refund takes those back and the rest from deferred.
    @Test func `a refund takes back on its day what was earned`() {
        let refund = Refund(at: instant("2026-01-11T10:00:00Z"), extent: .full)
        let books = Paper.books(Paper.life(Paper.january().with { $0.refund = refund }), at: "2026-02-03T00:00:00Z")
        #expect(Self.earned(books, "2026-01-11") == [-2_470_027, 0])
        #expect(Self.earned(books, "2026-01-12") == [])
        #expect(
            books.metrics(.happened).refunds(through: "2026-02-02") == [
                MetricRow(
                    [
                        "date": "2026-01-11", "app_id": "acme-ios", "product_id": Paper.monthly, "currency": "USD",
                        "kind": "full",
                    ], ["refunds": 1, "refunded": 7_990_000])
            ])
    }

    /// 40 % of 7.99 in February: nothing of February's charges, which are none, and 3.20 of January's, 400,500.6 millionths.
    @Test func `a refund counts in its own month and against the month of its charge`() {
        let refund = Refund(at: instant("2026-02-02T10:00:00Z"), extent: .prorated(percentage: 40_000))
        let books = Paper.books(Paper.life(Paper.january().with { $0.refund = refund }), at: "2026-02-04T00:00:00Z")
        func rates(_ day: String) -> [String] {
            books.metrics(.happened).refundRates(through: day).map { row in
                let counts = ["charges", "refunds", "charges_given_back"]
                let rates = ["refund_rate", "refunded_share", "charge_refund_rate", "given_back_share"]
                let figures = (counts + rates).map { row[$0].map(String.init) ?? "none" }
                return ([row.month] + figures).joined(separator: " ")
            }
        }
        #expect(rates("2026-02-01") == ["2026-01 1 0 0 0 0 0 0"])
        #expect(rates("2026-02-03") == ["2026-01 1 0 1 0 0 1000000 400501", "2026-02 0 1 0 none none none none"])
    }

    @Test func `what was left of a superseded period is earned when its successor begins`() {
        let at = "2026-01-11T10:00:00Z"
        let new = Paper.period(2, at, "2026-02-11T10:00:00Z", product: Paper.premium, price: 19_990, reason: .purchase)
        let books = Paper.books(
            Paper.life(Paper.january().with { $0.upgradedAt = instant(at) }, new), at: "2026-01-13T00:00:00Z")
        let old = books.metrics(.happened).recognised(through: "2026-01-12").filter { $0.product == "monthly" }
        #expect(old.map(\.date).max() == "2026-01-11" && old.sum("recognised") == 7_990_000)
        #expect(
            books.metrics(.happened).exclusions(through: "2026-01-12") == [
                MetricRow(["date": "2026-01-01", "app_id": "acme-ios", "reason": "unknown_credit"], ["rows": 1])
            ])
    }

    @Test func `a part of a price is a partial refund`() {
        let refund = Refund(at: instant("2026-01-11T10:00:00Z"), extent: .prorated(percentage: 40_000))
        let books = Paper.books(Paper.life(Paper.january().with { $0.refund = refund }), at: "2026-02-03T00:00:00Z")
        #expect(books.metrics(.happened).refunds(through: "2026-02-02").map { $0.words["kind"] } == ["partial"])
        #expect(books.metrics(.happened).refunds(through: "2026-02-02").figures("refunded") == [3_200_000])
    }

    @Test func `a trial is pending, converted or ended, and its refunded conversion stays one`() {
        let pending = Paper.books(Paper.life(Paper.trial()), at: "2026-01-05T00:00:00Z")
        #expect(pending.metrics(.happened).trials(through: "2026-01-04").figures("pending") == [1])
        let left = Paper.life(Paper.trial().with { $0.ending = .expires(.voluntary) })
        #expect(
            Paper.books(left, at: "2026-01-20T00:00:00Z").metrics(.happened).trials(through: "2026-01-19").figures(
                "ended")
                == [1])
        let refund = Refund(at: instant("2026-01-09T10:00:00Z"), extent: .full)
        let paid = Paper.period(2, "2026-01-08T10:00:00Z", "2026-02-08T10:00:00Z").with { $0.refund = refund }
        let books = Paper.books(Paper.life(Paper.trial(), paid), at: "2026-01-11T00:00:00Z")
        let row = books.metrics(.happened).trials(through: "2026-01-10").first
        #expect(
            row?.words["cohort_date"] == "2026-01-01" && row?.said() == ["started": 1, "converted": 1, "refunded": 1])
        // Two days after the trial, out of retry: it had ended.
        let late = Paper.period(2, "2026-01-10T10:00:01Z", "2026-02-10T10:00:01Z")
        let retried = Paper.books(Paper.life(Paper.trial(), late), at: "2026-01-12T00:00:00Z")
        #expect(retried.metrics(.happened).trials(through: "2026-01-11").figures("ended") == [1])
    }

    /// January's month 1 is over with 28 February; the renewal is 31 days younger than the first payment.
    @Test func `cohorts are blank until they are ripe, and bring what they brought within so many days`() {
        let books = Paper.books(Paper.life(Paper.january(), Paper.february()), at: "2026-03-05T00:00:00Z")
        let cells = books.metrics(.happened).cohorts(through: "2026-03-04")
        #expect(
            cells.figures("month_number") == [0, 1, 2] && cells.figures("paid") == [1, 1, nil]
                && cells.figures("cohort_size") == [1, 1, 1])
        #expect(cells.figures("revenue_retention") == [1_000_000, 1_000_000, nil])
        #expect(cells.first?.words["cohort_month"] == "2026-01")
        let values = books.metrics(.happened).lifetimes(through: "2026-03-04")
        #expect(values.figures("days") == [30, 90, 180, 365] && values.figures("net") == [7_990_000, nil, nil, nil])
    }

    @Test func `the rates of a month follow what it opened with`() {
        let life = Paper.life(Paper.january().with { $0.ending = .expires(.voluntary) })
        let months = Paper.books(life, at: "2026-03-01T00:00:00Z").metrics(.happened).months(through: "2026-02-28")
        let january = months.first { $0.month == "2026-01" }
        #expect(january?["opening"] == 0 && january?["active"] == 1 && january?["churn_rate"] == nil)
        #expect(
            january?["closing_mrr"] == 7_990_000 && january?["quick_ratio"] == nil && january?["set_to_cancel"] == nil)
        let february = months.first { $0.month == "2026-02" }
        #expect(
            february?["opening"] == 1 && february?["churned_of_opening"] == 1 && february?["churn_rate"] == 1_000_000)
        #expect(february?["opening_mrr"] == 7_990_000 && february?["lost_mrr"] == 7_990_000)
        #expect(february?["gross_mrr_churn"] == 1_000_000 && february?["grr"] == 0 && february?["nrr"] == 0)
        #expect(february?["quick_ratio"] == 0 && february?["due"] == 1 && february?["renewed"] == 0)
        #expect(february?["active"] == 0 && february?["closing_mrr"] == 0 && february?["set_to_cancel"] == 0)
    }

    /// 7.99 a month, then 15.98 for the next: nothing lost, as much again gained; then half of it lost.
    @Test func `expansion is no retention of what was lost`() {
        let february = Paper.february().with { $0.priceMilliunits = 15_980 }
        let march = Paper.period(3, "2026-03-01T10:00:00Z", "2026-04-01T10:00:00Z")
        let books = Paper.books(Paper.life(Paper.january(), february, march), at: "2026-03-11T00:00:00Z")
        let months = books.metrics(.happened).months(through: "2026-03-10")
        #expect(months.figures("grr") == [nil, 1_000_000, 500_000])
        #expect(months.figures("nrr") == [nil, 2_000_000, 500_000])
        #expect(months.figures("quick_ratio") == [nil, nil, 0])
        #expect(
            months.figures("renewed") == [0, 1, 1] && months.figures("renewal_rate") == [nil, 1_000_000, 1_000_000])
    }
}
