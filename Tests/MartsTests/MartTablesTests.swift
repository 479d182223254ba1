// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import SQLCatalog
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// Tables kept from night to night hold what the whole history makes, and a night writes what it touched.
@Suite struct MartTablesTests {
    private static let reports = [
        "revenue", "refund_rates", "churn", "mrr_bridge", "subscribers", "recognised", "cohorts", "ltv", "refunds",
        "exclusions", "trials", "metrics", "at_risk", "countries", "renewals", "refund_matrix", "tenure", "company",
        "transactions", "mrr_change_log", "dim_products", "dim_days",
    ]

    /// Moves the tables on.
    static func refresh(_ world: ReportWorld, seal: Int64, zone: String = "UTC") async throws {
        try await MartTables(connection: world.connection, timeZone: zone).refreshMarts(to: seal)
    }

    /// The tables that what is made again finds wrong, with the rows that were.
    static func rebuild(
        _ world: ReportWorld, seal: Int64, zone: String = "UTC"
    ) async throws -> [CorrectedTable] {
        let request = try world.request(seal: seal, zone: zone)
        let session = SessionTables(connection: world.connection, request: request)
        try await session.buildTables()
        let corrected = try await MartTables(connection: world.connection, timeZone: zone).correctMarts(asOf: seal)
        try await session.dropTables()
        return corrected
    }

    /// Every row of a kept table.
    private static func rows(_ table: String, _ world: ReportWorld) async throws -> [String] {
        try await world.connection.lines("select line::text as line from marts.\(table) line order by 1")
    }

    /// Rows of a mart that the last transaction which touched any of them wrote, since one that the snapshot knew.
    private static func written(_ table: String, since snapshot: String, _ world: ReportWorld) async throws -> String? {
        try await world.connection.lines(
            "select count(*) from marts.\(table) where xmin::text::bigint >= $1", [.int(try #require(Int64(snapshot)))]
        ).first
    }

    private static func snapshot(_ world: ReportWorld) async throws -> String {
        try #require(try await world.connection.lines("select pg_current_xact_id()::text::bigint").first)
    }

    /// A random history told night by night: late refunds, states learned long after, two lineages that turn out to be one,
    /// a catalogue and a rate that are imported in the last night.
    static func report(_ history: RandomHistory, nights: Int64, to world: ReportWorld) async throws {
        for (place, row) in history.rows.enumerated() {
            let seal = 1 + Int64(place) * (nights - 3) / Int64(history.rows.count)
            switch row {
            case .sale(let sale):
                try await world.sold(sale, seal: seal)
                if let price = charge(of: sale) {
                    try await world.booked("charge", price, at: sale.from, of: sale, seal: seal)
                }
            case .word(let state, let key, let at, let recorded, let reason, let expires, let grace):
                try await world.became(
                    state, key: key, at: RandomHistory.text(at), recorded: RandomHistory.text(recorded), reason: reason,
                    expires: expires.map(RandomHistory.text), grace: grace.map(RandomHistory.text), seal: seal)
            }
        }
        for refund in history.refunds {
            try await world.sold(refund, seal: nights - 2)
            guard charge(of: refund) != nil, let money = refund.refund, let instant = refund.refundedAt else {
                continue
            }
            try await world.booked("refund", -money, at: instant, of: refund, seal: nights - 2)
        }
        // The second lineage continues the first: its rows come again under the first one's key.
        for case .sale(var sale) in history.rows where sale.key == 2 {
            sale.lineage = 1
            try await world.sold(sale, seal: nights - 1)
        }
        try await world.connection.script(
            """
            insert into subledger.products (app_id, product_id, period, recorded_run_id)
            values ('acme-ios', 'decade', 'P1M', \(nights))
            """)
        // What was bought before it stays unconverted; no subscription is touched.
        try await world.rate("USD", "1.25", on: "2025-12-01", seal: nights)
        try await world.tax("US", "0.07", inclusive: true, from: "2025-11-01", seal: nights)
        try await world.rule("standard", "0.30", from: "2025-10-01", seal: nights)
    }

    /// What the ledger has of a sale; nil where it is no revenue.
    private static func charge(of sale: Sale) -> Int64? {
        guard sale.kind != "trial", sale.environment == "production", sale.ownership == "purchased" else { return nil }
        return sale.price.flatMap { $0 > 0 ? $0 : nil }
    }

    @Test(arguments: ["UTC", "store", "Asia/Tokyo"])
    func `many nights leave what the whole history makes`(zone: String) async throws {
        try await Self.compare(zone: zone)
    }

    private static func compare(zone: String) async throws {
        try await ReportWorld.with { world in
            let nights: Int64 = 14
            for seal in 1...nights { try await world.night(seal, for: "2026-04-\(9 + seal)") }
            try await report(RandomHistory(seed: 7, lineages: 40), nights: nights, to: world)
            for seal in 1...nights {
                let slow = seal % 4 == 2 ? try await everything(world, seal: seal, zone: zone) : nil
                try await refresh(world, seal: seal, zone: zone)
                guard let slow else { continue }
                let refreshed = try await everything(world, seal: seal, zone: zone)
                #expect(refreshed == slow, "the report of seal \(seal) differs")
            }
            var refreshed: [String: [String]] = [:]
            for table in MaterialisedTable.all { refreshed[table.name] = try await rows(table.name, world) }
            // Lives by lot pay twice at a time now and then; the totals agree all the same.
            let failed = try await world.failedChecks(seal: nights, timeZone: zone)
            #expect(failed == ["no_overlapping_paid_periods"])
            for (table, rows) in refreshed { #expect(rows.count >= 10, "\(table) has \(rows.count) rows") }
            #expect(try await rebuild(world, seal: nights, zone: zone).isEmpty)
            try await world.connection.script("delete from marts.materialisation")
            try await refresh(world, seal: nights, zone: zone)
            for (table, rows) in refreshed {
                let rebuilt = try await Self.rows(table, world)
                #expect(rows == rebuilt, "\(table) differs from a rebuild")
            }
        }
    }

    private static func everything(_ world: ReportWorld, seal: Int64, zone: String) async throws -> [String: [String]] {
        var lines: [String: [String]] = [:]
        for report in reports {
            lines[report] = try await world.reported(
                "select line::text as line from \(report) line order by 1", seal: seal, through: "2026-05-01",
                zone: zone)
        }
        return lines
    }

    @Test func `a night writes the days of what it marked, and no others`() async throws {
        try await Self.changeOne()
    }

    private static func changeOne() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-10")
            let sale = Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z")
            for key in 1...30 as ClosedRange<Int64> {
                var other = sale
                (other.key, other.id) = (key, "t\(key)")
                try await world.charged(other)
                try await world.became("active", key: key, at: other.from, expires: other.to)
            }
            try await refresh(world, seal: 1)
            // The first one ended on the 5th of February, and was refunded in part on the 3rd: learned tonight.
            try await world.night(2, for: "2026-02-11")
            try await world.booked("refund", -1_000_000, at: "2026-02-03 12:00Z", of: sale, seal: 2)
            try await world.became(
                "expired", at: "2026-02-05 12:00Z", reason: "voluntary", expires: sale.to, autoRenew: false, seal: 2)
            let before = try await snapshot(world)
            try await refresh(world, seal: 2)
            let expected = [
                // The refund's own day.
                "revenue_daily": "1", "refunds_daily": "1",
                // From the refund on the charge is less: the 3rd, the 4th and the 5th, its last day.
                "recognised_daily": "3",
                // It left on the 5th, and the 6th opens without it.
                "churn_daily": "2",
                // Its MRR left on the 5th.
                "mrr_daily": "1",
                // active ends on the 5th. It stood as unread from the 5th on, and never did.
                "subscribers_daily": "2",
                // Full months of the price as before: whoever paid in a month still did.
                "cohorts_monthly": "0",
                // 29 days after the first payment: within 30, 90, 180 and 365.
                "ltv_monthly": "4",
                // It churned on the 5th, and was lost to what February opened with, of its product and of the whole company; its
                // MRR went out of force.
                "outcomes_daily": "3", "mrr_in_force_daily": "1",
                // It was to go on beyond the 5th, and was lost on it.
                "tenure_daily": "2",
                "exclusions_daily": "0", "trials_daily": "0",
            ]
            for (table, count) in expected {
                #expect(try await written(table, since: before, world) == count, "\(table)")
            }
            // No lineage is marked: nothing is written.
            try await world.night(3, for: "2026-02-12")
            let idle = try await snapshot(world)
            var unmoved: [String: [String]] = [:]
            for table in MaterialisedTable.all { unmoved[table.name] = try await rows(table.name, world) }
            try await refresh(world, seal: 3)
            for table in MaterialisedTable.all {
                #expect(try await written(table.name, since: idle, world) == "0", "\(table.name)")
                #expect(try await rows(table.name, world) == unmoved[table.name], "\(table.name)")
            }
        }
    }

    /// Three months were charged and nothing of them changes: the fourth brings one ledger entry, earned over one period.
    @Test func `a renewal writes its own rows, and leaves those of the periods before it as they are`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-04")
            let starts = ["2025-11-05 12:00Z", "2025-12-05 12:00Z", "2026-01-05 12:00Z", "2026-02-05 12:00Z"]
            let ends = Array(starts.dropFirst()) + ["2026-03-05 12:00Z"]
            for (place, (start, end)) in zip(starts, ends).enumerated() {
                if place == 3 {
                    try await Self.refresh(world, seal: 1)
                    try await world.night(2, for: "2026-02-06")
                }
                try await world.charged(Sale(id: "t\(place)", from: start, to: end), seal: place == 3 ? 2 : 1)
            }
            let before = try await Self.snapshot(world)
            try await Self.refresh(world, seal: 2)
            for table in ["money_movements", "recognition_steps"] {
                #expect(try await Self.written(table, since: before, world) == "1", "\(table)")
                #expect(try await Self.rows(table, world).count == 4, "\(table)")
            }
            #expect(try await Self.rows("paid_periods", world).count == 4)
            #expect(try await Self.rebuild(world, seal: 2).isEmpty)
        }
    }

    @Test func `a trial ends by the clock, though no night marks it`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-10")
            let over = "2026-02-15 12:00Z"
            try await world.sold(Sale(kind: "trial", from: "2026-02-08 12:00Z", to: over, price: 0))
            // Nothing more is awaited of the store: only its end is to come.
            try await world.became("expired", at: "2026-02-09 12:00Z", reason: "voluntary", expires: over)
            try await Self.refresh(world, seal: 1)
            #expect(try await world.connection.lines("select trials from marts.trials_daily") == ["1"])
            #expect(try await Self.pendingAndEnded(world, seal: 1) == ["1|0"])
            // 02:00 on the 15th, and on the 16th.
            for (seal, day, expected) in [(2, "2026-02-14", "1|0"), (3, "2026-02-15", "0|1")] {
                try await world.night(Int64(seal), for: day)
                let unmoved = try await Self.pendingAndEnded(world, seal: Int64(seal))
                let before = try await Self.snapshot(world)
                try await Self.refresh(world, seal: Int64(seal))
                #expect(try await Self.written("trials_daily", since: before, world) == "0")
                #expect(unmoved == [expected])
                #expect(try await Self.pendingAndEnded(world, seal: Int64(seal)) == [expected])
            }
            #expect(try await Self.rebuild(world, seal: 3).isEmpty)
        }
    }

    private static func pendingAndEnded(_ world: ReportWorld, seal: Int64) async throws -> [String] {
        try await world.reported("select pending, ended from trials", seal: seal, through: "infinity")
    }

    @Test func `a rebuild says which sums were wrong and mends them`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-10")
            try await world.charged(Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z"))
            try await Self.refresh(world, seal: 1)
            try await world.connection.script("update marts.revenue_daily set micros = micros + 1")
            #expect(try await world.revenue().first?.contains("9.990001") == true)
            #expect(try await world.failedChecks().contains("revenue_equals_transactions"))
            // The row that was wrong, and the one that was missing.
            #expect(try await Self.rebuild(world, seal: 1) == [CorrectedTable(name: "revenue_daily", rows: 2)])
            #expect(try await world.revenue().first?.contains("9.990000") == true)
        }
    }

    @Test func `the checks prove the sums that are stored, whatever their zone`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-10")
            try await world.charged(Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z"))
            try await Self.refresh(world, seal: 1, zone: "Asia/Tokyo")
            #expect(try await world.failedChecks(timeZone: "Asia/Tokyo") == [])
            try await world.connection.script("update marts.revenue_daily set micros = micros + 1")
            #expect(try await world.failedChecks(timeZone: "Asia/Tokyo").contains("revenue_equals_transactions"))
        }
    }

    @Test func `an earlier seal is reckoned from the history and moves nothing`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-10")
            try await world.charged(Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z"))
            try await Self.refresh(world, seal: 1)
            let before = try await world.revenue(seal: 1)
            try await world.night(2, for: "2026-02-11")
            try await world.charged(
                Sale(key: 2, id: "late", from: "2026-01-05 18:00Z", to: "2026-02-05 18:00Z"), seal: 2)
            try await Self.refresh(world, seal: 2)
            #expect(try await world.revenue(seal: 1) == before)
            try await Self.refresh(world, seal: 1)
            #expect(try await world.connection.lines("select seal, time_zone from marts.materialisation") == ["2|UTC"])
            #expect(try await world.revenue(seal: 2) != before)
        }
    }
}
