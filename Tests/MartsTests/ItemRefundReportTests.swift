// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport
import Testing

@testable import ReportSupport

/// What was given back of an item in the reports: money alone while it is owned, its end where it was taken away; reckoned by hand.
@Suite struct ItemRefundReportTests {
    /// 100.00 from 5 January to 5 February, of which 10.00 went back on the 10th and 20.00 on the 15th.
    private static func sale(seats: Int64? = nil, isMoneyOnly: [Bool]) -> Sale {
        var sale = Sale(
            id: "a", product: "team", from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z", price: 100_000_000,
            seats: seats)
        (sale.refundedAt, sale.refundKind, sale.refund) = ("2026-01-15 12:00Z", "partial", 30_000_000)
        let parts = zip([("10", "10000000"), ("15", "20000000")], isMoneyOnly).map { part, isMoneyOnly in
            "{\"at\": \"2026-01-\(part.0)T12:00:00Z\", \"micros\": \(part.1), \"tax\": null"
                + (isMoneyOnly ? ", \"money_only\": true}" : "}")
        }
        sale.refundParts = "[\(parts.joined(separator: ", "))]"
        return sale
    }

    private static func book(_ sale: Sale, in world: ReportWorld) async throws {
        try await world.night(1, for: "2026-01-31")
        try await world.charged(sale)
        try await world.booked("refund", -10_000_000, at: "2026-01-10 12:00Z", of: sale)
        try await world.booked("refund", -20_000_000, at: "2026-01-15 12:00Z", of: sale)
    }

    private static let started = "2026-01-05 team USD: 0.000000, new 100.000000 = 100.000000"

    /// Two of ten seats on the 15th; the 10.00 of the 10th were an item's, which the group owns still.
    @Test func `a group's MRR is less by what was given back for seats, not by an item's refund`() async throws {
        try await ReportWorld.with { world in
            let sale = Self.sale(seats: 8, isMoneyOnly: [true, false])
            try await Self.book(sale, in: world)
            try await world.became("active", at: sale.from, expires: sale.to, autoRenew: true)
            #expect(
                try await world.bridge(through: "2026-01-31") == [
                    Self.started, "2026-01-15 team USD: 100.000000, contraction -20.000000 = 80.000000",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `an item that lost money twice and is owned still stays in MRR`() async throws {
        try await ReportWorld.with { world in
            let sale = Self.sale(isMoneyOnly: [true, true])
            try await Self.book(sale, in: world)
            try await world.became("active", at: sale.from, expires: sale.to, autoRenew: true)
            #expect(try await world.bridge(through: "2026-01-31") == [Self.started])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// In two sums that do not come to its price; or after one of money alone.
    @Test(arguments: [[false, false], [true, false]])
    func `an item that was taken back for less than its price leaves MRR with that`(isMoneyOnly: [Bool]) async throws {
        try await ReportWorld.with { world in
            let sale = Self.sale(isMoneyOnly: isMoneyOnly)
            try await Self.book(sale, in: world)
            try await world.became("active", at: sale.from, expires: sale.to, autoRenew: true)
            try await world.became(
                "revoked", at: "2026-01-15 12:00Z", reason: "refund", expires: sale.to, autoRenew: false)
            #expect(
                try await world.bridge(through: "2026-01-31") == [
                    Self.started, "2026-01-15 team USD: 100.000000, churn_refund -100.000000 = 0.000000",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// All of the 100.00 went back on the 10th, and the item was owned until another product took its place on the 20th.
    @Test func `a change of plan is one, though the whole price was given back before`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            var sale = Self.sale(isMoneyOnly: [])
            (sale.refundedAt, sale.refundKind, sale.refund) = ("2026-01-10 12:00Z", "full", sale.price)
            (sale.isUpgraded, sale.group) = (true, "g")
            sale.refundParts =
                #"[{"at": "2026-01-10T12:00:00Z", "micros": 100000000, "tax": null, "money_only": true}]"#
            try await world.charged(sale)
            try await world.booked("refund", -100_000_000, at: "2026-01-10 12:00Z", of: sale)
            try await world.charged(
                Sale(
                    id: "p", product: "pro", kind: "upgrade", from: "2026-01-20 12:00Z", to: "2026-02-20 12:00Z",
                    price: 120_000_000, group: "g"))
            try await world.became("active", at: "2026-01-20 12:00Z", expires: "2026-02-20 12:00Z", autoRenew: true)
            #expect(
                try await world.reported(
                    "select product_id, due, renewed, plan_changes from metrics where month = '2026-01' order by product_id",
                    through: "2026-01-31") == ["pro|0|0|0", "team|0|0|1"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// A year from March 2025 whose price was given back on 1 April: 31 days were paid, and the next one is at 70 %.
    ///
    /// Of two items the other one was paid all year: the next is at 85 %.
    @Test(arguments: [(false, "56.000000"), (true, "68.000000")] as [(Bool, String)])
    func `a year that was wholly given back counts for no lower commission`(hasAnother: Bool, next: String) async throws
    {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-12-31")
            try await world.tax("US", "0", inclusive: false)
            var year = Sale(
                id: "a", product: "team", from: "2025-03-01 12:00Z", to: "2026-03-01 12:00Z", price: 100_000_000,
                group: "g")
            var other = year
            (other.product, other.price) = ("art", 10_000_000)
            (year.refundedAt, year.refundKind, year.refund) = ("2025-04-01 12:00Z", "full", year.price)
            year.refundParts =
                #"[{"at": "2025-04-01T12:00:00Z", "micros": 100000000, "tax": null, "money_only": true}]"#
            for sale in hasAnother ? [year, other] : [year] { try await world.charged(sale) }
            try await world.booked("refund", -100_000_000, at: "2025-04-01 12:00Z", of: year)
            try await world.charged(
                Sale(
                    id: "b", product: "team", kind: "renewal", from: "2026-03-01 12:00Z", to: "2027-03-01 12:00Z",
                    price: 80_000_000, group: "g"))
            try await world.became("active", at: "2026-03-01 12:00Z", expires: "2027-03-01 12:00Z", autoRenew: true)
            #expect(try await world.proceeds().last == "2026-03-01|80.000000|0.000000|\(next)|1.000000")
            #expect(try await world.failedChecks().isEmpty)
        }
    }
}
