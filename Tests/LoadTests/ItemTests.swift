// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import TestSupport
import Testing

/// Products of a purchase that holds several, and the access each gives.
@Suite struct ItemTests {
    private static func rows(_ products: [String], expires: [Int64], onDay day: Int64) -> ChunkRows {
        var rows = ChunkRows()
        let now = LoadWorld.march + .days(day)
        rows.subscriptions = [
            SubscriptionRow(
                key: LoadWorld.key, environment: .production,
                snapshot: SubscriptionSnapshot(
                    state: .active, productID: "base", autoRenew: true, expiresAt: LoadWorld.march + .days(31)),
                nextCheck: NextCheck(at: LoadWorld.march + .days(31), reason: .atExpiry), historyCursor: nil,
                sourceVersion: now, occurredAt: now, answerHash: "h\(day)")
        ]
        rows.items[LoadWorld.key] = zip(products, expires).map { product, day in
            SubscriptionItem(
                productID: product, expiresAt: LoadWorld.march + .days(day), autoRenew: true,
                latestTransactionID: "GPA.1")
        }
        return rows
    }

    @Test func `every item has its row and its access`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, Self.rows(["base", "addon"], expires: [31, 11], onDay: 1))
            #expect(
                try await world.connection.lines(
                    """
                    select product_id, to_char(access_until at time zone 'UTC', 'MM-DD') from subledger.entitlements
                    order by product_id
                    """) == ["addon|03-13", "base|04-02"])
        }
    }

    @Test func `an item that was taken back retains its row, with access to its instant`() async throws {
        try await LoadWorld.with { world in
            var rows = Self.rows(["base"], expires: [31], onDay: 12)
            rows.items[LoadWorld.key]?.append(
                SubscriptionItem(
                    productID: "addon", expiresAt: LoadWorld.march + .days(31), autoRenew: true,
                    latestTransactionID: "GPA.1", revokedAt: LoadWorld.march + .days(10)))
            try await world.night(12, rows)
            #expect(
                try await world.connection.lines(
                    """
                    select product_id, to_char(access_until at time zone 'UTC', 'MM-DD HH24'), reason = 'revoked' as revoked
                    from subledger.entitlements order by product_id
                    """) == ["addon|03-11 00|true", "base|04-02 00|false"])
        }
    }

    @Test func `an item that is gone is dropped, and a single product has none`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, Self.rows(["base", "addon"], expires: [31, 11], onDay: 1))
            try await world.night(2, Self.rows(["base", "other"], expires: [31, 31], onDay: 2))
            let items = try await world.connection.lines(
                "select product_id from subledger.subscription_items order by product_id")
            #expect(items == ["base", "other"])
            try await world.night(3, Self.rows([], expires: [], onDay: 3))
            #expect(try await world.connection.lines("select product_id from subledger.subscription_items").isEmpty)
            #expect(try await world.connection.lines("select product_id from subledger.entitlements") == ["base"])
        }
    }
}
