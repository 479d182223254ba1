// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport
import Testing

/// The changes of MRR as the reports' table has them; every figure worked out on paper.
@Suite struct MRRChangeTests {
    /// Ten seats for 100.00; on the 25th one is given back for 10.00 in the morning, and another one in the afternoon.
    @Test func `what one transaction changes on a day is one row, with its sum`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            var team = Sale(
                id: "a", product: "team", from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z", price: 100_000_000,
                seats: 8)
            (team.refundedAt, team.refundKind, team.refund) = ("2026-01-25 15:00Z", "partial", 20_000_000)
            team.refundParts = #"""
                [{"at": "2026-01-25T09:00:00Z", "micros": 10000000, "tax": null},
                {"at": "2026-01-25T15:00:00Z", "micros": 10000000, "tax": null}]
                """#
            try await world.charged(team)
            try await world.booked("refund", -10_000_000, at: "2026-01-25 09:00Z", of: team)
            try await world.booked("refund", -10_000_000, at: "2026-01-25 15:00Z", of: team)
            try await world.became("active", at: team.from, expires: team.to, autoRenew: true)
            #expect(
                try await world.shown(
                    "select day, product_id, currency, bucket, transaction_id, nanos from mrr_changes order by day",
                    through: "2026-01-31") == [
                        "2026-01-05|team|USD|new|a|100000000000",
                        "2026-01-25|team|USD|contraction|a|-20000000000",
                    ])
            #expect(
                try await world.bridge(through: "2026-01-31") == [
                    "2026-01-05 team USD: 0.000000, new 100.000000 = 100.000000",
                    "2026-01-25 team USD: 100.000000, contraction -20.000000 = 80.000000",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }
}
