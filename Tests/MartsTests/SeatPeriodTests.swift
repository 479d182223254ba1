// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport
import Testing

@testable import ReportSupport

/// A group's seats from period to period: what is due, what was earned, and what two rows of one period are worth
/// together.
///
/// Every figure worked out on paper.
@Suite struct SeatPeriodTests {
    /// Ten seats for 100.00 from 5 January to 5 February.
    private static let team = Sale(
        id: "a", product: "team", from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z", price: 100_000_000, seats: 10)

    /// Five more on the 20th, for the sixteen days that were left of it, for 25.00.
    private static var added: Sale {
        var sale = team
        (sale.id, sale.kind, sale.from, sale.price, sale.seats) = (
            "b", "renewal", "2026-01-20 12:00Z", 25_000_000, 5
        )
        return sale
    }

    /// Two of the seats were given back on that day, for 20.00.
    private static func givenBack(_ sale: Sale, on day: String) -> Sale {
        var sale = sale
        (sale.seats, sale.refundedAt, sale.refundKind, sale.refund) = (8, "\(day) 12:00Z", "partial", 20_000_000)
        sale.refundParts = #"[{"at": "\#(day)T12:00:00Z", "micros": 20000000, "tax": null}]"#
        return sale
    }

    private static func metrics(_ world: ReportWorld, _ columns: String, month: String, through: String) async throws
        -> [String]
    {
        try await world.reported(
            "select product_id, \(columns) from metrics where month = $1 order by product_id", [.text(month)],
            through: through)
    }

    @Test func `the next period's seats are no addition to the last one's`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            var next = Self.team
            (next.id, next.kind, next.from, next.to, next.price, next.seats) = (
                "c", "renewal", "2026-02-05 12:00Z", "2026-03-05 12:00Z", 150_000_000, 15
            )
            for sale in [Self.team, Self.added, next] { try await world.charged(sale) }
            try await world.became("active", at: next.from, expires: next.to, autoRenew: true)
            // 25.00 for the rest of the month, as long as its first row; fifteen seats cost 150.00 in the next month: 25.00 more.
            #expect(
                try await world.bridge(through: "2026-02-28") == [
                    "2026-01-05 team USD: 0.000000, new 100.000000 = 100.000000",
                    "2026-01-20 team USD: 100.000000, expansion 25.000000 = 125.000000",
                    "2026-02-05 team USD: 125.000000, expansion 25.000000 = 150.000000",
                ])
            // One subscription was due on 5 February, however many rows its seats are.
            #expect(
                try await Self.metrics(
                    world, "due, renewed, plan_changes, renewal_rate::text", month: "2026-02", through: "2026-02-28")
                    == ["team|1|1|0|1.000000"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `a group that leaves was due once`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            for sale in [Self.team, Self.added] { try await world.charged(sale) }
            try await world.became(
                "expired", at: "2026-02-05 12:00Z", reason: "voluntary", expires: Self.team.to, autoRenew: false)
            #expect(
                try await Self.metrics(
                    world, "due, renewed, churned_of_opening, renewal_rate::text", month: "2026-02",
                    through: "2026-02-28")
                    == ["team|1|0|1|0.000000"])
            #expect(try await world.ends() == ["2026-02-05 team: opening 1, voluntary 1, rate 1.000000"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `what added seats are worth without tax, and as proceeds, counts together`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            var (first, second) = (Self.team, Self.added)
            (first.tax, first.proceeds) = (20_000_000, 70_000_000)
            (second.tax, second.proceeds) = (5_000_000, 17_500_000)
            for sale in [first, second] { try await world.charged(sale) }
            try await world.became("active", at: first.from, expires: first.to, autoRenew: true)
            // Both are as long as the first: 100 + 25; 80 + 20; 70 + 17.5.
            #expect(
                try await Self.metrics(
                    world, "closing_mrr::text, closing_mrr_net_of_tax::text, closing_mrr_proceeds::text",
                    month: "2026-01", through: "2026-01-31") == ["team|125.000000|100.000000|87.500000"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// Changed for another product on the 20th: that ended the period, and not the seats that were given back.
    @Test func `seats that were given back leave a change of plan one`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            var team = Self.givenBack(Self.team, on: "2026-01-10")
            (team.isUpgraded, team.group) = (true, "g")
            try await world.charged(team)
            try await world.booked("refund", -20_000_000, at: "2026-01-10 12:00Z", of: team)
            try await world.charged(
                Sale(
                    id: "p", product: "pro", kind: "upgrade", from: "2026-01-20 12:00Z", to: "2026-02-20 12:00Z",
                    price: 120_000_000, group: "g", seats: 8))
            try await world.became("active", at: "2026-01-20 12:00Z", expires: "2026-02-20 12:00Z", autoRenew: true)
            #expect(
                try await Self.metrics(world, "due, renewed, plan_changes", month: "2026-01", through: "2026-01-31")
                    == ["pro|0|0|0", "team|0|0|1"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// A year from March, five more seats in December that were given back in January: the year was paid all the same.
    @Test func `D2: added seats that were given back take nothing from the year either`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-12-31")
            try await world.tax("US", "0", inclusive: false)
            var year = Self.team
            (year.from, year.to, year.group) = ("2025-03-01 12:00Z", "2026-03-01 12:00Z", "g")
            var more = year
            (more.id, more.kind, more.from, more.price, more.seats) = (
                "m", "renewal", "2025-12-01 12:00Z", 10_000_000, 0
            )
            (more.refundedAt, more.refundKind, more.refund) = ("2026-01-10 12:00Z", "full", 10_000_000)
            for sale in [year, more] { try await world.charged(sale) }
            try await world.booked("refund", -10_000_000, at: "2026-01-10 12:00Z", of: more)
            try await Self.renew(in: world)
            // 70 % until 365 days were paid, then 85 %.
            #expect(
                try await world.proceeds() == [
                    "2025-03-01|100.000000|0.000000|70.000000|1.000000",
                    "2025-12-01|10.000000|0.000000|7.000000|1.000000",
                    "2026-01-10|-10.000000|0.000000|-7.000000|1.000000",
                    "2026-03-01|80.000000|0.000000|68.000000|1.000000",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// Its second year, for eight seats.
    private static func renew(in world: ReportWorld) async throws {
        try await world.charged(
            Sale(
                id: "b", product: "team", kind: "renewal", from: "2026-03-01 12:00Z", to: "2027-03-01 12:00Z",
                price: 80_000_000, group: "g", seats: 8))
        try await world.became("active", at: "2026-03-01 12:00Z", expires: "2027-03-01 12:00Z", autoRenew: true)
    }

    @Test
    func `D2: seats that were given back take nothing from the year after which the commission is 15 %`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-12-31")
            try await world.tax("US", "0", inclusive: false)
            var year = Self.givenBack(Self.team, on: "2025-04-01")
            (year.from, year.to, year.group) = ("2025-03-01 12:00Z", "2026-03-01 12:00Z", "g")
            try await world.charged(year)
            try await world.booked("refund", -20_000_000, at: "2025-04-01 12:00Z", of: year)
            try await Self.renew(in: world)
            // 100 × 0.7, −20 × 0.7, and after 365 days of it 80 × 0.85.
            #expect(
                try await world.proceeds() == [
                    "2025-03-01|100.000000|0.000000|70.000000|1.000000",
                    "2025-04-01|-20.000000|0.000000|-14.000000|1.000000",
                    "2026-03-01|80.000000|0.000000|68.000000|1.000000",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }
}
