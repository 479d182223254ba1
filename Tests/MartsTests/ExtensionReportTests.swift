// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ReportSupport

/// A month for 9.99 from the 5th of January to the 5th of February that the App Store extended by twenty days, to the 25th.
@Suite struct ExtensionReportTests {
    private let end = "2026-02-05 12:00Z"
    private let extended = "2026-02-25 12:00Z"

    private var january: Sale {
        var sale = Sale(from: "2026-01-05 12:00Z", to: end)
        sale.extendedTo = extended
        return sale
    }

    /// With a catalogue and without one.
    @Test(arguments: [nil, "P1M"])
    func `an extension shrinks no MRR, and the renewal at its end follows on`(catalogue: String?) async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-20")
            if let catalogue { try await world.product("monthly", catalogue) }
            try await world.charged(january)
            try await world.charged(Sale(id: "t2", kind: "renewal", from: extended, to: "2026-03-25 12:00Z"))
            try await world.became("active", at: extended, expires: "2026-03-25 12:00Z")
            #expect(
                try await world.bridge(through: "2026-03-20") == [
                    "2026-01-05 monthly USD: 0.000000, new 9.990000 = 9.990000"
                ])
            #expect(try await world.subscribers(on: "2026-02-20") == ["monthly: active 1"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// 31 days for 9.99: 0.161129… by the noon-to-midnight of the first day, all of it by the noon of the 5th of February.
    @Test func `it is recognised until the end it was sold with`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-20")
            try await world.charged(january)
            let days = try await world.recognised()
            #expect(days.first == "2026-01-05|0.161129|9.828871")
            #expect(days.last == "2026-02-05|0.161129|0.000000")
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `whoever leaves at the later end leaves then, and the renewal is due then`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-10")
            try await world.charged(january)
            try await world.became("active", at: "2026-01-05 12:00Z", expires: extended, autoRenew: false)
            #expect(
                try await world.reported("select date, due from renewals", through: "2026-02-10") == ["2026-02-25|1"])
            #expect(try await world.subscribers(on: "2026-02-10") == ["monthly: active 1, set_to_cancel 1"])
            try await world.night(2, for: "2026-02-28")
            try await world.became(
                "expired", at: extended, reason: "voluntary", expires: extended, autoRenew: false, seal: 2)
            #expect(
                try await world.bridge(seal: 2, through: "2026-02-28") == [
                    "2026-01-05 monthly USD: 0.000000, new 9.990000 = 9.990000",
                    "2026-02-25 monthly USD: 9.990000, churn_voluntary -9.990000 = 0.000000",
                ])
            #expect(try await world.failedChecks(seal: 2).isEmpty)
        }
    }

    /// Refunded on the 15th of February, after the end it was sold with: it ends then, and is no renewal that was missed.
    @Test func `a refund within the extension ends it`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            var sale = january
            (sale.refundedAt, sale.refundKind, sale.refund) = ("2026-02-15 09:00Z", "full", 9_990_000)
            try await world.charged(sale)
            try await world.booked("refund", -9_990_000, at: "2026-02-15 09:00Z", of: sale)
            try await world.became("revoked", at: "2026-02-15 09:00Z", reason: "refund", expires: extended)
            #expect(
                try await world.bridge(through: "2026-02-28") == [
                    "2026-01-05 monthly USD: 0.000000, new 9.990000 = 9.990000",
                    "2026-02-15 monthly USD: 9.990000, churn_refund -9.990000 = 0.000000",
                ])
            #expect(
                try await world.reported("select coalesce(sum(due), 0) from metrics", through: "2026-02-28") == ["0"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// Ten seats for 100.00 and two more for 15.00, which end together; the extension shows in either row, or in both.
    @Test(arguments: [[0], [1], [0, 1]])
    func `seats of one period stay together where one of their rows has the extension`(_ reported: [Int]) async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-20")
            var rows = [
                Sale(id: "t1", product: "team", from: "2026-04-01 12:00Z", to: "2026-05-01 12:00Z", price: 100_000_000),
                Sale(id: "t2", product: "team", from: "2026-04-10 12:00Z", to: "2026-05-01 12:00Z", price: 15_000_000),
            ]
            (rows[0].seats, rows[1].seats) = (10, 2)
            for place in reported { rows[place].extendedTo = "2026-05-16 12:00Z" }
            for row in rows { try await world.charged(row) }
            try await world.became("active", at: "2026-04-01 12:00Z", expires: "2026-05-16 12:00Z")
            #expect(
                try await world.bridge(through: "2026-04-20") == [
                    "2026-04-01 team USD: 0.000000, new 100.000000 = 100.000000",
                    "2026-04-10 team USD: 100.000000, expansion 15.000000 = 115.000000",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// Twelve months from January to December, each of which was extended by 80 days, so that the next begins 80 days late: no lapse
    /// ends the count of paid days, and none of the 80 are among them: 365 days are paid with the twelfth month.
    @Test func `extended days are no lapse of paid service, and no days of it`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2029-12-31")
            let starts = [
                "2026-01-01", "2026-04-22", "2026-08-10", "2026-11-29", "2027-03-19", "2027-07-08", "2027-10-26",
                "2028-02-14", "2028-06-03", "2028-09-22", "2029-01-10", "2029-05-01", "2029-08-19",
            ]
            for (place, start) in starts.enumerated() {
                // 31 or 30 days, in turn; 80 days later the next one begins.
                var sale = Sale(id: "t\(place)", kind: place == 0 ? "purchase" : "renewal", from: start + " 00:00Z")
                let days = try await world.connection.lines(
                    "select (timestamp '\(start)' + interval '\(place.isMultiple(of: 2) ? 31 : 30) days')::date::text")
                sale.to = try #require(days.first) + " 00:00Z"
                if place + 1 < starts.count { sale.extendedTo = starts[place + 1] + " 00:00Z" }
                try await world.charged(sale)
            }
            // Six of 31 and six of 30 days are 366: the thirteenth follows a year.
            #expect(
                try await world.reported(
                    "select count(*) filter (where has_paid_a_year) || ' of ' || count(*) from paid_periods",
                    through: "2029-12-31") == ["1 of 13"])
        }
    }
}
