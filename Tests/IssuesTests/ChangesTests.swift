// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport
import Testing

@testable import ReportSupport

/// Which figures of days already reported have moved since the last issue, and which rows did it.
@Suite struct ChangesTests {
    private let sale = Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z")

    private func changes(_ world: ReportWorld, seal: Int64) async throws -> [String] {
        try await world.reported(
            "select figure, date, product_id, before::text, after::text, transaction_ids from changes order by date, figure",
            seal: seal, through: "2026-12-31")
    }

    private func lapsed(_ world: ReportWorld) async throws {
        try await world.night(1, for: "2026-02-28")
        try await world.charged(sale)
        try await world.became(
            "billing_retry", at: "2026-02-05 12:00Z", recorded: "2026-02-06 02:00Z", expires: sale.to)
    }

    @Test func `the first issue has nothing to compare with`() async throws {
        try await ReportWorld.with { world in
            try await lapsed(world)
            #expect(try await changes(world, seal: 1).isEmpty)
        }
    }

    @Test func `what lapsed and was given up is said`() async throws {
        try await ReportWorld.with { world in
            try await lapsed(world)
            try await world.night(2, for: "2026-04-06")
            try await world.became(
                "expired", at: "2026-02-05 12:00Z", recorded: "2026-04-07 02:00Z", reason: "involuntary",
                expires: sale.to, seal: 2)
            #expect(
                try await changes(world, seal: 2) == [
                    "churned involuntary|2026-02-05|monthly|0|1|t1", "lapsed|2026-02-05|monthly|1|0|t1",
                    "mrr churn_involuntary USD|2026-02-05|monthly|0.000000|-9.990000|t1",
                    "mrr lapsed USD|2026-02-05|monthly|-9.990000|0.000000|t1",
                ])
            // The next issue has nothing new to say, and the first one still nothing.
            try await world.night(3, for: "2026-04-07")
            #expect(try await changes(world, seal: 3).isEmpty)
            #expect(try await changes(world, seal: 1).isEmpty)
        }
    }

    @Test func `money learned late names its rows`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await world.charged(sale)
            try await world.night(2, for: "2026-03-01")
            // A charge of January learned in March; a refund of the 20th of February; another of the 1st of March, a day
            // that no issue has reported yet.
            try await world.charged(
                Sale(key: 2, id: "late", from: "2026-01-05 18:00Z", to: "2026-02-05 18:00Z", price: 5_000_000), seal: 2)
            try await world.booked("refund", -1_000_000, at: "2026-02-20 12:00Z", of: sale, seal: 2)
            try await world.booked("refund", -2_000_000, at: "2026-03-01 12:00Z", of: sale, seal: 2)
            let said = try await changes(world, seal: 2)
            #expect(
                said == [
                    "gross USD|2026-01-05|monthly|9.990000|14.990000|late",
                    "mrr new USD|2026-01-05|monthly|9.990000|14.990000|late",
                    "refunded USD|2026-02-20|monthly|0.000000|1.000000|t1",
                ])
        }
    }

    /// The night for 1 March learned of a charge of January and made no report: the next one tells of it, and of its own.
    @Test func `what a night without a report learned is reported by the next issue`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await world.charged(sale)
            try await world.night(2, for: "2026-03-01", issued: false)
            try await world.charged(
                Sale(key: 2, id: "late", from: "2026-01-05 18:00Z", to: "2026-02-05 18:00Z", price: 5_000_000), seal: 2)
            try await world.night(3, for: "2026-03-02")
            try await world.booked("refund", -1_000_000, at: "2026-02-20 12:00Z", of: sale, seal: 3)
            let expected = [
                "gross USD|2026-01-05|monthly|9.990000|14.990000|late",
                "mrr new USD|2026-01-05|monthly|9.990000|14.990000|late",
                "refunded USD|2026-02-20|monthly|0.000000|1.000000|t1",
            ]
            #expect(try await changes(world, seal: 3) == expected)
            // The missing report is issued after all, now that seal 3 is given: its own changes, and those of the third night
            // as they were said; the fourth has it behind it.
            try await world.issue(2, for: "2026-03-01")
            #expect(try await changes(world, seal: 2) == Array(expected.prefix(2)))
            #expect(try await changes(world, seal: 3) == expected)
            try await world.night(4, for: "2026-03-03")
            #expect(try await changes(world, seal: 4).isEmpty)
        }
    }

    @Test func `imports and intake are no issues`() async throws {
        try await ReportWorld.with { world in
            try await lapsed(world)
            try await world.night(2, for: "2026-03-01", issued: false)
            try await world.connection.script("update subledger.runs set job = 'intake' where run_id = 2")
            try await world.charged(
                Sale(key: 2, id: "late", from: "2026-01-05 18:00Z", to: "2026-02-05 18:00Z"), seal: 2)
            try await world.night(3, for: "2026-03-02")
            #expect(try await changes(world, seal: 3).count == 2)
        }
    }
}
