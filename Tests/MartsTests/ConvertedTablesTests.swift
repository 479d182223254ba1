// SPDX-License-Identifier: Apache-2.0

import Model
import Synchronization
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// Kept tables follow the exchange rates that are imported, and the reporting currency that is configured.
@Suite struct ConvertedTablesTests {
    private static func history(_ world: ReportWorld) async throws {
        try await world.night(1, for: "2026-04-20")
        for key: Int64 in 1...6 {
            try await world.charged(
                Sale(
                    key: key, from: "2026-03-05 12:00Z", to: "2026-05-05 12:00Z", price: 10_000_000,
                    currency: key % 2 == 0 ? "EUR" : "GBP", country: "DE"))
        }
    }

    private static func reported(_ world: ReportWorld) async throws -> [String] {
        try await world.connection.lines(
            "select currency, sum(net_reporting)::text, max(reporting_currency), sum(unconverted) from report.revenue "
                + "group by currency order by currency")
    }

    /// The dollar's rate concerns all six: more than a part of one subscription holds.
    @Test(arguments: [(Int64(1), true), (20_000, false)])
    func `rates that come later convert what they apply to, or build the tables again`(
        _ size: (part: Int64, isBuiltAgain: Bool)
    ) async throws {
        try await ReportWorld.with { world in
            try await Self.history(world)
            let parts = Mutex(0)
            let tables = MartTables(
                connection: world.connection, timeZone: "UTC", partSize: size.part,
                progress: { _, _ in parts.withLock { $0 += 1 } })
            try await tables.refreshMarts(to: 1)
            #expect(try await Self.reported(world) == ["EUR||USD|3", "GBP||USD|3"])
            try await world.night(2, for: "2026-04-21")
            try await world.rate("USD", "1.2", on: "2026-03-04", seal: 2)
            try await world.rate("GBP", "0.8", on: "2026-03-05", seal: 2)
            parts.withLock { $0 = 0 }
            try await tables.refreshMarts(to: 2)
            // 3 × 10 × 1.2; the pound has no rate before the day of purchase.
            #expect(try await Self.reported(world) == ["EUR|36.000000|USD|0", "GBP||USD|3"])
            #expect(parts.withLock { $0 > 0 } == size.isBuiltAgain)
            #expect(try await MartTablesTests.rebuild(world, seal: 2).isEmpty)
        }
    }

    /// Paid in dollars, the reporting currency; the store says the renewal in crowns: 80 at 10 to the dollar.
    @Test func `a rate that comes later converts a renewal in a currency that nothing was paid in`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-20")
            try await world.charged(Sale(from: "2026-03-05 12:00Z", to: "2026-05-05 12:00Z"))
            try await world.became(
                "active", at: "2026-03-06 12:00Z", expires: "2026-05-05 12:00Z", autoRenew: true,
                renewal: (80_000_000, "SEK"))
            try await MartTablesTests.refresh(world, seal: 1)
            let renewals = "select renewal_currency, renewal_reporting_micros::bigint from marts.paid_periods"
            #expect(try await world.connection.lines(renewals) == ["SEK|"])
            try await world.night(2, for: "2026-04-21")
            try await world.rate("SEK", "10", on: "2026-03-04", base: "USD", source: "bank", seal: 2)
            try await MartTablesTests.refresh(world, seal: 2)
            #expect(try await world.connection.lines(renewals) == ["SEK|8000000"])
            #expect(try await MartTablesTests.rebuild(world, seal: 2).isEmpty)
        }
    }

    /// Of two imports the second one is written before the first one's report is made.
    @Test func `a rate applies as long as its seal knows no later one`() async throws {
        try await ReportWorld.with { world in
            try await Self.history(world)
            try await MartTablesTests.refresh(world, seal: 1)
            for seal: Int64 in 2...3 { try await world.night(seal, for: "2026-04-2\(seal)") }
            try await world.rate("USD", "1.2", on: "2026-03-01", seal: 2)
            try await world.rate("USD", "1.5", on: "2026-03-04", seal: 3)
            try await MartTablesTests.refresh(world, seal: 2)
            #expect(try await Self.reported(world) == ["EUR|36.000000|USD|0", "GBP||USD|3"])
            try await MartTablesTests.refresh(world, seal: 3)
            #expect(try await Self.reported(world) == ["EUR|45.000000|USD|0", "GBP||USD|3"])
        }
    }

    @Test func `another reporting currency builds the tables again`() async throws {
        try await ReportWorld.with { world in
            try await Self.history(world)
            try await world.rate("USD", "1.2", on: "2026-03-04")
            try await MartTablesTests.refresh(world, seal: 1)
            try await world.report(in: "EUR", after: 1)
            try await world.night(2, for: "2026-04-21")
            try await MartTablesTests.refresh(world, seal: 2)
            #expect(try await Self.reported(world) == ["EUR|30.000000|EUR|0", "GBP||EUR|3"])
            #expect(try await MartTablesTests.rebuild(world, seal: 2).isEmpty)
        }
    }
}
