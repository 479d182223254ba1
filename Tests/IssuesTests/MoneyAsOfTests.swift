// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// E1: reports of an earlier seal are the same bytes, whatever rates, rules, taxes and prices were imported since.
@Suite struct MoneyAsOfTests {
    @Test
    func `E1: as of an earlier seal every table is the same bytes after new prices, rates and rules`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await world.night(1, for: "2026-04-20")
                try await world.tax("DE", "0.19", inclusive: true)
                try await world.rate("USD", "1.25", on: "2026-02-27")
                var sale = Sale(
                    from: "2026-03-01 10:00Z", to: "2026-04-01 10:00Z", price: 11_900_000, currency: "EUR",
                    country: "DE")
                (sale.refundedAt, sale.refundKind, sale.refund) = ("2026-03-15 09:00Z", "full", 11_900_000)
                try await world.charged(sale)
                try await world.booked("refund", -11_900_000, at: "2026-03-15 09:00Z", of: sale)
                let unpriced = Sale(
                    key: 2, from: "2026-03-02 10:00Z", to: "2026-04-02 10:00Z", price: nil, currency: nil)
                try await world.sold(unpriced)
                let before = try await tables(world, seal: 1, in: directory + "/before")

                try await world.night(2, for: "2026-04-21")
                try await world.tax("DE", "0.07", inclusive: true, seal: 2)
                try await world.rate("USD", "2.5", on: "2026-02-27", seal: 2)
                try await world.rate("USD", "3", on: "2026-02-28", seal: 2)
                try await world.rule("small_business", "0.15", app: "acme-ios", from: "2026-01-01", seal: 2)
                try await world.report(in: "EUR", after: 2)
                try await world.charged(Sale(key: 2, from: "2026-03-02 10:00Z", to: "2026-04-02 10:00Z"), seal: 2)

                #expect(try await tables(world, seal: 1, in: directory + "/after") == before)
                // 11.90 ÷ 1.07 × 0.85 = 9.45327…, and 11.90 × 3 dollars.
                let now = try await tables(world, seal: 2, in: directory + "/now")
                #expect(now["revenue.csv"]?.contains(",0.778505,9.453271,1.000000,35.700000,") == true)
                #expect(now["revenue.csv"] != before["revenue.csv"])
                #expect(now["recognised.csv"] != before["recognised.csv"])
            }
        }
    }

    private func tables(_ world: ReportWorld, seal: Int64, in directory: String) async throws -> [String: String] {
        let request = ReportRequest(
            seal: seal, runID: seal, businessDate: try #require(BusinessDate("2026-04-20")),
            asOf: try #require(Instant(iso8601: "2026-04-21T02:00:00Z")), directory: directory)
        let issued = try await ReportStage().issue(on: world.connection, request: request)
        #expect(issued.isReconciled)
        var tables: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: issued.path) where name.hasSuffix(".csv") {
            tables[name] = try String(contentsOfFile: "\(issued.path)/\(name)", encoding: .utf8)
        }
        return tables
    }
}
