// SPDX-License-Identifier: Apache-2.0

import Imports
import Load
import Model
import Postgres
import TestSupport
import Testing

/// Rows whose price the store does not report: the price list's, valid on the day of the purchase (1 March 2026).
@Suite struct ListPriceTests {
    /// As a receipt reports a period: neither price nor currency.
    private static func receipt(
        read day: Int64 = 0, _ change: (inout CanonicalTransaction) -> Void = { _ in }
    ) -> ChunkRows {
        LoadWorld.period(signed: day) { row in
            (row.facts.priceMicros, row.facts.currency, row.sale.priceSource, row.facts.country) = (
                nil, nil, .missing, "JP"
            )
            change(&row)
        }
    }

    /// A line of the price list, as run 100 imported it.
    private static func list(
        _ world: LoadWorld, _ micros: Int64, _ currency: String = "JPY", country: String = "",
        from: String = "-infinity",
        run: Int64 = 100
    ) async throws {
        try await world.connection.script(
            """
            insert into subledger.prices (app_id, product_id, country, currency, price_micros, valid_from, recorded_run_id)
            values ('acme-ios', 'monthly', '\(country)', '\(currency)', \(micros), '\(from)', \(run))
            """)
    }

    /// An import's run that books what the list contains by now.
    private static func learn(_ world: LoadWorld, run: Int64) async throws -> Int {
        let now = LoadWorld.march + .days(run)
        try await world.open(run, at: now)
        return try await world.connection.withTransaction { connection in
            try await ListPricing(connection: connection).price([LoadWorld.app], run: run, now: now)
        }
    }

    private func row(_ world: LoadWorld) async throws -> [String] {
        try await world.connection.lines(
            "select price_micros, currency, price_source, refund_micros from subledger.transactions order by transaction_id"
        )
    }

    @Test func `D1: a row without a store price takes the list's, labelled`() async throws {
        try await LoadWorld.with { world in
            try await Self.list(world, 500_000_000)
            try await world.night(1, Self.receipt())
            #expect(try await row(world) == ["500000000|JPY|price_list|"])
            #expect(
                try await world.connection.lines(
                    "select kind, amount_micros, currency, source from subledger.ledger_entries")
                    == ["charge|500000000|JPY|price_list"])
            #expect(try await world.night(2, Self.receipt(read: 1)) == 0, "the same answer again changes nothing")
        }
    }

    @Test
    func `D1: a price known later is one charge of the purchase's instant, by the run that learned it`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, Self.receipt())
            #expect(try await row(world) == ["||missing|"])
            #expect(try await world.ledger().isEmpty)
            try await Self.list(world, 500_000_000, run: 3)
            #expect(try await Self.learn(world, run: 3) == 1)
            #expect(try await world.ledger() == ["1|charge|500000000|JPY|03-01 00:00|3|"])
            #expect(
                try await world.connection.lines(
                    "select version, run_id, price_source from subledger.transaction_versions order by version")
                    == ["1|1|missing", "2|3|price_list"])
            #expect(try await Self.learn(world, run: 4) == 0, "nothing twice")
            #expect(try await world.night(5, Self.receipt(read: 4)) == 0, "the store tells no price still")
            #expect(try await world.ledger().count == 1)
        }
    }

    @Test
    func `Golden: a restored old purchase after a price change has the price of its own day (Adapty)`() async throws {
        try await LoadWorld.with { world in
            try await Self.list(world, 500_000_000, from: "2025-01-01")
            try await Self.list(world, 650_000_000, from: "2026-03-02")
            try await world.night(9, Self.receipt(read: 8))
            #expect(try await row(world) == ["500000000|JPY|price_list|"])
        }
    }

    @Test func `the country's own price goes before that of any country`() async throws {
        try await LoadWorld.with { world in
            try await Self.list(world, 4_990_000, "USD", from: "2026-02-01")
            try await Self.list(world, 500_000_000, country: "JP", from: "2025-01-01")
            try await Self.list(world, 4_490_000, "EUR", country: "DE")
            try await world.night(1, Self.receipt())
            try await world.night(
                2, Self.receipt { ($0.facts.transactionID, $0.facts.periodKey, $0.facts.country) = ("t2", "w2", nil) })
            #expect(try await row(world) == ["500000000|JPY|price_list|", "4990000|USD|price_list|"])
        }
    }

    @Test func `what is no ordinary sale is not priced`() async throws {
        try await LoadWorld.with { world in
            try await Self.list(world, 500_000_000)
            let rows: [(String, (inout CanonicalTransaction) -> Void)] = [
                ("a", { $0.kind = .trial }), ("b", { $0.facts.offerType = .introductory }),
                ("c", { $0.environment = .sandbox }), ("d", { $0.sale.ownership = .familyShared }),
                ("e", { $0.facts.productID = "unlisted" }),
                ("f", { ($0.refund.refundKind, $0.refund.refundedAt) = (.partial, LoadWorld.march + .days(3)) }),
            ]
            for (number, row) in rows.enumerated() {
                try await world.night(
                    Int64(number + 1),
                    Self.receipt {
                        ($0.facts.transactionID, $0.facts.periodKey) = (row.0, row.0)
                        row.1(&$0)
                    })
            }
            #expect(try await row(world) == Array(repeating: "||missing|", count: rows.count))
            #expect(try await Self.learn(world, run: 20) == 0)
            #expect(try await world.ledger().isEmpty)
        }
    }

    @Test func `units and refunds follow the list's price`() async throws {
        try await LoadWorld.with { world in
            try await world.night(
                1,
                Self.receipt {
                    ($0.sale.quantity, $0.refund.refundKind, $0.refund.refundedAt) = (
                        3, .full, LoadWorld.march + .days(5)
                    )
                })
            try await Self.list(world, 500_000_000, run: 8)
            #expect(try await Self.learn(world, run: 8) == 1)
            #expect(try await row(world) == ["1500000000|JPY|price_list|1500000000"])
            #expect(
                try await world.ledger() == [
                    "1|charge|1500000000|JPY|03-01 00:00|8|", "2|refund|-1500000000|JPY|03-06 00:00|8|",
                ])
        }
    }

    @Test func `a corrected list is a correction pair`() async throws {
        try await LoadWorld.with { world in
            try await Self.list(world, 500_000_000)
            try await world.night(1, Self.receipt())
            try await Self.list(world, 550_000_000, run: 101)
            #expect(try await Self.learn(world, run: 6) == 1)
            #expect(
                try await world.ledger() == [
                    "1|charge|500000000|JPY|03-01 00:00|1|", "2|correction|-500000000|JPY|03-01 00:00|6|1",
                    "3|correction|550000000|JPY|03-01 00:00|6|1",
                ])
        }
    }

    @Test func `the store's own price takes the list's place`() async throws {
        try await LoadWorld.with { world in
            try await Self.list(world, 500_000_000)
            try await world.night(1, Self.receipt())
            try await world.night(2, LoadWorld.period(signed: 1) { $0.facts.country = "JP" })
            #expect(try await row(world) == ["9990000|USD|store_price|"])
            #expect(
                try await world.ledger().suffix(2) == [
                    "2|correction|-500000000|JPY|03-01 00:00|2|1", "3|correction|9990000|USD|03-01 00:00|2|1",
                ])
            #expect(try await Self.learn(world, run: 5) == 0, "the list says nothing against the store")
        }
    }

    @Test func `a store that loses its prices for days takes none back`() async throws {
        try await LoadWorld.with { world in
            try await Self.list(world, 500_000_000)
            try await world.night(1, LoadWorld.period(signed: 0))
            let without = LoadWorld.period(signed: 1) {
                ($0.facts.priceMicros, $0.facts.currency, $0.sale.priceSource) = (nil, nil, .missing)
            }
            #expect(try await world.night(2, without) == 0)
            try await world.night(
                3,
                LoadWorld.period(signed: 2) {
                    ($0.facts.priceMicros, $0.facts.currency, $0.sale.priceSource) = (nil, nil, .missing)
                    ($0.refund.refundKind, $0.refund.refundedAt) = (.full, LoadWorld.march + .days(2))
                })
            #expect(
                try await world.ledger() == [
                    "1|charge|9990000|USD|03-01 00:00|1|", "2|refund|-9990000|USD|03-03 00:00|3|",
                ])
        }
    }
}
