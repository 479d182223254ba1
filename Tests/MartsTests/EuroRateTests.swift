// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ReportSupport

/// Currencies that gave way to the euro, and exchange rates that end.
///
/// Fixed rates are those of the Council's regulations.
@Suite struct EuroRateTests {
    private func lev(_ day: String) -> Sale {
        Sale(from: "\(day) 12:00Z", to: "2026-12-31 12:00Z", price: 19_558_300, currency: "BGN", country: "BG")
    }

    @Test func `a currency of the euro converts at its fixed rate from its day on, whatever is still quoted`()
        async throws
    {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            try await world.rate("USD", "1.2", on: "2025-12-30")
            try await world.rate("BGN", "2", on: "2025-12-30")
            try await world.rate("BGN", nil, on: "2026-01-02")
            try await world.rate("USD", "1.1", on: "2026-01-09")
            try await world.rate("BGN", "3", on: "2026-01-09", base: "EUR", source: "bank")
            try await world.charged(lev("2025-12-31"))
            var later = lev("2026-01-10")
            (later.key, later.id) = (2, "t2")
            try await world.charged(later)
            // 19.5583 ÷ 2 × 1.2; 19.5583 ÷ 1.95583 × 1.1.
            #expect(
                try await world.converted() == [
                    "2025-12-31|11.734980|0.000000|11.734980|USD|0|ecb 2025-12-30",
                    "2026-01-10|11.000000|0.000000|11.000000|USD|0|ecb 2026-01-09",
                ])
        }
    }

    @Test func `a reporting currency of the euro is one, too, and needs no rate`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await world.report(in: "BGN")
            try await world.charged(
                Sale(
                    from: "2026-02-01 12:00Z", to: "2026-03-01 12:00Z", price: 10_000_000, currency: "EUR",
                    country: "DE"))
            #expect(
                try await world.converted() == ["2026-02-01|19.558300|0.000000|19.558300|BGN|0|euro 2026-01-01"])
        }
    }

    @Test func `each fixed rate applies from its first day on`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            for (currency, rate, since, before) in [
                ("BGN", "1.95583", "2026-01-01", "2025-12-31"), ("HRK", "7.53450", "2023-01-01", "2022-12-31"),
                ("LTL", "3.45280", "2015-01-01", "2014-12-31"), ("LVL", "0.702804", "2014-01-01", "2013-12-31"),
                ("EEK", "15.6466", "2011-01-01", "2010-12-31"), ("SKK", "30.1260", "2009-01-01", "2008-12-31"),
                ("CYP", "0.585274", "2008-01-01", "2007-12-31"), ("MTL", "0.429300", "2008-01-01", "2007-12-31"),
            ] {
                let found = try await world.connection.lines(
                    """
                    select denominator / numerator = \(rate) as is_right
                    from marts.conversion_as_of(1, '\(currency)', 'EUR', '\(since)')
                    """)
                #expect(found == ["true"], "\(currency)")
                let earlier = try await world.connection.lines(
                    "select 1 as it from marts.conversion_as_of(1, '\(currency)', 'EUR', '\(before)')")
                #expect(earlier.isEmpty, "\(currency)")
            }
        }
    }

    @Test func `rates of currencies in use that end more than ten days before a report are named`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-20")
            func stale(on day: String) async throws -> [String] {
                try await world.connection.lines(
                    "select currency, newest from subledger.stale_rates(1, '\(day)', 'USD') order by currency")
            }
            try await world.charged(Sale(from: "2026-04-15 12:00Z", to: "2026-05-15 12:00Z"))
            try await world.rate("USD", "1.2", on: "2026-04-01")
            #expect(try await stale(on: "2026-04-20") == [], "all is of one currency")
            try await world.charged(
                Sale(
                    key: 2, from: "2026-04-01 12:00Z", to: "2026-05-01 12:00Z", price: 1_500_000_000, currency: "JPY",
                    country: "JP"))
            try await world.rate("JPY", "160", on: "2026-04-09")
            try await world.rate("SEK", "11", on: "2026-01-09")
            #expect(try await stale(on: "2026-04-11") == [])
            #expect(try await stale(on: "2026-04-12") == ["USD|2026-04-01"])
            #expect(try await stale(on: "2026-04-20") == ["JPY|2026-04-09", "USD|2026-04-01"])
            #expect(try await stale(on: "2026-05-02") == [], "nothing was sold in yen for thirty days")
        }
    }
}
