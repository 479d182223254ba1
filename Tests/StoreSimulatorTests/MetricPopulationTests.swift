// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreSimulator

/// What must hold of the metrics of any lives: whatever is told twice is told alike, and nothing is lost on the way.
@Suite struct MetricPopulationTests {
    private static let firstNight = instant("2026-01-05T02:15:00Z")

    private static func books(seed: UInt64) -> MetricBooks {
        let span = LifeSpan(firstNight: firstNight, horizon: firstNight + 75 * CivilTime.day)
        let customers = AppStorePopulation.lives(seed: seed, customersPerApp: 140, apps: [Paper.app], span: span)
        return Books(customers: customers, apps: [Paper.app], now: firstNight + 60 * CivilTime.day).metrics(.happened)
    }

    @Test func `a day of the whole history is the day by itself`() {
        let books = Self.books(seed: 11)
        let history = books.datedSubscribers(through: "2026-03-05")
        for day in ["2025-12-20", "2026-01-31", "2026-02-14", "2026-03-05"] {
            let alone = books.subscribers(on: day).compactMap(\.dated)
            #expect(Set(history.filter { $0.date == day }) == Set(alone) && alone.count > 3)
        }
    }

    @Test func `openings and movements come to closings, and these to the months'`() {
        let books = Self.books(seed: 12)
        let rows = books.bridge(through: "2026-03-05")
        for row in rows {
            // Each figure is rounded by itself.
            let sum = (row["opening"] ?? 0) + row.movements.values.reduce(0, +)
            #expect(abs(sum - (row["closing"] ?? 0)) <= Int64(row.movements.count + 1) / 2 + 1)
        }
        for month in books.months(through: "2026-03-05")
        where month.month == "2026-03" && month.words["currency"] != nil {
            let last = rows.first {
                $0.date == "2026-03-05" && $0.product == month.product
                    && $0.words["currency"] == month.words["currency"]
            }
            #expect(month["closing_mrr"] == last?["closing"] ?? 0)
        }
        #expect(rows.count > 500)
    }

    @Test func `what was billed is recognised or deferred`() {
        let books = Self.books(seed: 13)
        let rows = books.recognised(through: "2026-03-05")
        let billed = books.books.revenue(.happened, through: "2026-03-05").map {
            ($0["gross"] ?? 0) - ($0["refunded"] ?? 0)
        }
        let deferred = rows.filter { $0.date == "2026-03-05" }.sum("deferred")
        #expect(rows.sum("recognised") + deferred == billed.reduce(0, +) && deferred > 0)
    }
}
