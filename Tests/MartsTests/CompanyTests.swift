// SPDX-License-Identifier: Apache-2.0

import Postgres
import SQLCatalog
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// Figures of the whole company, worked out on paper.
@Suite struct CompanyTests {
    /// `figure value numerator denominator` of a month, in the order of the file.
    private func company(_ world: ReportWorld, month: String, through: String) async throws -> [String: String] {
        let lines = try await world.reported(
            """
            select figure || '=' || coalesce(value::text, '') || coalesce(' ' || numerator || '/' || denominator, '')
            from company
            where month = $1
            """, [.text(month)], through: through)
        let figures = lines.map {
            $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        }
        return Dictionary(figures.map { ($0[0], $0[1]) }) { first, _ in first }
    }

    /// January to February, then what the next period costs from the 10th of February; nothing where it is nil.
    private func lineage(
        _ world: ReportWorld, key: Int64, price: Int64, in currency: String = "USD",
        then next: (price: Int64, currency: String, product: String)?
    ) async throws {
        try await world.charged(
            Sale(
                key: key, from: "2026-01-10 12:00Z", to: "2026-02-10 12:00Z", price: price, currency: currency))
        guard let next else {
            return try await world.became(
                "expired", key: key, at: "2026-02-10 12:00Z", reason: "voluntary", expires: "2026-02-10 12:00Z")
        }
        try await world.charged(
            Sale(
                key: key, id: "t2", product: next.product, kind: "renewal", from: "2026-02-10 12:00Z",
                to: "2026-03-10 12:00Z", price: next.price, currency: next.currency))
        try await world.became("active", key: key, at: "2026-02-10 12:00Z", expires: "2026-03-10 12:00Z")
    }

    @Test func `growth, retention and ARPU of the company follow from its lineages`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await lineage(world, key: 1, price: 10_000_000, then: (10_000_000, "USD", "monthly"))
            try await lineage(world, key: 2, price: 10_000_000, then: (4_000_000, "USD", "monthly"))
            try await lineage(world, key: 3, price: 10_000_000, then: (15_000_000, "USD", "monthly"))
            try await lineage(world, key: 4, price: 10_000_000, then: nil)
            // Came on the 15th and was given back on the 20th: in no rate of the opening.
            var passing = Sale(key: 5, from: "2026-02-15 12:00Z", to: "2026-03-15 12:00Z", price: 20_000_000)
            (passing.refundedAt, passing.refundKind, passing.refund) = ("2026-02-20 12:00Z", "full", 20_000_000)
            try await world.charged(passing)
            try await world.booked("refund", -20_000_000, at: "2026-02-20 12:00Z", of: passing)
            try await world.became("revoked", key: 5, at: "2026-02-20 12:00Z", reason: "refund")
            // A one-time sale is no subscriber's and no part of ARPU.
            try await world.charged(
                Sale(key: 6, product: "coins", kind: "one_time", from: "2026-02-03 12:00Z", price: 99_000_000))

            // Opening 40 of four. Lost: 6 by contraction and 10 by churn; gained 5; closing 10 + 4 + 15.
            // Net of February: 10 + 4 + 15 + 20 − 20 = 29. Active at the end of the days: four to the 9th, three from the 10th on, one
            // more from the 15th to the 19th: 9 × 4 + 19 × 3 + 5 = 98 in 28 days, 3.5. 29 ÷ 3.5 = 8.285714….
            // Charged: four lineages. 29 ÷ 4 = 7.25. Quick ratio: (20 + 5) ÷ (6 + 10 + 20) = 25 ÷ 36.
            let february = try await company(world, month: "2026-02", through: "2026-02-28")
            #expect(february["mrr"] == "29.000000" && february["arr"] == "348.000000")
            #expect(february["growth"] == "-0.275000 -11.000000/40.000000")
            #expect(february["gross_mrr_churn"] == "0.400000 16.000000/40.000000")
            #expect(february["net_mrr_churn"] == "0.275000 11.000000/40.000000")
            #expect(february["grr"] == "0.600000 24.000000/40.000000")
            #expect(february["nrr"] == "0.725000 29.000000/40.000000")
            #expect(february["nrr_with_reactivation"] == "0.725000 29.000000/40.000000")
            #expect(february["quick_ratio"] == "0.694444 25.000000/36.000000")
            #expect(february["arpu"] == "8.285714 29.000000/3.500000")
            #expect(february["arppu"] == "7.250000 29.000000/4.000000")
            #expect(february.count == 15)

            // January: nothing to grow from. Four from the 10th on, 22 of 31 days: 88 ÷ 31 = 2.838710; 40 × 31 ÷ 88 = 14.090909.
            let january = try await company(world, month: "2026-01", through: "2026-02-28")
            #expect(january["mrr"] == "40.000000" && january["growth"] == " 40.000000/0.000000")
            #expect(january["nrr"] == " 0.000000/0.000000" && january["quick_ratio"] == " 40.000000/0.000000")
            #expect(
                january["arpu"] == "14.090909 40.000000/2.838710" && january["arppu"] == "10.000000 40.000000/4.000000")

            // A month that is not over says what it is so far: to the 12th 9 × 4 + 3 × 3 = 45 in 12 days.
            let soFar = try await company(world, month: "2026-02", through: "2026-02-12")
            #expect(soFar["nrr"] == "0.725000 29.000000/40.000000" && soFar["arpu"] == "7.733333 29.000000/3.750000")
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `who comes back after an end counts with reactivation alone`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await lineage(world, key: 1, price: 10_000_000, then: nil)
            try await world.charged(
                Sale(
                    key: 1, id: "t2", kind: "resubscribe", from: "2026-02-20 12:00Z", to: "2026-03-20 12:00Z",
                    price: 8_000_000))
            try await world.became("active", key: 1, at: "2026-02-20 12:00Z", expires: "2026-03-20 12:00Z")
            let figures = try await company(world, month: "2026-02", through: "2026-02-28")
            #expect(figures["grr"] == "0.000000 0.000000/10.000000" && figures["nrr"] == "0.000000 0.000000/10.000000")
            #expect(figures["nrr_with_reactivation"] == "0.800000 8.000000/10.000000")
        }
    }

    /// One euro is two dollars from the beginning of time on.
    @Test func `a move between currencies is won or lost by what it is worth more or less`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await world.rate("USD", "2", on: "2020-01-01")
            try await lineage(world, key: 1, price: 10_000_000, in: "EUR", then: (25_000_000, "USD", "monthly"))
            try await lineage(world, key: 2, price: 10_000_000, in: "EUR", then: (8_000_000, "USD", "monthly"))
            // Opening 20 + 20. The first won 5, the second lost 12.
            let moved = try await company(world, month: "2026-02", through: "2026-02-28")
            #expect(moved["growth"] == "-0.175000 -7.000000/40.000000")
            #expect(moved["grr"] == "0.700000 28.000000/40.000000" && moved["nrr"] == "0.825000 33.000000/40.000000")
            #expect(moved["quick_ratio"] == "0.416667 5.000000/12.000000")
            // By currency nothing is known to be lost or won.
            let byCurrency = try await world.reported(
                "select currency, grr::text, nrr::text from metrics where month = '2026-02' order by currency",
                through: "2026-02-28")
            #expect(byCurrency == ["EUR|1.000000|1.000000", "USD||"])
        }
    }

    @Test func `who moved and then left has lost what the month opened with`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await world.rate("USD", "2", on: "2020-01-01")
            try await world.charged(
                Sale(from: "2026-01-10 12:00Z", to: "2026-02-10 12:00Z", price: 10_000_000, currency: "EUR"))
            var moved = Sale(
                id: "t2", kind: "renewal", from: "2026-02-10 12:00Z", to: "2026-03-10 12:00Z", price: 8_000_000)
            (moved.refundedAt, moved.refundKind, moved.refund) = ("2026-02-20 12:00Z", "full", 8_000_000)
            try await world.charged(moved)
            try await world.booked("refund", -8_000_000, at: "2026-02-20 12:00Z", of: moved)
            try await world.became("revoked", at: "2026-02-20 12:00Z", reason: "refund")
            // 20 dollars: 12 by the move, 8 by the refund.
            let figures = try await company(world, month: "2026-02", through: "2026-02-28")
            #expect(figures["grr"] == "0.000000 0.000000/20.000000" && figures["mrr"] == "0.000000")
        }
    }

    @Test func `a move between products of a currency is what it is worth more or less`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await lineage(world, key: 1, price: 10_000_000, then: (6_000_000, "USD", "basic"))
            let figures = try await company(world, month: "2026-02", through: "2026-02-28")
            #expect(figures["grr"] == "0.600000 6.000000/10.000000" && figures["nrr"] == "0.600000 6.000000/10.000000")
            #expect(figures["quick_ratio"] == "0.000000 0.000000/4.000000")
        }
    }

    @Test func `who has no rate is left out and counted`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await lineage(world, key: 1, price: 10_000_000, then: (10_000_000, "USD", "monthly"))
            try await lineage(world, key: 2, price: 10_000_000, in: "GBP", then: nil)
            // Moves to a currency without a rate: what it lost or won is not known.
            try await lineage(world, key: 3, price: 10_000_000, then: (10_000_000, "GBP", "monthly"))
            let figures = try await company(world, month: "2026-02", through: "2026-02-28")
            #expect(figures["grr"] == "1.000000 20.000000/20.000000" && figures["mrr"] == "10.000000")
            let unconverted = try await world.reported(
                "select figure, unconverted from company where month = '2026-02' and figure in ('mrr', 'grr', 'arpu') order by 1",
                through: "2026-02-28")
            #expect(unconverted == ["arpu|1", "grr|1", "mrr|1"])
        }
    }

    /// Read once, as an issue does, and again of other days, as its checks do.
    @Test func `MRR by basis adds up the metrics report, whatever days are reported before`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await world.tax("US", "0.25", inclusive: true)
            try await world.rate("USD", "2", on: "2020-01-01")
            try await lineage(world, key: 1, price: 10_000_000, then: (10_000_000, "USD", "monthly"))
            try await lineage(world, key: 2, price: 10_000_000, in: "EUR", then: (15_000_000, "EUR", "monthly"))
            // 10 + 2 × 15; net of a tax of a quarter in the price ÷ 1.25.
            let figures = try await company(world, month: "2026-02", through: "2026-02-28")
            #expect(figures["mrr"] == "40.000000" && figures["mrr_net_of_tax"] == "32.000000")
            let session = SessionTables(
                connection: world.connection, request: try world.request(seal: 1, zone: "UTC"))
            try await session.buildTables()
            try await world.connection.withTransaction(.repeatableRead) { connection in
                try await session.defineViews()
                for last in ["2026-01-31", "2026-02-28"] {
                    try await session.scopeSession(from: "-infinity", through: last)
                    try await session.materialiseReports()
                    let differing = try await connection.lines(
                        """
                        select company.month, company.figure
                        from company
                        join (
                            select
                                month, sum(closing_mrr_reporting) as mrr, sum(closing_mrr_net_of_tax_reporting) as mrr_net_of_tax,
                                sum(closing_mrr_proceeds_reporting) as mrr_proceeds
                            from metrics group by month
                        ) added using (month)
                        where company.figure = 'mrr' and company.value <> added.mrr
                            or company.figure = 'mrr_net_of_tax' and company.value <> added.mrr_net_of_tax
                            or company.figure = 'mrr_proceeds' and company.value <> added.mrr_proceeds
                        """)
                    #expect(differing == [])
                    let months = try await connection.lines("select distinct month from company order by 1")
                    #expect(months == (last == "2026-01-31" ? ["2026-01"] : ["2026-01", "2026-02"]))
                }
            }
            try await session.dropTables()
        }
    }

    /// 11.90 with 19 % tax in it, of which the App Store leaves 70 %, and 5.00 of an unknown country.
    @Test func `the company says which share of its MRR is left out net of tax and as proceeds`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await world.tax("DE", "0.19", inclusive: true)
            try await world.rate("USD", "2", on: "2020-01-01")
            for (key, price, country) in [(1, 11_900_000, "DE"), (2, 5_000_000, nil)] as [(Int64, Int64, String?)] {
                try await world.charged(
                    Sale(
                        key: key, from: "2026-02-10 12:00Z", to: "2026-03-10 12:00Z", price: price, currency: "EUR",
                        country: country))
                try await world.became("active", key: key, at: "2026-02-10 12:00Z", expires: "2026-03-10 12:00Z")
            }
            let figures = try await company(world, month: "2026-02", through: "2026-02-28")
            #expect(figures["mrr"] == "33.800000" && figures["mrr_net_of_tax"] == "20.000000")
            for figure in ["mrr_net_of_tax_missing", "mrr_proceeds_missing"] {
                #expect(figures[figure] == "0.295858 10.000000/33.800000")
            }
        }
    }

    /// Two millions with 19 % tax in them and one million of an unknown country, in euros of two dollars; bought when a
    /// euro was four, the one is half of the six.
    ///
    /// A third in six decimals is 2 off of two millions.
    @Test(arguments: [("2", "2000000.000000", "6000000.000000"), ("4", "4000000.000000", "8000000.000000")])
    func `what is left out of the company's MRR is exact, each period at its own rate`(
        rate: String, missing: String, mrr: String
    ) async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await world.tax("DE", "0.19", inclusive: true)
            try await world.rate("USD", "2", on: "2020-01-01")
            try await world.rate("USD", rate, on: "2026-02-15")
            let sales: [(Int64, String, Int64, String?)] = [(1, "10", 2, "DE"), (2, "20", 1, nil)]
            for (key, day, millions, country) in sales {
                try await world.charged(
                    Sale(
                        key: key, from: "2026-02-\(day) 12:00Z", to: "2026-03-\(day) 12:00Z",
                        price: millions * 1_000_000_000_000, currency: "EUR", country: country))
                try await world.became(
                    "active", key: key, at: "2026-02-\(day) 12:00Z", expires: "2026-03-\(day) 12:00Z")
            }
            let figures = try await company(world, month: "2026-02", through: "2026-02-28")
            #expect(figures["mrr"] == mrr)
            for figure in ["mrr_net_of_tax_missing", "mrr_proceeds_missing"] {
                #expect(figures[figure]?.hasSuffix(" \(missing)/\(mrr)") == true, "\(figures)")
            }
        }
    }

    @Test func `headline names of the company are the figures that its report has`() throws {
        let query = try #require(ReportCatalog.reports.first { $0.name == "company" }).query.text
        let figures = query.matches(of: /'(\w+)'/).map { String($0.1) }
        #expect(HeadlineFigures.ofCompany == figures.filter { $0 != "mrr" })
    }
}
