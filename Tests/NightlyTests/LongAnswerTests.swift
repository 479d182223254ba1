// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import TestSupport
import Testing

/// A chunk of which much is held is asked and loaded in parts: twelve million bytes, and the answer that goes beyond, at a time.
@Suite struct LongAnswerTests {
    /// Seven subscriptions in one chunk, in the order of their keys.
    private static func plan(_ world: ChunkWorld) async throws -> [String] {
        try await world.connection.script(
            """
            select subledger.register('acme-ios', key::text) from generate_series(1, 7) as key;
            insert into subledger.runs (run_id, job, business_date, logical_now, host, process_id)
            overriding system value values (1, 'nightly', '2026-02-28', '2026-03-01', 'test', 1);
            insert into subledger.run_chunks (run_id, chunk_no, app_id, subscription_keys)
            select 1, 1, 'acme-ios', array_agg(subscription_key order by subscription_key) from subledger.subscriptions
            """)
        return try await world.connection.lines(
            "select store_key from subledger.subscriptions order by subscription_key")
    }

    private static let checked =
        "select count(*) from subledger.subscriptions where state = 'expired' and last_run_id = 1"
    private static let chunk = """
        select state, leased_by, remaining_keys, expected, staged, counts ->> 'checked', counts ->> 'unread'
        from subledger.run_chunks
        """

    @Test func `each is asked once, and the chunk counts all of its parts`() async throws {
        try await ChunkWorld.with { world in
            let keys = try await Self.plan(world)
            let seen = SeenLoads()
            let store = LongAnswerStore { number in
                // What is loaded while the third one of a part is asked: the parts before it.
                let loaded = try await world.connection.lines(Self.checked)
                await seen.add("\(number): \(loaded[0])")
            }
            try await world.work(asking: store)
            #expect(store.questions == keys)
            #expect(await seen.all == ["1: 0", "2: 0", "3: 0", "4: 3", "5: 3", "6: 3", "7: 6"])
            #expect(try await world.connection.lines(Self.checked) == ["7"])
            #expect(try await world.connection.lines(Self.chunk) == ["done|||7|7|7|0"])
        }
    }

    /// The lease is another worker's before the second part is loaded: what was loaded is not asked again.
    @Test func `who takes a chunk over asks what is left of it`() async throws {
        try await ChunkWorld.with { world in
            let keys = try await Self.plan(world)
            let store = LongAnswerStore { number in
                guard number == 5 else { return }
                try await world.connection.script(
                    """
                    update subledger.run_chunks
                    set generation = generation + 1, leased_until = clock_timestamp() - interval '1 minute'
                    """)
            }
            try await world.work(asking: store)
            #expect(store.questions == Array(keys[..<6] + keys[3...]))
            #expect(try await world.connection.lines(Self.checked) == ["7"])
            #expect(try await world.connection.lines(Self.chunk) == ["done|||7|7|7|0"])
        }
    }
}

/// What a store saw, in order.
private actor SeenLoads {
    private(set) var all: [String] = []

    func add(_ line: String) { all.append(line) }
}
