// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Postgres
import TestSupport
import Testing

/// What a subscription's row keeps of a commitment and of the renewal's price, and its history of both.
@Suite struct CommitmentRowTests {
    private static let end = LoadWorld.march + .days(306)

    private static func rows(
        signed day: Int64, until: Instant? = nil, price: RenewalPrice? = nil, steps: [StateStep] = []
    ) -> ChunkRows {
        let at = LoadWorld.march + .days(day)
        var rows = LoadWorld.period(signed: day)
        rows.subscriptions = [
            SubscriptionRow(
                key: LoadWorld.key, environment: .production,
                snapshot: SubscriptionSnapshot(
                    state: .active, productID: "monthly", autoRenew: true, expiresAt: LoadWorld.march + .days(31),
                    committedUntil: until, renewalPrice: price),
                nextCheck: NextCheck(at: at, reason: .nightly), historyCursor: nil, sourceVersion: at, occurredAt: at,
                answerHash: "h", steps: steps)
        ]
        return rows
    }

    private static func history(_ world: LoadWorld, of table: String = "state_changes") async throws -> [String] {
        try await world.connection.lines(
            """
            select auto_renew, to_char(committed_until, 'MM-DD') as until, renewal_price_micros, renewal_currency
            from subledger.\(table) order by 1, 2 nulls first, 3 nulls first
            """)
    }

    @Test func `B7: a cancellation of a commitment and a new price are changes, the same again is none`() async throws {
        let (old, new) = (
            RenewalPrice(micros: 9_990_000, currency: "USD"), RenewalPrice(micros: 12_990_000, currency: "EUR")
        )
        try await LoadWorld.with { world in
            try await world.night(1, Self.rows(signed: 0, price: old))
            #expect(try await Self.history(world) == ["true||9990000|USD"])
            try await world.night(2, Self.rows(signed: 1, price: old))
            #expect(try await Self.history(world) == ["true||9990000|USD"])
            try await world.night(3, Self.rows(signed: 2, price: new))
            try await world.night(4, Self.rows(signed: 3, until: Self.end, price: new))
            #expect(
                try await Self.history(world) == ["true||9990000|USD", "true||12990000|EUR", "true|01-01|12990000|EUR"])
            #expect(try await Self.history(world, of: "subscriptions") == ["true|01-01|12990000|EUR"])
            try await world.night(5, Self.rows(signed: 4))
            #expect(try await Self.history(world, of: "subscriptions") == ["true|||"])
        }
    }

    @Test func `B7: a step on the way says what was committed by then`() async throws {
        try await LoadWorld.with { world in
            let steps = [
                StateStep(at: LoadWorld.march, state: .active, autoRenew: true),
                StateStep(at: LoadWorld.march, state: .active, autoRenew: false, committedUntil: Self.end),
            ]
            try await world.night(1, Self.rows(signed: 0, until: Self.end, steps: steps))
            #expect(try await Self.history(world) == ["false|01-01||", "true|||", "true|01-01||"])
        }
    }

    @Test func `what a bundle includes is stored with the bundle's transaction, and has no entry`() async throws {
        try await LoadWorld.with { world in
            let rows = LoadWorld.period { row in
                (row.sale.ownership, row.sale.priceSource, row.sale.bundleTransactionID) = (.assigned, .missing, "8001")
                (row.facts.priceMicros, row.facts.currency) = (nil, nil)
            }
            try await world.night(1, rows)
            for table in ["transactions", "transaction_versions"] {
                #expect(
                    try await world.connection.lines(
                        "select ownership, price_source, price_micros, bundle_transaction_id from subledger.\(table)")
                        == ["assigned|missing||8001"])
            }
            #expect(try await world.ledger().isEmpty)
        }
    }

    @Test func `a price that was booked before the store named the bundle is taken back, and its source is missing`()
        async throws
    {
        try await LoadWorld.with { world in
            try await world.night(1, LoadWorld.period())
            let included = LoadWorld.period(signed: 1) { row in
                (row.sale.ownership, row.sale.priceSource, row.sale.bundleTransactionID) = (.assigned, .missing, "8001")
                (row.facts.priceMicros, row.facts.currency) = (nil, nil)
            }
            try await world.night(2, included)
            #expect(
                try await world.connection.lines(
                    "select ownership, price_source, price_micros, currency, bundle_transaction_id from subledger.transactions"
                )
                    == ["assigned|missing|||8001"])
            let ledger = ["1|charge|9990000|USD|03-01 00:00|1|", "2|correction|-9990000|USD|03-01 00:00|2|1"]
            #expect(try await world.ledger() == ledger)
            try await world.night(3, included)
            #expect(try await world.ledger() == ledger)
        }
    }
}
