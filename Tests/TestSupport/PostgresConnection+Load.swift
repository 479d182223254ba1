// SPDX-License-Identifier: Apache-2.0

import Load
package import Model
package import Postgres

extension PostgresConnection {
    /// Loads the rows of many subscriptions, numbered from 1, as one chunk, piece by piece where the database refuses one; returns
    /// what it refused.
    package func load(
        _ pieces: [ChunkRows], of app: AppID, _ store: StoreKind, now: Instant
    ) async throws -> [String] {
        try await script(
            """
            insert into subledger.apps (app_id, store) values ('\(app)', '\(store.rawValue)') on conflict do nothing;
            insert into subledger.subscriptions (
                subscription_key, lineage_key, app_id, store, store_key, registered_at)
            select key, key, '\(app)', '\(store.rawValue)', 'id-' || key, '\(now.iso8601)'
            from generate_series(1, \(pieces.count)) key;
            insert into subledger.runs (run_id, job, business_date, logical_now, host, process_id)
            overriding system value values (1, 'nightly', '2026-03-09', '\(now.iso8601)', 'test', 1);
            insert into subledger.run_chunks (
                run_id, chunk_no, app_id, subscription_keys, state, generation, leased_by, leased_until)
            values (1, 1, '\(app)', '{1}', 'leased', 1, 'test', now() + interval '1 hour')
            """)
        let chunk = Chunk(runID: 1, number: 1, generation: 1, appID: app, now: now)
        try await ChunkLoader(connection: self, chunk: chunk, logger: RecordedLog().logger).load(pieces, attempts: 3)
        return try await lines(
            "select subscription_key, reason, left(detail, 300) from subledger.dead_letters where stage = 'load' limit 9"
        )
    }
}
