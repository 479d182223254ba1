// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Postgres
import Testing
import TestSupport

/// One transaction per chunk: exactly-once effects, fenced, and history that cannot be rewritten.
@Suite struct LoadStageTests {
    @Test func `a late owner's commit fails at the fence`() async throws {
        try await LoadWorld.with { world in
            await #expect(throws: LoadError.self) { try await world.night(1, LoadWorld.period(), generation: 0) }
            let rows = try await world.connection.lines("select 1 from subledger.transactions")
            #expect(rows.isEmpty)
        }
    }

    @Test func `a chunk is done once and only once`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, LoadWorld.period())
            let again = Chunk(runID: 1, number: 1, generation: 1, appID: LoadWorld.app, now: LoadWorld.march)
            await #expect(throws: LoadError.self) {
                try await LoadStage(connection: world.connection).load(LoadWorld.period(), as: again, counts: [:])
            }
            #expect(try await world.ledger().count == 1)
        }
    }

    @Test func `the same row twice in a chunk is one row, the newest one`() async throws {
        try await LoadWorld.with { world in
            var rows = LoadWorld.period(signed: 2) { $0.facts.priceMicros = 2 }
            rows.transactions += LoadWorld.period(signed: 3) { $0.facts.priceMicros = 3 }.transactions
            rows.transactions += LoadWorld.period(signed: 1) { $0.facts.priceMicros = 1 }.transactions
            try await world.night(1, rows)
            #expect(try await world.ledger() == ["1|charge|3|USD|03-01 00:00|1|"])
        }
    }

    @Test func `staging is empty afterwards`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, LoadWorld.period())
            for table in ["stage_transactions", "stage_changes", "stage_subscriptions"] {
                #expect(try await world.connection.lines("select 1 from subledger.\(table)").isEmpty)
            }
        }
    }

    @Test(arguments: ["ledger_entries", "transaction_versions", "state_changes"])
    func `history cannot be rewritten`(_ table: String) async throws {
        try await LoadWorld.with { world in
            var rows = LoadWorld.period()
            rows.subscriptions = [Self.active()]
            try await world.night(1, rows)
            for change in ["delete from subledger.\(table)", "update subledger.\(table) set run_id = 0"] {
                await #expect(throws: PostgresError.self) { try await world.connection.script(change) }
            }
        }
    }

    @Test func `a state is written with its history and its next check`() async throws {
        try await LoadWorld.with { world in
            var rows = ChunkRows()
            rows.subscriptions = [Self.active()]
            try await world.night(1, rows)
            try await world.night(2, rows)
            #expect(
                try await world.connection.lines(
                    "select state, auto_renew, to_char(next_check_at, 'MM-DD'), last_run_id, failures "
                        + "from subledger.subscriptions") == ["active|true|03-31|2|0"])
            #expect(
                try await world.connection.lines("select change_id, state, run_id from subledger.state_changes")
                    == ["1|active|1"])
        }
    }

    /// Renewal was switched off on the 6th of March, in a period that ended on the 1st of April; both were read on the 2nd.
    @Test func `the steps on the way are history before the state that they led to`() async throws {
        try await LoadWorld.with { world in
            var rows = ChunkRows()
            rows.subscriptions = [Self.active()]
            try await world.night(1, rows)
            let end = LoadWorld.march + .days(31)
            rows.subscriptions = [
                SubscriptionRow(
                    key: LoadWorld.key, environment: .production,
                    snapshot: SubscriptionSnapshot(
                        state: .expired, productID: "monthly", autoRenew: false, expiresAt: end, endedAt: end,
                        endReason: .voluntary, lastCheckedAt: end),
                    nextCheck: NextCheck(at: nil, reason: .never), historyCursor: nil,
                    sourceVersion: end, occurredAt: end, answerHash: "h2",
                    steps: [StateStep(at: LoadWorld.march + .days(5), state: .active, autoRenew: false)])
            ]
            try await world.night(32, rows)
            // The same answer once more is nothing new, nor are its steps.
            try await world.night(33, rows)
            #expect(
                try await world.connection.lines(
                    """
                    select change_id, state, auto_renew, to_char(occurred_at at time zone 'UTC', 'MM-DD') as day, run_id,
                        end_reason
                    from subledger.state_changes order by change_id
                    """) == [
                        "1|active|true|03-01|1|", "2|active|false|03-06|32|", "3|expired|false|04-01|32|voluntary",
                    ])
        }
    }

    @Test func `the base plan and what the store paid are stored with every image`() async throws {
        try await LoadWorld.with { world in
            let night = LoadWorld.period {
                $0.store = .googlePlay
                ($0.facts.basePlanID, $0.sale.storeDiscountMicros) = ("monthly", 2_000_000)
            }
            try await world.night(1, night)
            #expect(try await world.night(2, night) == 0)
            let taken = LoadWorld.period(signed: 3) {
                $0.store = .googlePlay
                ($0.sale.storeDiscountMicros, $0.refund.refundedAt, $0.refund.refundKind) = (
                    2_000_000, LoadWorld.march + .days(2), .full
                )
                ($0.refund.refundMicros, $0.refund.refundReason) = (9_990_000, .chargeback)
            }
            #expect(try await world.night(4, taken) == 1)
            let figures = "base_plan_id, store_discount_micros, refund_reason"
            // An answer that does not say the plan takes it from no row.
            #expect(
                try await world.connection.lines("select \(figures) from subledger.transactions") == [
                    "monthly|2000000|chargeback"
                ])
            #expect(
                try await world.connection.lines(
                    "select version, \(figures) from subledger.transaction_versions order by version") == [
                        "1|monthly|2000000|", "2|monthly|2000000|chargeback",
                    ])
        }
    }

    @Test func `a token that was sold once leaves the subscriptions, and no other`() async throws {
        try await LoadWorld.with { world in
            try await world.connection.script(
                """
                insert into subledger.apps (app_id, store) values ('acme-android', 'google_play') on conflict do nothing;
                insert into subledger.subscriptions (
                    subscription_key, lineage_key, app_id, store, store_key, registered_at, state, last_checked_at)
                values (11, 11, 'acme-android', 'google_play', 'coins', '2026-03-01', 'pending', '2026-03-01'),
                    (12, 12, 'acme-android', 'google_play', 'gold', '2026-03-01', 'unverified', null)
                """)
            var rows = LoadWorld.period { $0.key = SubscriptionKey(12) }
            rows.placeholders = [SubscriptionKey(11), SubscriptionKey(12), LoadWorld.key]
            rows.asked = [SubscriptionKey(11): 0, SubscriptionKey(12): 0, LoadWorld.key: 1]
            try await world.night(1, rows)
            #expect(
                try await world.connection.lines("select store_key from subledger.subscriptions order by store_key")
                    == [
                        "1000000481802759", "gold",
                    ])
        }
    }

    @Test func `a failed check is counted and books nothing`() async throws {
        try await LoadWorld.with { world in
            var rows = ChunkRows()
            rows.failures = [
                FailedCheck(
                    key: LoadWorld.key, kind: .transient, reason: "timed_out", message: "the store did not answer",
                    failures: 1,
                    nextCheck: NextCheck.afterFailure(.transient, failures: 1, now: LoadWorld.march + .days(1)))
            ]
            try await world.night(1, rows)
            #expect(
                try await world.connection.lines(
                    "select state, failures, last_error, to_char(next_check_at, 'MM-DD HH24:MI') "
                        + "from subledger.subscriptions")
                    == ["unverified|1|the store did not answer|03-02 00:00"])
            #expect(try await world.connection.lines("select 1 from subledger.state_changes").isEmpty)
        }
    }

    @Test func `a discovered subscription joins the account and is due at once`() async throws {
        try await LoadWorld.with { world in
            var rows = ChunkRows()
            rows.discoveries = [
                DiscoveredSubscription(
                    key: SubscriptionKey(42), appID: LoadWorld.app, store: .appStore, environment: .production,
                    storeKey: Secret("2000"), productID: "addon", discoveredBy: LoadWorld.key, receiptID: nil)
            ]
            try await world.night(1, rows)
            #expect(
                try await world.connection.lines(
                    "select store_key, account_id, state, next_check_at from subledger.subscriptions "
                        + "where subscription_key = 42") == ["2000|alice|unverified|-infinity"])
        }
    }

    @Test func `what is set aside is counted again each night until an answer resolves it`() async throws {
        try await LoadWorld.with { world in
            var rows = ChunkRows()
            rows.setAside = [
                SetAside(key: LoadWorld.key, stage: "transform", reason: "dates_disagree", detail: "a row's dates")
            ]
            try await world.night(1, rows)
            try await world.night(2, rows)
            let letters = "select attempts, first_run_id, last_run_id, resolved_at is null from subledger.dead_letters"
            #expect(try await world.connection.lines(letters) == ["2|1|2|true"])
            var answered = ChunkRows()
            answered.subscriptions = [Self.active()]
            try await world.night(3, answered)
            #expect(try await world.connection.lines(letters) == ["2|1|2|false"])
        }
    }

    private static func active() -> SubscriptionRow {
        SubscriptionRow(
            key: LoadWorld.key, environment: .production,
            snapshot: SubscriptionSnapshot(
                state: .active, stateRaw: "1", productID: "monthly", autoRenew: true,
                expiresAt: LoadWorld.march + .days(31)),
            nextCheck: NextCheck(at: LoadWorld.march + .days(30), reason: .beforeExpiry), historyCursor: "r1",
            sourceVersion: LoadWorld.march, occurredAt: LoadWorld.march, answerHash: "h")
    }
}
