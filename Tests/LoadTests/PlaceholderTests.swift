// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import TestSupport
import Testing

/// What was registered under an id that is no subscription's own: that of a later transaction, or a one-time product's.
@Suite struct PlaceholderTests {
    /// Of 1000000000000001: the first 8 bytes, top bit cleared, of the SHA-256 over app, a zero byte and store key.
    private static let original = SubscriptionKey(1_197_735_385_410_701_913)

    /// The night's answer about the registered id: it represents the original, which is discovered beside it.
    private static func answer() -> ChunkRows {
        var rows = ChunkRows()
        let over = SubscriptionSnapshot(
            state: .expired, endedAt: LoadWorld.march, endReason: .replaced, lastCheckedAt: LoadWorld.march)
        rows.subscriptions = [
            SubscriptionRow(
                key: LoadWorld.key, environment: .production, snapshot: over,
                nextCheck: NextCheck(at: nil, reason: .never), historyCursor: nil, sourceVersion: LoadWorld.march,
                occurredAt: LoadWorld.march, answerHash: "h")
        ]
        rows.discoveries = [
            DiscoveredSubscription(
                key: original, appID: LoadWorld.app, store: .appStore, environment: .production,
                storeKey: Secret("1000000000000001"), productID: "monthly", discoveredBy: LoadWorld.key, receiptID: nil)
        ]
        rows.links = [LineageLink(key: LoadWorld.key, earlier: original)]
        rows.substitutes = rows.links
        return rows
    }

    @Test(arguments: [(nil, "alice"), ("null", "alice"), ("'bob'", "bob")] as [(String?, String)])
    func `A1: the original takes the account of the row that represented it, and retains one of its own`(
        registeredAs owner: String?, expected: String
    ) async throws {
        try await LoadWorld.with { world in
            if let owner {
                try await world.connection.script(
                    "select subledger.register('acme-ios', '1000000000000001', \(owner))")
            }
            try await world.night(1, Self.answer())
            #expect(
                try await world.connection.lines(
                    """
                    select store_key, account_id, state, end_reason, next_check_at, linked_to
                    from subledger.subscriptions order by store_key
                    """) == [
                        "1000000000000001|\(expected)|unverified||-infinity|",
                        "1000000481802759|alice|expired|replaced||\(Self.original.rawValue)",
                    ])
        }
    }

    @Test func `A3: a registered one-time product is booked, and its row among the subscriptions goes`() async throws {
        func sold() -> ChunkRows {
            var rows = LoadWorld.period { row in
                (row.kind, row.facts.end) = (.oneTime, nil)
            }
            rows.asked = [LoadWorld.key: 1]
            rows.placeholders = [LoadWorld.key]
            return rows
        }
        try await LoadWorld.with { world in
            let count = "select count(*) from subledger.subscriptions"
            // Registered again while it was being asked about: it stays, and is asked again.
            try await world.connection.script("select subledger.register('acme-ios', '1000000481802759')")
            try await world.connection.script("select subledger.register('acme-ios', '1000000481802759')")
            try await world.night(1, sold())
            #expect(try await world.connection.lines(count) == ["1"])
            var again = sold()
            again.asked = [LoadWorld.key: 2]
            try await world.night(2, again)
            #expect(try await world.connection.lines(count) == ["0"])
            #expect(try await world.ledger() == ["1|charge|9990000|USD|03-01 00:00|1|"])
        }
    }
}
