// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Postgres
import TestSupport
import Testing

/// Two workers whose answers hold the same transactions book them once, whoever comes first.
@Suite struct RaceTests {
    /// One customer of a race: four subscriptions, each asked about by a worker of its own, one that is not registered,
    /// and a one-time sale.
    ///
    /// The App Store reports all of it to each worker.
    private struct Customer {
        let race: Int64

        var asked: [SubscriptionKey] { (1...4).map { SubscriptionKey(race * 10 + $0) } }
        var unknown: SubscriptionKey { SubscriptionKey(race * 10 + 5) }
        var sale: SubscriptionKey { SubscriptionKey(race * 10 + 6) }

        /// What the store reports to the worker of one of them; given back: 4 USD of each, a day later.
        func answer(about asked: SubscriptionKey, givenBack: Bool) -> ChunkRows {
            var rows = ChunkRows()
            rows.asked = [asked: 0]
            let periods = (self.asked + [unknown]).map { key in
                ChunkWorld.period(of: key) { $0.isSeenIndirectly = key != asked }
            }
            rows.transactions = (periods + [ChunkWorld.sale(sale)]).map { row in
                guard givenBack else { return row }
                var row = row
                (row.refund.refundedAt, row.refund.refundKind) = (ChunkWorld.march + .days(1), .partial)
                (row.refund.refundMicros, row.sale.sourceVersion) = (4_000_000, ChunkWorld.march + .days(2))
                return row
            }
            rows.saleAnswers = [sale: "h"]
            rows.discoveries = (self.asked + [unknown]).filter { $0 != asked }.map { key in
                DiscoveredSubscription(
                    key: key, appID: ChunkWorld.app, store: .appStore, environment: .production,
                    storeKey: Secret("o\(key)"), productID: "monthly", discoveredBy: asked, receiptID: nil)
            }
            return rows
        }
    }

    @Test func `four workers racing a hundred times book every charge and refund once`() async throws {
        try await ChunkWorld.with { world in
            try await world.whenChangesAreFound("perform pg_sleep(0.005)")
            var workers: [PostgresConnection] = []
            for _ in 1...4 { workers.append(try await world.connect()) }
            for race in 1...100 as ClosedRange<Int64> {
                try await Self.run(Customer(race: race), in: world, workers, givenBack: false)
                try await Self.run(Customer(race: race), in: world, workers, givenBack: true)
            }
            for worker in workers { await worker.close() }
            // Six sales a race: 5,994 USD were paid, and 2,400 USD given back.
            #expect(
                try await world.connection.lines(
                    """
                    select kind, count(*), count(distinct (subscription_key, transaction_id)), sum(amount_micros)
                    from subledger.ledger_entries group by kind order by kind
                    """) == ["charge|600|600|5994000000", "refund|600|600|-2400000000"])
            let images = "select count(*), max(version) from subledger.transaction_versions"
            #expect(try await world.connection.lines(images) == ["1200|2"])
            #expect(try await world.deadLetters() == [])
            #expect(try await world.connection.lines("select 1 from subledger.stage_keys") == [])
        }
    }

    private static func run(
        _ customer: Customer, in world: ChunkWorld, _ workers: [PostgresConnection], givenBack: Bool
    ) async throws {
        let run = customer.race * 2 + (givenBack ? 1 : 0)
        try await world.open(run, chunks: workers.count)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, worker) in workers.enumerated() {
                let rows = customer.answer(about: customer.asked[index], givenBack: givenBack)
                group.addTask { try await world.load([rows], as: world.chunk(run, index + 1), on: worker) }
            }
            try await group.waitForAll()
        }
    }

    /// Somebody who holds no keys (a program of before): the ledger's own key refuses the second booking.
    @Test func `who finds its charge booked meanwhile is loaded again and not set aside`() async throws {
        try await ChunkWorld.with { world in
            try await world.connection.script("select pg_advisory_lock(4711)")
            try await world.whenChangesAreFound("perform pg_advisory_xact_lock_shared(4711)")
            try await world.open(1)
            var rows = ChunkRows()
            rows.transactions = [ChunkWorld.period(of: SubscriptionKey(1))]
            let load = Task { [rows] in try await world.load([rows], as: world.chunk(1)) }
            let waiting =
                "select pid from pg_locks where not granted and locktype = 'advisory' "
                + "and database = (select oid from pg_database where datname = current_database())"
            while try await world.connection.lines(waiting).isEmpty {
                try await Task.sleep(for: .milliseconds(1))
            }
            try await world.connection.script(
                """
                insert into subledger.transactions (
                    subscription_key, transaction_id, product_id, lineage_key, app_id, store, environment, period_key,
                    kind, ownership, purchased_at, period_start, period_end, price_micros, currency, price_source,
                    source_version, recorded_run_id, changed_run_id)
                values (1, 't1', 'monthly', 1, 'acme-ios', 'app_store', 'production', 'w1', 'purchase', 'purchased',
                    '2026-03-01', '2026-03-01', '2026-04-01', 9990000, 'USD', 'store_price', '2026-02-28', 9, 9);
                insert into subledger.ledger_entries (
                    subscription_key, transaction_id, product_id, seq, kind, occurred_at, recorded_at, run_id,
                    amount_micros, currency, source)
                values (1, 't1', 'monthly', 1, 'charge', '2026-03-01', '2026-03-01', 9, 9990000, 'USD', 'store_price');
                select pg_advisory_unlock(4711)
                """)
            try await load.value
            #expect(
                try await world.connection.lines("select seq, kind, run_id from subledger.ledger_entries")
                    == ["1|charge|9"])
            #expect(
                try await world.connection.lines("select changed_run_id, country from subledger.transactions")
                    == ["1|US"])
            #expect(try await world.deadLetters() == [])
        }
    }

    /// A subscription that was made due again is in several chunks of a night; each reports that it is out of reach.
    @Test func `failed checks that were deferred and race are recorded once`() async throws {
        try await ChunkWorld.with { world in
            try await world.connection.script(
                """
                select subledger.register('acme-ios', '1000000481802759', 'alice');
                create function public.slowly() returns trigger language plpgsql as $slow$
                begin
                    perform pg_sleep(0.2);
                    return new;
                end $slow$;
                create trigger slowly before insert on subledger.state_changes
                    for each row execute function public.slowly()
                """)
            try await world.open(1, chunks: 4)
            for number in 1...4 { try await world.load([ChunkRows()], as: world.chunk(1, number)) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...4 {
                    group.addTask {
                        let worker = try await world.connect()
                        try await LoadStage(connection: worker).add(
                            Self.outOfReach(), to: world.chunk(1, number), counts: ["unread": 1])
                        await worker.close()
                    }
                }
                try await group.waitForAll()
            }
            #expect(
                try await world.connection.lines("select change_id, state from subledger.state_changes")
                    == ["1|unreachable"])
            #expect(try await world.connection.lines("select 1 from subledger.stage_keys") == [])
        }
    }

    private static func outOfReach() -> ChunkRows {
        var rows = ChunkRows()
        rows.failures = [
            FailedCheck(
                key: SubscriptionKey(7_928_393_119_289_343_153), kind: .notFound, reason: "error_4040010",
                message: "The id is not known.", failures: 3,
                nextCheck: NextCheck(at: ChunkWorld.march + .days(7), reason: .notFound), newState: .unreachable)
        ]
        return rows
    }
}
