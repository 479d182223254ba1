// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport
import Testing

@testable import ReportSupport

/// Groups, their seats, and bundles in the reports; every figure worked out on paper.
@Suite struct SeatReportTests {
    /// Ten seats for 100.00 from 5 January to 5 February.
    private static let team = Sale(
        id: "a", product: "team", from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z", price: 100_000_000, seats: 10)

    /// Five more on the 20th, for the rest of the same period, for 25.00.
    private static var added: Sale {
        var sale = team
        (sale.id, sale.kind, sale.from, sale.price, sale.seats) = (
            "b", "renewal", "2026-01-20 12:00Z", 25_000_000, 5
        )
        return sale
    }

    /// Of that day and the one after.
    private static func seats(_ world: ReportWorld, from day: String) async throws -> [String] {
        try await world.reported(
            "select date, active, seats from subscribers where date between $1::date and $1::date + 1 order by date",
            [.text(day)], through: "2026-01-31")
    }

    @Test func `added seats are an expansion of one subscriber at their purchase`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            try await world.charged(Self.team)
            try await world.charged(Self.added)
            try await world.became("active", at: Self.team.from, expires: Self.team.to, autoRenew: true)
            // A period of 31 days is a month, and the five that were bought for the rest of it are as long: 25.00 more.
            #expect(
                try await world.bridge(through: "2026-01-31") == [
                    "2026-01-05 team USD: 0.000000, new 100.000000 = 100.000000",
                    "2026-01-20 team USD: 100.000000, expansion 25.000000 = 125.000000",
                ])
            #expect(try await world.subscribers(on: "2026-01-25") == ["team: active 1"])
            #expect(try await Self.seats(world, from: "2026-01-19") == ["2026-01-19|1|10", "2026-01-20|1|15"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `a member of a group is no subscriber and has no money`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            var seat = Self.team
            (seat.key, seat.ownership, seat.seats) = (2, "assigned", nil)
            try await world.sold(seat)
            try await world.became("active", key: 2, at: seat.from, expires: seat.to, autoRenew: true)
            #expect(try await world.bridge(through: "2026-01-31").isEmpty)
            #expect(try await world.subscribers(on: "2026-01-25").isEmpty)
            #expect(try await Self.seats(world, from: "2026-01-25").isEmpty)
            #expect(try await world.exclusions() == ["2026-01-05|assigned|1"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// Given back whole on that day.
    private static func refunded(_ sale: Sale, on day: String) -> Sale {
        var sale = sale
        (sale.refundedAt, sale.refundKind, sale.refund, sale.seats) = ("\(day) 12:00Z", "full", sale.price, 0)
        sale.refundParts = #"[{"at": "\#(day)T12:00:00Z", "micros": \#(sale.price ?? 0), "tax": null}]"#
        return sale
    }

    private static func book(_ sales: [Sale], in world: ReportWorld) async throws {
        for sale in sales {
            try await world.charged(sale)
            guard let at = sale.refundedAt, let refund = sale.refund else { continue }
            try await world.booked("refund", -refund, at: at, of: sale)
        }
    }

    /// The five that were added, or the ten that they were added to: the others run on.
    @Test(arguments: [true, false])
    func `seats of a period that were given back whole end nothing while others run on`(isAddition: Bool) async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            let (first, second) = (Self.team, Self.added)
            try await Self.book(
                isAddition
                    ? [first, Self.refunded(second, on: "2026-01-25")]
                    : [Self.refunded(first, on: "2026-01-25"), second], in: world)
            try await world.became("active", at: Self.team.from, expires: Self.team.to, autoRenew: true)
            let rest =
                isAddition
                ? "2026-01-25 team USD: 125.000000, contraction -25.000000 = 100.000000"
                : "2026-01-25 team USD: 125.000000, contraction -100.000000 = 25.000000"
            #expect(
                try await world.bridge(through: "2026-01-31") == [
                    "2026-01-05 team USD: 0.000000, new 100.000000 = 100.000000",
                    "2026-01-20 team USD: 100.000000, expansion 25.000000 = 125.000000", rest,
                ])
            #expect(try await world.subscribers(on: "2026-01-31") == ["team: active 1"])
            #expect(try await world.ends().isEmpty)
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// 40 % of the added seats' price, or nothing of it: all five are gone, and what they were worth with them.
    @Test(arguments: [("partial", 10_000_000), ("revoke", nil)] as [(String, Int64?)])
    func `seats that were taken back for a part of their price, or for none of it, are gone`(
        kind: String, refund: Int64?
    )
        async throws
    {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            var added = Self.added
            (added.refundedAt, added.refundKind, added.refund, added.seats) = ("2026-01-25 12:00Z", kind, refund, 0)
            try await Self.book([Self.team, added], in: world)
            try await world.became("active", at: Self.team.from, expires: Self.team.to, autoRenew: true)
            #expect(
                try await world.bridge(through: "2026-01-31") == [
                    "2026-01-05 team USD: 0.000000, new 100.000000 = 100.000000",
                    "2026-01-20 team USD: 100.000000, expansion 25.000000 = 125.000000",
                    "2026-01-25 team USD: 125.000000, contraction -25.000000 = 100.000000",
                ])
            #expect(try await world.subscribers(on: "2026-01-31") == ["team: active 1"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// Two of ten on the 10th for 20.00, the others on the 25th; five that were added run on.
    @Test func `of seats that were given back one after the other each loses its own worth`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            var team = Self.team
            (team.refundedAt, team.refundKind, team.refund, team.seats) = ("2026-01-25 12:00Z", "full", 100_000_000, 0)
            team.refundParts = #"""
                [{"at": "2026-01-10T12:00:00Z", "micros": 20000000, "tax": null},
                {"at": "2026-01-25T12:00:00Z", "micros": 80000000, "tax": null}]
                """#
            try await world.charged(team)
            try await world.booked("refund", -20_000_000, at: "2026-01-10 12:00Z", of: team)
            try await world.booked("refund", -80_000_000, at: "2026-01-25 12:00Z", of: team)
            try await world.charged(Self.added)
            try await world.became("active", at: Self.team.from, expires: Self.team.to, autoRenew: true)
            #expect(
                try await world.bridge(through: "2026-01-31") == [
                    "2026-01-05 team USD: 0.000000, new 100.000000 = 100.000000",
                    "2026-01-10 team USD: 100.000000, contraction -20.000000 = 80.000000",
                    "2026-01-20 team USD: 80.000000, expansion 25.000000 = 105.000000",
                    "2026-01-25 team USD: 105.000000, contraction -80.000000 = 25.000000",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// Renewed on 4 February, a day before the expiry; on the evening of that day seats of the old period are given back.
    @Test func `seats of the last period that are given back lower nothing of the next one`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            var (team, next) = (Self.team, Self.team)
            (team.refundedAt, team.refundKind, team.refund, team.seats) = (
                "2026-02-04 20:00Z", "partial", 20_000_000, 8
            )
            team.refundParts = #"[{"at": "2026-02-04T20:00:00Z", "micros": 20000000, "tax": null}]"#
            (next.id, next.kind, next.from, next.to, next.price, next.seats) = (
                "c", "renewal", "2026-02-04 12:00Z", "2026-03-05 12:00Z", 100_000_000, 10
            )
            try await Self.book([team, next], in: world)
            try await world.became("active", at: next.from, expires: next.to, autoRenew: true)
            #expect(
                try await world.bridge(through: "2026-02-28") == [
                    "2026-01-05 team USD: 0.000000, new 100.000000 = 100.000000"
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// Two of the first ten on the 25th; on the 28th all of them gave way to a larger plan: 105.00 move there.
    ///
    /// Whether the store calls every row of the old period upgraded, or only the one that it began with, is not told.
    @Test(arguments: [true, false])
    func `seats given back before an upgrade were a contraction of the plan they were of`(isAll: Bool) async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            var (team, added, next) = (Self.team, Self.added, Self.team)
            (team.refundedAt, team.refundKind, team.refund, team.seats) = (
                "2026-01-25 12:00Z", "partial", 20_000_000, 8
            )
            team.refundParts = #"[{"at": "2026-01-25T12:00:00Z", "micros": 20000000, "tax": null}]"#
            (team.isUpgraded, added.isUpgraded) = (true, isAll)
            (next.id, next.product, next.kind, next.price, next.seats) = ("c", "company", "upgrade", 300_000_000, 30)
            (next.from, next.to) = ("2026-01-28 12:00Z", "2026-02-28 12:00Z")
            try await Self.book([team, added, next], in: world)
            try await world.became("active", at: next.from, expires: next.to, autoRenew: true)
            let bridge = try await world.bridge(through: "2026-01-31")
            #expect(bridge.contains("2026-01-25 team USD: 125.000000, contraction -20.000000 = 105.000000"))
            #expect(bridge.contains("2026-01-28 team USD: 105.000000, moved_out -105.000000 = 0.000000"))
            #expect(
                bridge.contains(
                    "2026-01-28 company USD: 0.000000, moved_in 105.000000, expansion 195.000000 = 300.000000"))
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// A year of ten seats was given back whole in January, the five added ones gave way to a month in February, which ended in March.
    @Test func `a team of which some seats were given back and the others gave way ends with its successor`()
        async throws
    {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-31")
            var (team, added, next) = (Self.team, Self.added, Self.team)
            (team.to, team.price) = ("2027-01-05 12:00Z", 1_200_000_000)
            (added.to, added.price, added.isUpgraded) = ("2027-01-05 12:00Z", 300_000_000, true)
            (next.id, next.product, next.kind, next.price, next.seats) = ("c", "single", "downgrade", 30_000_000, 1)
            (next.from, next.to) = ("2026-02-10 12:00Z", "2026-03-10 12:00Z")
            try await Self.book([Self.refunded(team, on: "2026-01-25"), added, next], in: world)
            try await world.became("active", at: next.from, expires: next.to)
            try await world.became("expired", at: "2026-03-10 12:00Z", reason: "voluntary", expires: next.to)
            let bridge = try await world.bridge(through: "2026-03-31")
            #expect(bridge.contains("2026-01-25 team USD: 125.000000, contraction -100.000000 = 25.000000"))
            #expect(bridge.contains("2026-02-10 team USD: 25.000000, moved_out -25.000000 = 0.000000"))
            #expect(bridge.last == "2026-03-10 single USD: 30.000000, churn_voluntary -30.000000 = 0.000000")
            #expect(try await world.subscribers(on: "2026-03-31").isEmpty)
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// Five were refunded before; the ten that were left gave way to a bundle that another original transaction id has.
    @Test func `a group that gave way to a bundle after a refund of some is no churn`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            var team = Self.team
            (team.refundedAt, team.refundKind, team.seats) = ("2026-01-28 12:00Z", "revoke", 0)
            try await Self.book([team, Self.refunded(Self.added, on: "2026-01-25")], in: world)
            try await world.became("active", at: Self.team.from, expires: Self.team.to, autoRenew: true)
            try await world.became("expired", at: "2026-01-28 12:00Z", reason: "replaced", expires: Self.team.to)
            #expect(
                try await world.bridge(through: "2026-01-31").last
                    == "2026-01-28 team USD: 100.000000, moved_out -100.000000 = 0.000000")
            #expect(try await world.ends().isEmpty)
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// The year that the team took the place of ends long after the team's month.
    @Test func `seats of a team that took the place of a longer plan lower its MRR`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-31")
            let year = Sale(
                id: "y", product: "yearly", from: "2026-01-05 12:00Z", to: "2027-01-05 12:00Z", price: 600_000_000,
                isUpgraded: true)
            var team = Self.team
            (team.kind, team.from, team.to, team.seats) = ("crossgrade", "2026-03-05 12:00Z", "2026-04-05 12:00Z", 8)
            (team.refundedAt, team.refundKind, team.refund) = ("2026-03-20 12:00Z", "partial", 20_000_000)
            team.refundParts = #"[{"at": "2026-03-20T12:00:00Z", "micros": 20000000, "tax": null}]"#
            try await Self.book([year, team], in: world)
            try await world.became("active", at: team.from, expires: team.to, autoRenew: true)
            #expect(
                try await world.bridge(through: "2026-03-31").last
                    == "2026-03-20 team USD: 100.000000, contraction -20.000000 = 80.000000")
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// Ended in February, bought again in March, and given way to a bundle then.
    @Test func `an earlier end of a team remains what it was when the team gives way to a bundle`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-31")
            var again = Self.team
            (again.id, again.kind, again.from, again.to) = (
                "c", "resubscribe", "2026-03-01 12:00Z", "2026-04-01 12:00Z"
            )
            (again.refundedAt, again.refundKind, again.seats) = ("2026-03-20 12:00Z", "revoke", 0)
            try await Self.book([Self.team, again], in: world)
            try await world.became("active", at: Self.team.from, expires: Self.team.to, autoRenew: true)
            try await world.became(
                "expired", at: "2026-02-05 12:00Z", reason: "voluntary", expires: Self.team.to, autoRenew: false)
            try await world.became("active", at: again.from, expires: again.to, autoRenew: true)
            try await world.became("expired", at: "2026-03-20 12:00Z", reason: "replaced", expires: again.to)
            #expect(
                try await world.bridge(through: "2026-03-31") == [
                    "2026-01-05 team USD: 0.000000, new 100.000000 = 100.000000",
                    "2026-02-05 team USD: 100.000000, churn_voluntary -100.000000 = 0.000000",
                    "2026-03-01 team USD: 0.000000, reactivation 100.000000 = 100.000000",
                    "2026-03-20 team USD: 100.000000, moved_out -100.000000 = 0.000000",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `a team that is refunded in its grace leaves with the refund`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await Self.book([Self.refunded(Self.team, on: "2026-02-10")], in: world)
            try await world.became("active", at: Self.team.from, expires: Self.team.to, autoRenew: true)
            try await world.became(
                "grace", at: "2026-02-05 12:00Z", expires: Self.team.to, grace: "2026-02-21 12:00Z", autoRenew: true)
            try await world.became(
                "revoked", at: "2026-02-10 12:00Z", reason: "refund", expires: Self.team.to, autoRenew: false)
            #expect(
                try await world.bridge(through: "2026-02-28") == [
                    "2026-01-05 team USD: 0.000000, new 100.000000 = 100.000000",
                    "2026-02-10 team USD: 100.000000, churn_refund -100.000000 = 0.000000",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// The added five on the 25th, the first ten on the 28th: the customer leaves with the last of them, whichever that is.
    @Test(arguments: [true, false])
    func `a period ends by refund when every row of it was given back`(isFirstLast: Bool) async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            let (early, late) = ("2026-01-25", "2026-01-28")
            try await Self.book(
                [
                    Self.refunded(Self.team, on: isFirstLast ? late : early),
                    Self.refunded(Self.added, on: isFirstLast ? early : late),
                ], in: world)
            try await world.became(
                "revoked", at: "2026-01-28 12:00Z", reason: "refund", expires: Self.team.to, autoRenew: false)
            let (lost, left) = isFirstLast ? ("25", "100") : ("100", "25")
            #expect(
                try await world.bridge(through: "2026-01-31") == [
                    "2026-01-05 team USD: 0.000000, new 100.000000 = 100.000000",
                    "2026-01-20 team USD: 100.000000, expansion 25.000000 = 125.000000",
                    "2026-01-25 team USD: 125.000000, contraction -\(lost).000000 = \(left).000000",
                    "2026-01-28 team USD: \(left).000000, churn_refund -\(left).000000 = 0.000000",
                ])
            #expect(try await world.ends() == ["2026-01-28 team: opening 1, refund 1, rate 1.000000"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `seats that were given back move money and end nothing`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            var sale = Self.team
            (sale.seats, sale.refundedAt, sale.refundKind, sale.refund) = (
                8, "2026-01-10 12:00Z", "partial", 20_000_000
            )
            sale.refundParts = #"[{"at": "2026-01-10T12:00:00Z", "micros": 20000000, "tax": null}]"#
            try await world.charged(sale)
            try await world.booked("refund", -20_000_000, at: "2026-01-10 12:00Z", of: sale)
            try await world.became("active", at: sale.from, expires: sale.to, autoRenew: true)
            #expect(
                try await world.bridge(through: "2026-01-31") == [
                    "2026-01-05 team USD: 0.000000, new 100.000000 = 100.000000",
                    "2026-01-10 team USD: 100.000000, contraction -20.000000 = 80.000000",
                ])
            #expect(try await world.subscribers(on: "2026-01-31") == ["team: active 1"])
            #expect(try await Self.seats(world, from: "2026-01-30") == ["2026-01-30|1|8", "2026-01-31|1|8"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `an item that was taken back leaves the subscription to the others`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            let art = Sale(
                product: "art", from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z", price: 3_000_000)
            var math = art
            (math.product, math.price, math.refundedAt, math.refundKind, math.refund) = (
                "math", 8_000_000, "2026-01-15 12:00Z", "full", 8_000_000
            )
            try await world.charged(art)
            try await world.charged(math)
            try await world.booked("refund", -8_000_000, at: "2026-01-15 12:00Z", of: math)
            try await world.became("active", at: art.from, expires: art.to, autoRenew: true)
            #expect(try await world.subscribers(on: "2026-01-31") == ["art: active 1"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `what gave way to a bundle moves out and is no churn`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            let alone = Sale(
                from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z", price: 5_000_000, refundedAt: "2026-01-15 12:00Z",
                refundKind: "revoke")
            try await world.charged(alone)
            try await world.became("active", at: alone.from, expires: alone.to, autoRenew: true)
            try await world.became("expired", at: "2026-01-15 12:00Z", reason: "replaced", expires: alone.to)
            #expect(
                try await world.bridge(through: "2026-01-31") == [
                    "2026-01-05 monthly USD: 0.000000, new 5.000000 = 5.000000",
                    "2026-01-15 monthly USD: 5.000000, moved_out -5.000000 = 0.000000",
                ])
            let churned = try await world.reported(
                "select date, churned from churn where churned <> 0", through: "2026-01-31")
            #expect(churned.isEmpty)
            #expect(try await world.failedChecks().isEmpty)
        }
    }
}
