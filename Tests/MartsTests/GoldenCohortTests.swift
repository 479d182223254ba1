// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport
import Testing

@testable import ReportSupport

/// What others got wrong about retention (each case names whose it was), worked out on paper.
@Suite struct GoldenCohortTests {
    @Test
    func `Golden: grace is not retained until it is paid, and nothing is lost then (RevenueCat, 2024)`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await world.charged(Sale(from: "2026-01-10 12:00Z", to: "2026-02-10 12:00Z"))
            try await world.became(
                "grace", at: "2026-02-10 12:00Z", expires: "2026-02-10 12:00Z", grace: "2026-03-01 12:00Z")
            // Month 1 runs from 10 February to 10 March: nothing of it is paid.
            #expect(try await world.cohorts(through: "2026-02-28").last == "2026-01|1|1|0|0.000000|0.000000")
            try await world.charged(Sale(id: "t2", kind: "renewal", from: "2026-02-25 12:00Z", to: "2026-03-25 12:00Z"))
            #expect(try await world.cohorts(through: "2026-02-28").last == "2026-01|1|1|1|1.000000|1.000000")
            #expect(try await world.ends(through: "2026-02-28").isEmpty, "active throughout: no churn to take back")
        }
    }

    @Test
    func `Golden: retention divides by all who came, and a cancelled trial is no churn (profitable)`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-30")
            try await world.pays(key: 1, months: 3)
            try await world.pays(key: 2, months: 2, price: 30_000_000)
            try await world.pays(key: 3, months: 1)
            let end = "2026-01-17 12:00Z"
            try await world.sold(Sale(key: 4, kind: "trial", from: "2026-01-10 12:00Z", to: end, price: 0))
            try await world.became("trial", key: 4, at: "2026-01-11 12:00Z", expires: end, autoRenew: false)
            try await world.became("expired", key: 4, at: end, reason: "voluntary", expires: end)
            // Three came; two, one and none paid on. Money: 10 + 30 + 10; then 10 + 30 of the 50; then 10; then nothing.
            #expect(
                try await world.cohorts(through: "2026-04-30") == [
                    "2026-01|0|3|3|1.000000|1.000000", "2026-01|1|3|2|0.666667|0.800000",
                    "2026-01|2|3|1|0.333333|0.200000", "2026-01|3|3|0|0.000000|0.000000",
                ])
            #expect(
                try await world.ends(through: "2026-04-30") == [
                    "2026-02-10 monthly: opening 3, voluntary 1, rate 0.333333",
                    "2026-03-10 monthly: opening 2, voluntary 1, rate 0.500000",
                    "2026-04-10 monthly: opening 1, voluntary 1, rate 1.000000",
                ])
            let trials = try await world.reported(
                "select started, converted, ended from trials", through: "2026-04-30")
            #expect(trials == ["1|0|1"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }
}

extension ReportWorld {
    /// Pays by the month from the 10th of January on, that many times, and then leaves.
    func pays(key: Int64, months: Int, price: Int64 = 10_000_000) async throws {
        for month in 0..<months {
            try await charged(
                Sale(
                    key: key, id: "t\(month)", kind: month == 0 ? "purchase" : "renewal",
                    from: "2026-0\(month + 1)-10 12:00Z", to: "2026-0\(month + 2)-10 12:00Z", price: price))
        }
        try await became(
            "expired", key: key, at: "2026-0\(months + 1)-10 12:00Z", reason: "voluntary",
            expires: "2026-0\(months + 1)-10 12:00Z")
    }

    /// `month number size paid retention revenue_retention`.
    func cohorts(through: String) async throws -> [String] {
        try await reported(
            "select cohort_month, month_number, cohort_size, paid, retention::text, revenue_retention::text from cohorts order by cohort_month, month_number",
            through: through)
    }
}
