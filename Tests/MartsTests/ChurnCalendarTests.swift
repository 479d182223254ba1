// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport
import Testing

@testable import ReportSupport

/// On which day a movement counts, and that the days join up.
@Suite struct ChurnCalendarTests {
    /// One lineage that the store declared ended, voluntarily, at the end of its only period.
    private func history(_ world: ReportWorld, key: Int64 = 1, from: String, to: String) async throws {
        try await world.charged(Sale(key: key, from: from, to: to))
        try await world.became("expired", key: key, at: to, reason: "voluntary", expires: to)
    }

    @Test func `an end at midnight belongs to the day that begins`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-20")
            try await history(world, from: "2026-02-03 00:00Z", to: "2026-02-05 00:00Z")
            // It began with the 3rd, so the 3rd opened without it; it was active up to the first instant of the 5th.
            #expect(try await world.openings(through: "2026-02-20") == ["2026-02-04 1", "2026-02-05 1"])
            #expect(
                try await world.ends(through: "2026-02-20") == [
                    "2026-02-05 monthly: opening 1, voluntary 1, rate 1.000000"
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `a fall to zero and a day with nothing but ends are reported`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-20")
            for key in [Int64(1), 2, 3] {
                try await history(world, key: key, from: "2026-02-01 12:00Z", to: "2026-02-05 12:00Z")
            }
            #expect(
                try await world.ends(through: "2026-02-20") == [
                    "2026-02-05 monthly: opening 3, voluntary 3, rate 1.000000"
                ])
            #expect(try await world.openings(through: "2026-02-20").last == "2026-02-05 3")
        }
    }

    @Test func `a span of days reports the same as the whole history`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-20")
            try await history(world, key: 1, from: "2026-01-01 12:00Z", to: "2026-02-05 12:00Z")
            try await history(world, key: 2, from: "2026-02-04 12:00Z", to: "2026-02-08 12:00Z")
            try await history(world, key: 3, from: "2026-01-01 12:00Z", to: "2026-01-20 12:00Z")
            let span = "select * from churn where date >= '2026-02-03' order by date"
            let part = try await world.reported(span, from: "2026-02-03", through: "2026-02-06")
            let whole = try await world.reported(span, through: "2026-02-06")
            #expect(part == whole)
            #expect(part.map { $0.prefix(10) } == ["2026-02-03", "2026-02-04", "2026-02-05", "2026-02-06"])
        }
    }

    @Test func `shares are rounded half to even`() async throws {
        try await ReportWorld.with { world in
            // 1/128 = 0.0078125 and 3/128 = 0.0234375: both halfway; 1/3 and 2/3 are not.
            let lines = try await world.connection.lines(
                """
                select marts.share(1, 128) a, marts.share(3, 128) b, marts.share(1, 3) c, marts.share(2, 3) d,
                    marts.share(0, 7) e, marts.share(7, 7) f, marts.share(1, 0) g
                """)
            #expect(lines == ["0.007812|0.023438|0.333333|0.666667|0.000000|1.000000|"])
        }
    }
}
