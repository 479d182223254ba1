// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import TestSupport
import Testing

/// A chunk of which much is held is asked and loaded in parts: twelve million bytes, and the answer that goes beyond, at a time.
@Suite struct LongAnswerTests {
    /// Some subscriptions in one chunk, in the order of their keys.
    private static func plan(_ world: ChunkWorld, count: Int = 7) async throws -> [String] {
        try await world.connection.script(
            """
            select subledger.register('acme-ios', key::text) from generate_series(1, \(count)) as key;
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
                // What stands in the books while the third one of a part is asked: the parts before it.
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

    /// Each part is loaded before the next one is asked for, from where the one before it ended; one check is counted once.
    @Test func `an answer that has no room is asked for part by part`() async throws {
        try await ChunkWorld.with { world in
            let keys = try await Self.plan(world, count: 2)
            let seen = SeenLoads()
            let store = PartsStore(parts: 3) { number in
                guard number % 2 == 1 else { return }
                let open = try await world.connection.lines(
                    "select state, cardinality(remaining_keys) from subledger.run_chunks")
                let loaded = try await world.connection.lines(Self.checked)
                await seen.add("\(number): \(loaded[0]) loaded, chunk \(open[0])")
            }
            try await world.work(asking: store)
            #expect(
                store.questions
                    == ["the beginning, after 0", "1, after 1", "2, after 2"].flatMap { place in
                        keys.map { "\($0) from \(place)" }
                    })
            #expect(
                await seen.all == [
                    "1: 0 loaded, chunk leased|", "3: 2 loaded, chunk leased|2", "5: 2 loaded, chunk leased|2",
                ])
            #expect(try await world.connection.lines(Self.chunk) == ["done|||6|6|2|0"])
            #expect(
                try await world.connection.lines("select distinct history_cursor from subledger.subscriptions") == ["3"]
            )
        }
    }

    /// The lease is another worker's before the second part is loaded: that part is read again, and the first is not.
    @Test func `who takes a chunk over goes on where the loaded part ends`() async throws {
        try await ChunkWorld.with { world in
            let key = try await Self.plan(world, count: 1)[0]
            let store = PartsStore(parts: 3) { number in
                guard number == 2 else { return }
                try await world.connection.script(
                    """
                    update subledger.run_chunks
                    set generation = generation + 1, leased_until = clock_timestamp() - interval '1 minute'
                    """)
            }
            try await world.work(asking: store)
            #expect(
                store.questions
                    == ["the beginning, after 0", "1, after 1", "1, after 0", "2, after 1"].map { "\(key) from \($0)" })
            #expect(try await world.connection.lines(Self.chunk) == ["done|||3|3|1|0"])
        }
    }
}

/// What a store saw, in order.
private actor SeenLoads {
    private(set) var all: [String] = []

    func add(_ line: String) { all.append(line) }
}
