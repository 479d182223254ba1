// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport
import Testing

@testable import ReportSupport

/// Renewal and churn by the number of payments made, worked out on paper.
@Suite struct TenureTests {
    private func tenure(_ world: ReportWorld, month: String) async throws -> [String] {
        try await world.reported(
            "select customer, tenure, opening, churned_of_opening, churn_rate::text, due, renewed, renewal_rate::text, "
                + "plan_changes from tenure where month = $1 order by customer, tenure", [.text(month)],
            through: "2026-05-31")
    }

    /// A month from the day named to the one after.
    private func pay(
        _ world: ReportWorld, key: Int64 = 1, _ id: String, _ kind: String, product: String = "monthly", from: String,
        to: String
    ) async throws {
        try await world.charged(
            Sale(
                key: key, id: id, product: product, kind: kind, from: "2026-\(from) 12:00Z", to: "2026-\(to) 12:00Z",
                price: 10_000_000))
    }

    @Test func `payments are counted from the first one, and again for who comes back`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-05-31")
            try await pay(world, "t1", "purchase", from: "01-10", to: "02-10")
            try await pay(world, "t2", "renewal", from: "02-10", to: "03-10")
            try await world.became(
                "expired", at: "2026-03-10 12:00Z", reason: "voluntary", expires: "2026-03-10 12:00Z")
            try await pay(world, "t3", "resubscribe", from: "04-05", to: "05-05")
            try await pay(world, "t4", "renewal", from: "05-05", to: "06-05")
            try await world.became("active", at: "2026-05-05 12:00Z", expires: "2026-06-05 12:00Z")
            #expect(try await tenure(world, month: "2026-02") == ["new|1|1|0|0.000000|1|1|1.000000|0"])
            #expect(try await tenure(world, month: "2026-03") == ["new|2|1|1|1.000000|1|0|0.000000|0"])
            #expect(try await tenure(world, month: "2026-04") == [])
            #expect(try await tenure(world, month: "2026-05") == ["returning|1|1|0|0.000000|1|1|1.000000|0"])
        }
    }

    @Test func `a lapse that is made good does not begin the count again`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-05-31")
            // The first period known is a renewal: how many came before is unknown.
            try await pay(world, "t1", "renewal", from: "01-20", to: "02-20")
            try await world.became("billing_retry", at: "2026-02-20 12:00Z", expires: "2026-02-20 12:00Z")
            try await pay(world, "t2", "renewal", from: "03-01", to: "04-01")
            try await pay(world, "t3", "renewal", from: "04-01", to: "05-01")
            try await pay(world, "t4", "renewal", from: "05-01", to: "06-01")
            try await world.became("active", at: "2026-05-01 12:00Z", expires: "2026-06-01 12:00Z")
            #expect(try await tenure(world, month: "2026-02") == ["imported|1|1|0|0.000000|1|0|0.000000|0"])
            #expect(try await tenure(world, month: "2026-03") == [])
            #expect(try await tenure(world, month: "2026-04") == ["imported|2|1|0|0.000000|1|1|1.000000|0"])
            #expect(try await tenure(world, month: "2026-05") == ["imported|3|1|0|0.000000|1|1|1.000000|0"])
        }
    }

    @Test func `who is in a long period is in every month's opening, and another plan is a payment on`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-05-31")
            try await pay(world, "t1", "purchase", product: "quarterly", from: "01-10", to: "04-10")
            try await pay(world, "t2", "crossgrade", from: "04-10", to: "05-10")
            try await pay(world, "t3", "renewal", from: "05-10", to: "06-10")
            try await world.became("active", at: "2026-05-10 12:00Z", expires: "2026-06-10 12:00Z")
            for month in ["2026-02", "2026-03"] {
                #expect(try await tenure(world, month: month) == ["new|1|1|0|0.000000|0|0||0"])
            }
            #expect(try await tenure(world, month: "2026-04") == ["new|1|1|0|0.000000|0|0||1"])
            #expect(try await tenure(world, month: "2026-05") == ["new|2|1|0|0.000000|1|1|1.000000|0"])
        }
    }

    @Test func `seats that are added are no payment of their own`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-05-31")
            var team = Sale(
                id: "a", product: "team", from: "2026-03-05 12:00Z", to: "2026-04-05 12:00Z", price: 100_000_000,
                seats: 10)
            try await world.charged(team)
            (team.id, team.kind, team.from, team.price, team.seats) = (
                "b", "renewal", "2026-03-20 12:00Z", 25_000_000, 5
            )
            try await world.charged(team)
            (team.id, team.from, team.to, team.seats) = ("c", "2026-04-05 12:00Z", "2026-05-05 12:00Z", 15)
            try await world.charged(team)
            try await world.became("active", at: "2026-04-05 12:00Z", expires: "2026-05-05 12:00Z")
            #expect(try await tenure(world, month: "2026-04") == ["new|1|1|0|0.000000|1|1|1.000000|0"])
            #expect(try await tenure(world, month: "2026-05") == ["new|2|1|0|0.000000|1|0|0.000000|0"])
        }
    }
}
