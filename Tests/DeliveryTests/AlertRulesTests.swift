// SPDX-License-Identifier: Apache-2.0

import Model
import Rendering
import Testing

@testable import Delivery

/// Thresholds at, below and above; what is too little to assess is not assessed.
@Suite struct AlertRulesTests {
    private typealias Share = Alert.Share

    /// 113 usual days, then a week.
    private static func week(
        net: Int64? = 100, refunded: Int64? = 10, refunds: Int64 = 1, usualDays: Int = 113, usualRefunded: Int64? = 10
    ) -> IssueSummary {
        Summaries.summary(
            Summaries.days(usualDays, refunded: usualRefunded)
                + Summaries.days(7, net: net, refunded: refunded, refunds: refunds))
    }

    /// 90 usual days, then a month.
    private static func month(_ churned: [String: Int64], before: [String: Int64] = ["voluntary": 1, "involuntary": 1])
        -> IssueSummary
    {
        Summaries.summary(Summaries.days(90, churned: before) + Summaries.days(30, churned: churned))
    }

    @Test func `usual days raise no alert`() throws { #expect(try Summaries.alerts(Summaries.summary()) == []) }

    @Test func `books that do not agree are always an alert`() throws {
        #expect(try Summaries.alerts(Summaries.summary(reconciled: false)) == [.notReconciled])
    }

    /// 36 hours is the default; the app was read an hour before nothing else happens.
    @Test(arguments: [(36, false), (37, true)] as [(Int64, Bool)])
    func `an app that was not read for longer than the limit is stale`(_ hours: Int64, _ isStale: Bool) throws {
        let expected: [Alert] =
            isStale ? [.stale(app: "acme-ios", lastCheckedAt: Instant(iso8601: Summaries.night))] : []
        #expect(try Summaries.alerts(Summaries.summary(), after: hours) == expected)
    }

    @Test func `a report that is owed and missing is always an alert`() throws {
        let now = try #require(Instant(iso8601: Summaries.night))
        let rules = AlertRules(
            AlertThresholds(), of: Summaries.summary(), unknownValues: 0, owedReports: ["2026-04-01"], now: now)
        #expect(rules.alerts == [.missingReports(["2026-04-01"])])
    }

    @Test func `an app that was never read is stale`() throws {
        let apps = [IssueSummary.App(app: "new", lastCheckedAt: nil, missingPrices: 0)]
        #expect(try Summaries.alerts(Summaries.summary(apps: apps)) == [.stale(app: "new", lastCheckedAt: nil)])
    }

    /// A usual week has 70; twice of it is the limit.
    @Test(arguments: [(19, nil), (20, nil), (21, 147)] as [(Int64, Int64?)])
    func `refunds of a week alert above twice the usual`(_ daily: Int64, _ week: Int64?) throws {
        let expected = week.map { Alert.refunds(ofWeek: $0 * 1_000_000, usual: 70_000_000) }
        #expect(try Summaries.alerts(Self.week(refunded: daily)) == [expected].compactMap(\.self))
    }

    @Test func `four refunds are chance, five of nothing are not`() throws {
        let few = Summaries.days(113, refunded: 0, refunds: 0) + Summaries.days(3, refunded: 0, refunds: 0)
        #expect(try Summaries.alerts(Summaries.summary(few + Summaries.days(4, refunded: 5))) == [])
        let five = Summaries.days(113, refunded: 0, refunds: 0) + Summaries.days(2, refunded: 0, refunds: 0)
        #expect(
            try Summaries.alerts(Summaries.summary(five + Summaries.days(5, refunded: 5)))
                == [.refunds(ofWeek: 25_000_000, usual: 0)])
    }

    /// A usual week has 700; half of it is the limit.
    @Test(arguments: [(51, nil), (50, nil), (49, 343)] as [(Int64, Int64?)])
    func `net revenue of a week alerts below half the usual`(_ daily: Int64, _ week: Int64?) throws {
        let expected = week.map { Alert.netRevenue(ofWeek: $0 * 1_000_000, usual: 700_000_000) }
        #expect(try Summaries.alerts(Self.week(net: daily)) == [expected].compactMap(\.self))
    }

    @Test func `less than four weeks are no usual level`() throws {
        #expect(try Summaries.alerts(Self.week(net: 0, usualDays: 27)) == [])
        #expect(
            try Summaries.alerts(Self.week(net: 0, usualDays: 28)) == [.netRevenue(ofWeek: 0, usual: 700_000_000)])
    }

    @Test func `an unknown figure is not below anything`() throws {
        #expect(try Summaries.alerts(Self.week(net: nil)) == [])
    }

    /// Ninety percent of what it was thirty days before is the limit.
    @Test(arguments: [(901, false), (900, false), (899, true)] as [(Int64, Bool)])
    func `MRR alerts below nine tenths of a month ago`(_ now: Int64, _ isAlert: Bool) throws {
        let days = Summaries.days(119) + Summaries.days(1, mrr: now)
        let expected: [Alert] = isAlert ? [.mrr(now: now * 1_000_000, before: 1_000_000_000)] : []
        #expect(try Summaries.alerts(Summaries.summary(days)) == expected)
    }

    @Test func `MRR is compared with the day thirty days before, and not without one`() throws {
        let fallen = Summaries.days(1, mrr: 1_000) + Summaries.days(30, mrr: 100)
        #expect(try Summaries.alerts(Summaries.summary(fallen)) == [.mrr(now: 100_000_000, before: 1_000_000_000)])
        #expect(try Summaries.alerts(Summaries.summary(Array(fallen.dropFirst()))) == [])
    }

    /// Half and half before; seventy to thirty is twenty points apart.
    @Test func `a reason of churn alerts when its share moved by more than twenty points`() throws {
        #expect(try Summaries.alerts(Self.month(["voluntary": 3, "involuntary": 7])) == [])
        let before = Share(part: 90, whole: 180)
        #expect(
            try Summaries.alerts(Self.month(["voluntary": 29, "involuntary": 71])) == [
                .churnReason("involuntary", now: Share(part: 2_130, whole: 3_000), before: before),
                .churnReason("voluntary", now: Share(part: 870, whole: 3_000), before: before),
            ])
    }

    @Test func `a reason that did not occur before counts, and a handful of ends does not`() throws {
        let none = Share(part: 0, whole: 180)
        #expect(
            try Summaries.alerts(Self.month(["voluntary": 1, "involuntary": 1, "price": 1]))
                == [.churnReason("price", now: Share(part: 30, whole: 90), before: none)])
        let few = Summaries.days(90) + Summaries.days(11, churned: [:]) + Summaries.days(19, churned: ["price": 1])
        #expect(try Summaries.alerts(Summaries.summary(few)) == [])
    }

    @Test(arguments: [(0, false), (1, true)] as [(Int64, Bool)])
    func `one unknown word is enough`(_ count: Int64, _ isAlert: Bool) throws {
        #expect(
            try Summaries.alerts(Summaries.summary(), unknownValues: count) == (isAlert ? [.unknownValues(1)] : []))
    }

    @Test func `subscribers without a price are reported app by app`() throws {
        let apps = [("a", 4), ("b", 5), ("c", 6)].map {
            IssueSummary.App(app: $0.0, lastCheckedAt: Summaries.night, missingPrices: $0.1)
        }
        var thresholds = AlertThresholds()
        thresholds.missingPrices = 5
        #expect(
            try Summaries.alerts(Summaries.summary(apps: apps), thresholds)
                == [.missingPrices(app: "b", count: 5), .missingPrices(app: "c", count: 6)])
    }

    @Test func `what is switched off alerts never, data comes before figures, and the largest amounts are reckoned`()
        throws
    {
        var off = AlertThresholds()
        (off.staleAfter, off.refundsAbove, off.churnShift, off.netRevenueBelow) = (nil, nil, nil, nil)
        (off.mrrBelow, off.unknownValues, off.missingPrices) = (nil, nil, nil)
        let huge: Int64 = 9_000_000_000
        let days =
            Summaries.days(113, net: huge, refunded: 1, mrr: huge, churned: ["voluntary": 1])
            + Summaries.days(7, net: 0, refunded: huge, mrr: 0, churned: ["price": 30])
        let summary = Summaries.summary(
            days, reconciled: false, apps: [IssueSummary.App(app: "a", lastCheckedAt: nil, missingPrices: 1)])
        #expect(try Summaries.alerts(summary, off, unknownValues: 3) == [.notReconciled])
        let names = try Summaries.alerts(summary, unknownValues: 3).map { "\($0)".prefix { $0 != "(" } }
        #expect(
            names == [
                "notReconciled", "stale", "missingPrices", "unknownValues", "mrr", "netRevenue", "refunds",
                "churnReason", "churnReason",
            ])
    }
}
