// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import Stores
import TestSupport
import Testing

/// A subscription that is registered again while its store is being asked stays due: the answer is older than the wish.
@Suite struct CheckRequestTests {
    private static let failures: [StoreFailure?] = [
        nil, StoreFailure(.transient, reason: "timed_out", message: "The store did not answer."),
        StoreFailure(.gone, reason: "http_410", message: "The store has dropped it."),
    ]

    @Test(arguments: CheckRequestTests.failures)
    func `B1: registered again while it is asked: due at once`(failure: StoreFailure?) async throws {
        try await ChunkWorld.with { world in
            // One was never asked; the other one's check of the night falls due.
            try await world.connection.script(
                """
                select subledger.register('acme-ios', key) from unnest(array['1', '2']) as key;
                update subledger.subscriptions set next_check_at = '2026-02-01', next_check_reason = 'at_expiry'
                where store_key = '2';
                insert into subledger.runs (run_id, job, business_date, logical_now, host, process_id)
                overriding system value values (1, 'nightly', '2026-02-28', '2026-03-01', 'test', 1);
                insert into subledger.run_chunks (run_id, chunk_no, app_id, subscription_keys)
                select 1, 1, 'acme-ios', array_agg(subscription_key) from subledger.subscriptions
                """)
            try await world.work(asking: RequestingStore(database: world.database, failure: failure))
            #expect(try await world.connection.lines("select state from subledger.run_chunks") == ["done"])
            #expect(
                try await world.connection.lines(
                    "select store_key, next_check_at, next_check_reason, last_run_id from subledger.subscriptions "
                        + "order by store_key") == ["1|-infinity|registered|1", "2|-infinity|registered|1"])
        }
    }
}
