// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport
import Testing

@testable import ReportSupport

/// Who of a month's newcomers paid in each month of their lives.
@Suite struct CohortTests {
    @Test func `a cell is blank until everybody has reached its month`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-30")
            try await world.pays(key: 1, months: 2)
            // 30 January may begin its month 1 on 28 February: the last day of the cohort's month 0 is 27 February.
            #expect(
                try await world.cohorts(through: "2026-02-27") == [
                    "2026-01|0|1|1|1.000000|1.000000", "2026-01|1|1|||",
                ])
            #expect(
                try await world.cohorts(through: "2026-02-28").last == "2026-01|1|1|1|1.000000|1.000000")
        }
    }

    @Test func `a year is paid in each of its months`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-30")
            try await world.charged(Sale(from: "2026-01-31 12:00Z", to: "2027-01-31 12:00Z", price: 120_000_000))
            try await world.became("active", at: "2026-01-31 12:00Z", expires: "2027-01-31 12:00Z")
            #expect(
                try await world.cohorts(through: "2026-03-31") == [
                    "2026-01|0|1|1|1.000000|1.000000", "2026-01|1|1|1|1.000000|1.000000",
                    "2026-01|2|1|1|1.000000|1.000000",
                ])
        }
    }

    @Test func `imported lineages and trials have no cohort`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await world.charged(Sale(key: 1, kind: "renewal", from: "2026-01-10 12:00Z", to: "2026-02-10 12:00Z"))
            try await world.sold(
                Sale(key: 2, kind: "trial", from: "2026-01-10 12:00Z", to: "2026-01-20 12:00Z", price: 0))
            #expect(try await world.cohorts(through: "2026-02-28").isEmpty)
        }
    }

    @Test func `what covers no time is counted`() async throws {
        // Google's end before its start is invalid (RevenueCat export notes): revenue, never a subscriber, never silent.
        try await ReportWorld.with { world in
            try await world.allowPeriodsThatEndBeforeTheyStart()
            try await world.night(1, for: "2026-02-28")
            try await world.charged(
                Sale(key: 1, from: "2026-01-10 12:00Z", to: "2026-01-09 12:00Z", store: "google_play"))
            var superseded = Sale(key: 2, from: "2026-01-11 12:00Z", to: "2026-02-11 12:00Z")
            superseded.isUpgraded = true
            try await world.charged(superseded)
            try await world.charged(
                Sale(key: 2, id: "t2", kind: "upgrade", from: "2026-01-20 12:00Z", to: "2026-02-20 12:00Z"))
            try await world.sold(Sale(key: 3, from: "2026-01-12 12:00Z", to: "2026-02-12 12:00Z", price: 0))
            try await world.sold(
                Sale(key: 4, from: "2026-01-12 12:00Z", to: "2026-02-12 12:00Z", price: nil, currency: nil))
            #expect(
                try await world.reported(
                    "select date, reason, rows from exclusions order by date, reason", through: "2026-02-28") == [
                        "2026-01-10|invalid_period|1", "2026-01-11|unknown_credit|1", "2026-01-12|missing_price|1",
                        "2026-01-12|zero_price|1",
                    ])
            #expect(try await world.subscribers(on: "2026-01-13") == ["monthly: active 2"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }
}
