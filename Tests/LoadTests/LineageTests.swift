// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import TestSupport
import Testing

/// Lines of linked purchases: the key of the oldest known one, whatever the order in which they became known.
@Suite struct LineageTests {
    private static let oldest = SubscriptionKey(11)
    private static let older = SubscriptionKey(22)

    private static func rows(
        of key: SubscriptionKey, id: String, linkedTo earlier: SubscriptionKey? = nil, read day: Int64 = 0
    ) -> ChunkRows {
        var rows = LoadWorld.period(signed: day) { row in
            row.key = key
            row.lineageKey = key
            row.facts.transactionID = id
            row.facts.periodKey = id
        }
        guard let earlier else { return rows }
        rows.links = [LineageLink(key: key, earlier: earlier)]
        rows.discoveries = [
            DiscoveredSubscription(
                key: earlier, appID: LoadWorld.app, store: .googlePlay, environment: .production,
                storeKey: Secret("token-\(earlier.rawValue)"), productID: nil, discoveredBy: key, receiptID: nil)
        ]
        return rows
    }

    private func lines(_ world: LoadWorld) async throws -> [String] {
        try await world.connection.lines(
            """
            select s.subscription_key = \(LoadWorld.key) as asked, s.lineage_key, s.linked_to, t.lineage_key
            from subledger.subscriptions s
            left join subledger.transactions t on t.subscription_key = s.subscription_key
            order by s.subscription_key
            """)
    }

    @Test func `a linked purchase takes the line of the one it continues`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, Self.rows(of: LoadWorld.key, id: "n", linkedTo: Self.older))
            #expect(try await lines(world) == ["false|22||", "true|22|22|22"])
            #expect(
                try await world.connection.lines("select recorded_run_id from subledger.lineage_links") == ["1"])
        }
    }

    @Test func `a link learned later moves the whole chain, and its history says so`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, Self.rows(of: LoadWorld.key, id: "n", linkedTo: Self.older))
            try await world.night(2, Self.rows(of: Self.older, id: "o", linkedTo: Self.oldest))
            #expect(try await lines(world) == ["false|11||", "false|11|11|11", "true|11|22|11"])
            #expect(
                try await world.connection.lines(
                    """
                    select transaction_id, version, run_id, lineage_key from subledger.transaction_versions
                    order by transaction_id, version
                    """) == ["n|1|1|22", "n|2|2|11", "o|1|2|11"])
            #expect(try await world.ledger().count == 2)
        }
    }

    @Test func `two purchases that continue one share its line`() async throws {
        try await LoadWorld.with { world in
            try await world.connection.script(
                """
                insert into subledger.subscriptions (
                    subscription_key, lineage_key, app_id, store, store_key, registered_at)
                values (33, 33, 'acme-ios', 'google_play', 'token-33', now())
                """)
            try await world.night(1, Self.rows(of: LoadWorld.key, id: "n", linkedTo: Self.older))
            try await world.night(2, Self.rows(of: SubscriptionKey(33), id: "m", linkedTo: Self.older))
            #expect(try await lines(world) == ["false|22||", "false|22|22|22", "true|22|22|22"])
        }
    }

    @Test func `purchases that name each other end somewhere`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, Self.rows(of: LoadWorld.key, id: "n", linkedTo: Self.older))
            try await world.night(2, Self.rows(of: Self.older, id: "o", linkedTo: LoadWorld.key))
            #expect(try await world.connection.lines("select count(*) from subledger.lineage_links") == ["2"])
        }
    }

    /// Its own check of the same night looked at its charges only and would put the next one off for weeks.
    @Test(arguments: [(SubscriptionState.active, "-infinity|registered"), (.expired, "|never")])
    func `B7: a purchase whose successor became known is asked about at once, whatever its own answer, until it ended`(
        state: SubscriptionState, next: String
    ) async throws {
        try await LoadWorld.with { world in
            try await world.connection.script(
                """
                insert into subledger.subscriptions (
                    subscription_key, lineage_key, app_id, store, store_key, state, last_checked_at, registered_at)
                values (22, 22, 'acme-ios', 'google_play', 'token-22', 'active', now(), now())
                """)
            var rows = Self.rows(of: LoadWorld.key, id: "n", linkedTo: Self.older)
            rows.discoveries = []
            let check =
                state == .active
                ? NextCheck(at: LoadWorld.march + .days(30), reason: .refundWatch) : NextCheck(at: nil, reason: .never)
            var snapshot = SubscriptionSnapshot(state: state)
            if state == .expired { (snapshot.endedAt, snapshot.endReason) = (LoadWorld.march, .replaced) }
            rows.subscriptions = [
                SubscriptionRow(
                    key: Self.older, environment: .production, snapshot: snapshot,
                    nextCheck: check, historyCursor: nil, sourceVersion: LoadWorld.march, occurredAt: LoadWorld.march,
                    answerHash: "hash")
            ]
            try await world.night(1, rows)
            let stored = try await world.connection.lines(
                "select next_check_at, next_check_reason from subledger.subscriptions where subscription_key = 22")
            #expect(stored == [next])
        }
    }

    @Test func `the same link again changes nothing`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, Self.rows(of: LoadWorld.key, id: "n", linkedTo: Self.older))
            #expect(try await world.night(2, Self.rows(of: LoadWorld.key, id: "n", linkedTo: Self.older, read: 1)) == 0)
        }
    }
}
