// SPDX-License-Identifier: Apache-2.0

import Extract
import Model
import Postgres
import TestSupport
import Testing

/// Subscriptions in a real database, and a run that is to ask about those that are due.
enum ExtractWorld {
    /// 2026-03-10T02:15:00Z.
    static let now = Instant(micros: 1_773_108_900_000_000)
    static let app = AppID("acme-ios")

    /// Subscriptions by store key, each due or not, with its expiry; and a run to plan for.
    static func with<R>(
        _ subscriptions: [(key: String, nextCheck: String?, expiry: String)],
        _ body: (PostgresConnection, ExtractStage) async throws -> R
    ) async throws -> R {
        try await withLedgerDatabase { connection, _ in
            for it in subscriptions {
                let check = it.nextCheck.map { "'\($0)'" } ?? "null"
                try await connection.script(
                    """
                    select subledger.record_registration('acme-ios', '\(it.key)');
                    update subledger.subscriptions set next_check_at = \(check), expires_at = '\(it.expiry)'
                    where store_key = '\(it.key)'
                    """)
            }
            try await connection.script(
                """
                insert into subledger.runs (run_id, job, business_date, logical_now, host, process_id)
                overriding system value values (1, 'nightly', '2026-03-09', now(), 'test', 1)
                """)
            return try await body(connection, ExtractStage(connection: connection))
        }
    }

    static func chunks(_ connection: PostgresConnection) async throws -> [String] {
        try await connection.lines(
            """
            select chunk_no, (
                select string_agg(s.store_key, ',' order by place)
                from unnest(subscription_keys) with ordinality as k (key, place)
                join subledger.subscriptions s on s.subscription_key = k.key) as store_keys
            from subledger.run_chunks order by chunk_no
            """)
    }

    static func plan(isAudit: Bool = false) -> ExtractStage.Plan {
        ExtractStage.Plan(runID: 1, generation: 1, appID: app, now: now, isAudit: isAudit)
    }

    static func key(of storeKey: String, _ connection: PostgresConnection) async throws -> SubscriptionKey {
        let line = try await connection.lines(
            "select subscription_key from subledger.subscriptions where store_key = '\(storeKey)'"
        ).first
        return SubscriptionKey(try #require(line.flatMap { Int64($0) }))
    }
}
