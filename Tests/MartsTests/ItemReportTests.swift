// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport
import Testing

@testable import ReportSupport

/// Items of one transaction in the reports: 8.00 and 3.00 from 5 January to 5 February, 11.00 a month.
@Suite struct ItemReportTests {
    private static let art = Sale(product: "art", from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z", price: 3_000_000)

    private static var math: Sale {
        var sale = art
        (sale.product, sale.price) = ("math", 8_000_000)
        return sale
    }

    /// Of its whole price on one day.
    private static func refunded(_ sale: Sale, on day: String, isMoneyOnly: Bool) -> Sale {
        var sale = sale
        (sale.refundedAt, sale.refundKind, sale.refund) = ("\(day) 12:00Z", "full", sale.price)
        if isMoneyOnly {
            sale.refundParts =
                #"[{"at": "\#(day)T12:00:00Z", "micros": \#(sale.price ?? 0), "tax": null, "money_only": true}]"#
        }
        return sale
    }

    private static func book(_ sales: [Sale], in world: ReportWorld) async throws {
        for sale in sales {
            try await world.charged(sale)
            guard let at = sale.refundedAt, let refund = sale.refund else { continue }
            try await world.booked("refund", -refund, at: at, of: sale)
        }
    }

    @Test func `an item whose whole price was given back is owned to its expiry where it was not taken back`()
        async throws
    {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            let math = Self.refunded(Self.math, on: "2026-01-15", isMoneyOnly: true)
            let art = Self.refunded(Self.art, on: "2026-01-20", isMoneyOnly: true)
            try await Self.book([art, math], in: world)
            try await world.became("active", at: art.from, expires: art.to, autoRenew: true)
            #expect(
                try await world.bridge(through: "2026-01-31") == [
                    "2026-01-05 math USD: 0.000000, new 11.000000 = 11.000000"
                ])
            #expect(try await world.subscribers(on: "2026-01-31") == ["math: active 1"])
            #expect(try await world.ends().isEmpty)
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// The dearer one on the 15th, the other on the 20th.
    @Test func `a subscription whose items were taken back one after the other ends with the last`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            let math = Self.refunded(Self.math, on: "2026-01-15", isMoneyOnly: false)
            let art = Self.refunded(Self.art, on: "2026-01-20", isMoneyOnly: false)
            try await Self.book([art, math], in: world)
            try await world.became(
                "revoked", at: "2026-01-20 12:00Z", reason: "refund", expires: art.to, autoRenew: false)
            #expect(
                try await world.bridge(through: "2026-01-31") == [
                    "2026-01-05 art USD: 0.000000, new 11.000000 = 11.000000",
                    "2026-01-20 art USD: 11.000000, churn_refund -11.000000 = 0.000000",
                ])
            #expect(try await world.ends() == ["2026-01-20 art: opening 1, refund 1, rate 1.000000"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// The dearer one with its money on the 15th, the other without any on the 20th (RULINGS §5: `revoke` is without money).
    @Test func `a subscription of which an item was given back ends with a refund, though the last was revoked`()
        async throws
    {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            let math = Self.refunded(Self.math, on: "2026-01-15", isMoneyOnly: false)
            var art = Self.art
            (art.refundedAt, art.refundKind) = ("2026-01-20 12:00Z", "revoke")
            try await Self.book([art, math], in: world)
            try await world.became(
                "revoked", at: "2026-01-20 12:00Z", reason: "refund", expires: art.to, autoRenew: false)
            #expect(
                try await world.bridge(through: "2026-01-31") == [
                    "2026-01-05 art USD: 0.000000, new 11.000000 = 11.000000",
                    "2026-01-20 art USD: 11.000000, churn_refund -11.000000 = 0.000000",
                ])
            #expect(try await world.ends() == ["2026-01-20 art: opening 1, refund 1, rate 1.000000"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// Ten seats: of the dearer one 1.00 went back on the 10th and 7.00 with it on the 15th; the other on the 20th.
    ///
    /// Until then all of it is in MRR.
    @Test func `a group whose items were taken back one after the other ends with the last`()
        async throws
    {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            var math = Self.refunded(Self.math, on: "2026-01-15", isMoneyOnly: false)
            math.refundParts = """
                [{"at": "2026-01-10T12:00:00Z", "micros": 1000000, "tax": null, "money_only": true},
                {"at": "2026-01-15T12:00:00Z", "micros": 7000000, "tax": null}]
                """
            var art = Self.refunded(Self.art, on: "2026-01-20", isMoneyOnly: false)
            (math.seats, art.seats) = (0, 0)
            try await world.charged(math)
            try await world.booked("refund", -1_000_000, at: "2026-01-10 12:00Z", of: math)
            try await world.booked("refund", -7_000_000, at: "2026-01-15 12:00Z", of: math)
            try await Self.book([art], in: world)
            try await world.became(
                "revoked", at: "2026-01-20 12:00Z", reason: "refund", expires: art.to, autoRenew: false)
            #expect(
                try await world.bridge(through: "2026-01-31") == [
                    "2026-01-05 math USD: 0.000000, new 11.000000 = 11.000000",
                    "2026-01-20 math USD: 11.000000, churn_refund -11.000000 = 0.000000",
                ])
            #expect(try await world.ends() == ["2026-01-20 math: opening 1, refund 1, rate 1.000000"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// Whichever of the items it is: the whole was given back where each of them was.
    @Test func `a conversion of several items is refunded where each of them was given back`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            let givenBack = [["math"], ["art"], ["math", "art"]]
            for (key, products) in zip(Int64(1)..., givenBack) {
                try await world.sold(
                    Sale(
                        key: key, id: "t0", product: "math", kind: "trial", from: "2026-01-01 12:00Z",
                        to: Self.art.from,
                        price: 0))
                for item in [Self.math, Self.art] {
                    var sale =
                        products.contains(item.product)
                        ? Self.refunded(item, on: "2026-01-15", isMoneyOnly: true) : item
                    sale.key = key
                    try await Self.book([sale], in: world)
                }
                try await world.became("active", key: key, at: Self.art.from, expires: Self.art.to, autoRenew: true)
            }
            #expect(
                try await world.reported(
                    "select started, converted, refunded from trials", [], through: "2026-01-31") == ["3|3|1"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// The dearer item's price went back, or none did; the other one costs nothing in its first month: there is nothing to give back.
    @Test func `an item that cost nothing leaves a conversion refunded`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            for (key, isRefunded) in [(1, true), (2, false)] as [(Int64, Bool)] {
                try await world.sold(
                    Sale(
                        key: key, id: "t0", product: "math", kind: "trial", from: "2026-01-01 12:00Z",
                        to: Self.art.from, price: 0))
                var math = isRefunded ? Self.refunded(Self.math, on: "2026-01-15", isMoneyOnly: true) : Self.math
                var art = Self.art
                (math.key, art.key, art.price) = (key, key, 0)
                try await Self.book([math], in: world)
                try await world.sold(art)
                try await world.became("active", key: key, at: art.from, expires: art.to, autoRenew: true)
            }
            #expect(
                try await world.reported(
                    "select started, converted, refunded from trials", [], through: "2026-01-31") == ["2|2|1"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// Twenty hours before a year was over, both items were charged again: at 85 %, 6.80 of 8.00 and 2.55 of 3.00.
    @Test func `a year counts for every item of a renewal that comes early`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-20")
            try await world.tax("US", "0", inclusive: false)
            for item in [Self.math, Self.art] {
                var year = item
                (year.from, year.to, year.group) = ("2025-02-05 12:00Z", "2026-02-05 12:00Z", "g")
                var next = year
                (next.id, next.kind) = ("t2", "renewal")
                (next.from, next.to) = ("2026-02-04 16:00Z", "2027-02-05 12:00Z")
                try await Self.book([year, next], in: world)
            }
            try await world.became("active", at: "2026-02-04 16:00Z", expires: "2027-02-05 12:00Z", autoRenew: true)
            #expect(
                try await world.proceeds().suffix(2) == [
                    "2026-02-04|3.000000|0.000000|2.550000|1.000000", "2026-02-04|8.000000|0.000000|6.800000|1.000000",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// Ten seats, and from the 15th five more for 4.00 and 1.50; the dearer item is taken back of one of the two rows on the 20th.
    ///
    /// RULINGS §3: one subscriber, its MRR the sum of the rows: 11.00 and 5.50.
    @Test(arguments: ["t1", "t2"])
    func `seats added to a group count in full, whatever item of a row was taken back`(row: String) async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            for item in [Self.math, Self.art] {
                var first = item
                first.seats = 10
                var added = item
                (added.id, added.kind, added.seats) = ("t2", "renewal", 5)
                (added.from, added.price) = ("2026-01-15 12:00Z", (item.price ?? 0) / 2)
                let sales = [first, added].map { sale in
                    guard sale.id == row, sale.product == "math" else { return sale }
                    var sale = Self.refunded(sale, on: "2026-01-20", isMoneyOnly: false)
                    sale.seats = 0
                    return sale
                }
                try await Self.book(sales, in: world)
            }
            try await world.became("active", at: Self.art.from, expires: Self.art.to, autoRenew: true)
            #expect(
                try await world.bridge(through: "2026-01-31") == [
                    "2026-01-05 math USD: 0.000000, new 11.000000 = 11.000000",
                    "2026-01-15 math USD: 11.000000, expansion 5.500000 = 16.500000",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// The dearer item was taken back with its money; the other one costs nothing and is still owned: it had been paid for until then.
    @Test func `a sale whose paid item was taken back beside a free one was paid until then`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            var art = Self.art
            art.price = 0
            try await Self.book([Self.refunded(Self.math, on: "2026-01-15", isMoneyOnly: false)], in: world)
            try await world.sold(art)
            try await world.became("active", at: art.from, expires: art.to, autoRenew: true)
            #expect(
                try await world.bridge(through: "2026-01-31") == [
                    "2026-01-05 math USD: 0.000000, new 8.000000 = 8.000000",
                    "2026-01-15 math USD: 8.000000, churn_refund -8.000000 = 0.000000",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }
}
