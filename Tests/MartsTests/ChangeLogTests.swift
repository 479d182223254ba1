// SPDX-License-Identifier: Apache-2.0

import Foundation
import Postgres
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// `report.mrr_change_log`: one row per lineage and instant, and together what the MRR bridge says.
@Suite struct ChangeLogTests {
    /// Movement, products, before, after and which part of it is a change of price or of offers.
    private static let parts = """
        movement, coalesce(product_before, '-') || ' > ' || coalesce(product_after, '-'), round(mrr_before, 2),
        round(mrr_after, 2), round(of_which_price, 2), round(of_which_offers, 2)
        """

    private func log(_ world: ReportWorld, of columns: String = parts) async throws -> [String] {
        try await world.reported(
            "select changed_at::date, \(columns) from mrr_change_log order by changed_at, lineage_key",
            through: "2026-12-31")
    }

    private func month(
        _ number: Int, price: Int64 = 10_000_000, kind: String = "renewal", product: String = "monthly",
        currency: String = "USD", country: String = "US", offer: String? = nil
    ) -> Sale {
        Sale(
            id: "t\(number)", product: product, kind: kind, from: "2026-0\(number)-05 12:00Z",
            to: "2026-0\(number + 1)-05 12:00Z", price: price, currency: currency, country: country, offerType: offer)
    }

    @Test func `a raised price is a price change, a plan change is none`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-12-31")
            for sale in [
                month(1, kind: "purchase"), month(2), month(3, price: 12_000_000),
                month(4, price: 9_000_000, kind: "downgrade", product: "lite"),
                month(5, price: 9_000_000, kind: "crossgrade", product: "other"),
                // A renewal in another country is no price change, whatever it costs.
                month(6, price: 8_000_000, product: "other", country: "GB"),
            ] { try await world.charged(sale) }
            try await world.became(
                "expired", at: "2026-07-05 12:00Z", reason: "voluntary", expires: "2026-07-05 12:00Z")
            #expect(
                try await log(world) == [
                    "2026-01-05|new|- > monthly|0.00|10.00|0.00|0.00",
                    "2026-03-05|expansion|monthly > monthly|10.00|12.00|2.00|0.00",
                    "2026-04-05|contraction|monthly > lite|12.00|9.00|0.00|0.00",
                    "2026-05-05|crossgrade|lite > other|9.00|9.00|0.00|0.00",
                    "2026-06-05|contraction|other > other|9.00|8.00|0.00|0.00",
                    "2026-07-05|churn_voluntary|other > -|8.00|0.00|0.00|0.00",
                ])
        }
    }

    @Test func `an offer that ends is no price change, and is listed beside it`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-12-31")
            for sale in [
                month(1, price: 5_000_000, kind: "purchase", offer: "introductory"), month(2),
                month(3, price: 7_000_000, offer: "retention"), month(4, price: 6_000_000, offer: "retention"),
            ] { try await world.charged(sale) }
            try await world.became("active", at: "2026-04-05 12:00Z", expires: "2026-05-05 12:00Z")
            #expect(
                try await log(world) == [
                    "2026-01-05|new|- > monthly|0.00|5.00|0.00|0.00",
                    "2026-02-05|expansion|monthly > monthly|5.00|10.00|0.00|5.00",
                    "2026-03-05|contraction|monthly > monthly|10.00|7.00|0.00|-3.00",
                    // From one offer to another nothing began or ended.
                    "2026-04-05|contraction|monthly > monthly|7.00|6.00|0.00|0.00",
                ])
        }
    }

    @Test func `another currency moves the value, and the same one is worth another amount on another day`()
        async throws
    {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-12-31")
            // A euro is 1.25 dollars, from February on 1.5.
            try await world.rate("USD", "1.25", on: "2026-01-01")
            try await world.rate("USD", "1.5", on: "2026-02-01")
            for sale in [
                month(1, kind: "purchase", currency: "EUR"), month(2, currency: "EUR"),
                month(3, price: 12_000_000, currency: "EUR"), month(4, price: 20_000_000),
            ] { try await world.charged(sale) }
            try await world.became("active", at: "2026-04-05 12:00Z", expires: "2026-05-05 12:00Z")
            let columns = """
                movement, coalesce(currency_before, '-') || ' > ' || currency_after, round(mrr_before_reporting, 2),
                round(mrr_after_reporting, 2), round(change, 2), round(change_reporting, 2), round(fx_reporting, 2),
                round(of_which_price_reporting, 2)
                """
            #expect(
                try await log(world, of: columns) == [
                    "2026-01-05|new|- > EUR|0.00|12.50|10.00|12.50|0.00|0.00",
                    "2026-02-05|fx|EUR > EUR|12.50|15.00|0.00|2.50|2.50|0.00",
                    "2026-03-05|expansion|EUR > EUR|15.00|18.00|2.00|3.00|0.00|3.00",
                    "2026-04-05|moved|EUR > USD|18.00|20.00||2.00|0.00|0.00",
                ])
        }
    }

    @Test func `a price that is unknown is empty, not nothing`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-12-31")
            var unknown = month(1, kind: "purchase")
            (unknown.price, unknown.currency) = (nil, nil)
            try await world.sold(unknown)
            try await world.charged(month(2))
            try await world.became("active", at: "2026-02-05 12:00Z", expires: "2026-03-05 12:00Z")
            #expect(
                try await log(world, of: "movement, mrr_before, mrr_after, change") == [
                    "2026-01-05|new|0.000000000||", "2026-02-05|moved_in||10.000000000|",
                ])
        }
    }

    /// Lives by lot: whatever they do, the log adds up to the bridge, by day and currency and in the reporting currency.
    @Test func `it adds up to the bridge, and has one row per lineage and instant`() async throws {
        try await ReportWorld.with { world in
            let nights: Int64 = 6
            for seal in 1...nights { try await world.night(seal, for: "2026-04-\(9 + seal)") }
            try await MartTablesTests.report(RandomHistory(seed: 3, lineages: 60), nights: nights, to: world)
            let bridge = try await world.reported(
                """
                select date, app_id, product_id, currency, round(closing, 4)
                from mrr_bridge where closing <> 0 order by 1, 2, 3, 4
                """, seal: nights, through: "2026-04-15")
            let logged = try await world.reported(
                """
                with side as (
                    select date, app_id, product_after as product_id, currency_after as currency, mrr_after as mrr
                    from mrr_change_log where currency_after is not null
                    union all
                    select date, app_id, product_before, currency_before, -mrr_before
                    from mrr_change_log where currency_before is not null
                )
                select bridge.date, bridge.app_id, bridge.product_id, bridge.currency, round(sum(side.mrr), 4)
                from mrr_bridge bridge
                join side
                    on side.date <= bridge.date and side.app_id = bridge.app_id and side.product_id = bridge.product_id
                    and side.currency = bridge.currency
                where bridge.closing <> 0
                group by 1, 2, 3, 4 order by 1, 2, 3, 4
                """, seal: nights, through: "2026-04-15")
            #expect(logged == bridge && bridge.count > 1_000)
            #expect(
                try await world.reported(
                    """
                    select sum(change), count(*) from (
                        select round(sum(of_which_price), 6) as change from mrr_change_log
                        where movement not in ('expansion', 'contraction') and of_which_price <> 0
                        union all
                        select count(*) - count(distinct (lineage_key, changed_at)) from mrr_change_log
                        union all
                        select count(*) from mrr_change_log where movement is null
                    ) found where change <> 0
                    """, seal: nights, through: "2026-04-15") == ["|0"])
        }
    }

    @Test func `movements that nothing else meets are the bridge's own`() async throws {
        try await ReportWorld.with { world in
            let nights: Int64 = 6
            for seal in 1...nights { try await world.night(seal, for: "2026-04-\(9 + seal)") }
            try await MartTablesTests.report(RandomHistory(seed: 3, lineages: 60), nights: nights, to: world)
            let names = ["expansion", "contraction", "recovery", "churn_voluntary", "churn_refund", "lapsed"]
            for name in names {
                let sums = try await world.reported(
                    """
                    select (select round(sum(\(name)), 3) from mrr_bridge),
                        (select round(sum(change), 3) from mrr_change_log where movement = '\(name)')
                    """, seal: nights, through: "2026-04-15")
                let parts = try #require(sums.first).split(separator: "|", omittingEmptySubsequences: false)
                #expect(parts.first == parts.last && parts.first != "", "\(name): \(sums)")
            }
        }
    }
}
