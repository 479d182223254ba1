// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import TestSupport
import Testing

/// What a chunk leaves of one-time sales that are looked at again, and of orders that a purchase waits for.
@Suite struct WatchedSaleTests {
    private static let sale = SubscriptionKey(77)

    private static func look(next: Int64?, receipt: Int64? = nil) -> ChunkRows {
        var rows = ChunkRows()
        rows.looks[sale] = SaleLook(
            key: sale, soldAt: LoadWorld.march, nextLookAt: next.map { LoadWorld.march + .days($0) },
            receiptID: receipt,
            wasAsked: true)
        return rows
    }

    private static func failed(_ failures: Int, next: Int64?) -> ChunkRows {
        var rows = ChunkRows()
        rows.failedLooks = [
            FailedLook(
                key: sale, kind: .transient, message: "The store is silent.", failures: failures,
                nextLookAt: next.map { LoadWorld.march + .days($0) })
        ]
        return rows
    }

    private static func list(_ world: LoadWorld) async throws -> [String] {
        try await world.connection.lines(
            """
            select to_char(next_look_at at time zone 'UTC', 'MM-DD'), receipt_id, failures, last_error, last_run_id
            from subledger.watched_sales
            """)
    }

    /// Sold on 1 March: 31 March is its 30th day.
    @Test func `a sale stays on the list until its last look, whatever failed in between`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, Self.look(next: 7, receipt: 5))
            #expect(try await Self.list(world) == ["03-08|5|0||1"])
            try await world.night(7, Self.failed(1, next: 7))
            #expect(try await Self.list(world) == ["03-08|5|1|The store is silent.|7"])
            try await world.night(8, Self.look(next: 30))
            #expect(try await Self.list(world) == ["03-31|5|0||8"])
            try await world.night(31, Self.look(next: nil))
            #expect(try await Self.list(world) == [])
        }
    }

    @Test func `what the store does not know any more leaves the list with its last look`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, Self.look(next: 7))
            try await world.night(7, Self.failed(0, next: 30))
            #expect(try await Self.list(world) == ["03-31||0||7"])
            try await world.night(31, Self.failed(0, next: nil))
            #expect(try await Self.list(world) == [])
        }
    }

    @Test func `a letter about a look is closed when the sale was answered for`() async throws {
        try await LoadWorld.with { world in
            var unreadable = Self.failed(1, next: 1)
            unreadable.setAside = [SetAside(key: Self.sale, stage: "fetch", reason: "malformed_json", detail: "d")]
            try await world.night(1, Self.look(next: 1))
            try await world.night(2, unreadable)
            let open = "select count(*) from subledger.dead_letters where resolved_at is null"
            #expect(try await world.connection.lines(open) == ["1"])
            try await world.night(3, Self.look(next: 7))
            #expect(try await world.connection.lines(open) == ["0"])
        }
    }

    private static func awaiting(_ orders: [(id: String, nights: Int)], letter: String? = nil) -> ChunkRows {
        var rows = ChunkRows()
        rows.awaited[LoadWorld.key] = orders.map {
            AwaitedOrder(id: $0.id, lastAskedAt: LoadWorld.march + .days(1), nights: $0.nights)
        }
        rows.setAside =
            letter.map {
                [
                    SetAside(
                        key: LoadWorld.key, stage: "fetch", reason: "unsettled_order", detail: "d", transactionID: $0)
                ]
            } ?? []
        return rows
    }

    @Test func `orders are waited for until they are settled, and their letters go with them`() async throws {
        try await LoadWorld.with { world in
            let waiting = "select transaction_id, nights from subledger.awaited_orders order by transaction_id"
            let letters =
                "select transaction_id, resolved_at is null from subledger.dead_letters order by transaction_id"
            try await world.night(1, Self.awaiting([("o1", 0), ("o2", 3)]))
            #expect(try await world.connection.lines(waiting) == ["o1|0", "o2|3"])
            try await world.night(2, Self.awaiting([("o1", 14), ("o2", 4)], letter: "o1"))
            #expect(try await world.connection.lines(letters) == ["o1|true"])
            // The same letter, however often it is met.
            try await world.night(3, Self.awaiting([("o1", 14)], letter: "o1"))
            #expect(try await world.connection.lines(letters) == ["o1|true"])
            #expect(try await world.connection.lines(waiting) == ["o1|14"])
            try await world.night(4, Self.awaiting([]))
            #expect(try await world.connection.lines(waiting) == [])
            #expect(try await world.connection.lines(letters) == ["o1|false"])
        }
    }

    /// A sale is booked under its order; its token, asked again, finds that order unsettled for a night.
    @Test func `an order that is booked, under whichever key, is not waited for`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, LoadWorld.period())
            let booked = try await world.connection.lines("select distinct transaction_id from subledger.transactions")
            try await world.night(2, Self.awaiting([(try #require(booked.first), 0), ("o1", 0)]))
            #expect(
                try await world.connection.lines("select transaction_id from subledger.awaited_orders") == ["o1"])
        }
    }

    @Test func `a purchase that was accepted before its order was settled owns the sale`() async throws {
        try await LoadWorld.with { world in
            try await world.connection.script(
                """
                insert into subledger.purchase_inbox (app_id, kind, payload, account_id, state, subscription_key, transaction_id)
                values ('acme-ios', 'play_token', 'token-1', 'alice', 'accepted', 5, 'GPA.1')
                """)
            var rows = Self.look(next: 7)
            rows.soldUnder = [SubscriptionKey(5): Self.sale]
            try await world.night(1, rows)
            #expect(
                try await world.connection.lines("select subscription_key, account_id from subledger.purchase_inbox")
                    == ["77|alice"])
        }
    }
}
