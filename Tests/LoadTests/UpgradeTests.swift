// SPDX-License-Identifier: Apache-2.0

import Postgres
import SQLCatalog
import TestSupport
import Testing

/// What an older version has left in a database is brought under today's rules.
@Suite struct UpgradeTests {
    /// A database of the version before that migration with these rows in it, migrated to the end.
    private static func upgraded(
        before number: String, _ rows: String, _ body: (PostgresConnection) async throws -> Void
    ) async throws {
        try await withTestDatabase { connection, _ in
            let isNew = { (migration: Statement) in migration.name.contains("\(number)_") }
            let place = try #require(SQL.Migrations.all.firstIndex(where: isNew))
            for migration in SQL.Migrations.all[..<place] { try await connection.executeScript(migration) }
            try await connection.script(rows)
            for migration in SQL.Migrations.all[place...] { try await connection.executeScript(migration) }
            try await body(connection)
        }
    }

    @Test
    func `C1: secrets and receipts go out of the version 1 notifications that were handled before`() async throws {
        let secret =
            #"{"password": "canary", "latest_receipt": "canary", "unified_receipt": {"latest_receipt": "canary", "status": 0}}"#
        try await Self.upgraded(
            before: "0017",
            """
            insert into subledger.apps (app_id, store) values ('acme-ios', 'app_store');
            insert into subledger.notification_inbox (app_id, source, payload, state, reason, handled_at, handled_run_id)
            values ('acme-ios', 'app_store_v1', '\(secret)', 'applied', null, now(), 1),
                ('acme-ios', 'app_store_v1', '{"password":"canary', 'refused', 'no JSON', now(), 1),
                ('acme-ios', 'app_store_v1', '\(secret)', 'pending', null, null, null),
                ('acme-ios', 'app_store_v2', 'signed', 'applied', null, now(), 1)
            """
        ) { connection in
            let kept = try await connection.lines(
                "select payload from subledger.notification_inbox order by notification_id")
            #expect(kept == [#"{"unified_receipt": {"status": 0}}"#, "", secret, "signed"])
        }
    }

    /// The night of 10 March 02:00 read a renewal of 03:00: what it was told then was told after it. And every report that
    /// was sealed before counts as issued.
    @Test func `what was learned before keeps its order`() async throws {
        try await Self.upgraded(
            before: "0014",
            """
            insert into subledger.runs (
                job, business_date, logical_now, finished_at, sealed_at, seal, outcome, host, process_id)
            values ('nightly', '2026-03-09', '2026-03-10 02:00Z', now(), now(), 1, 'done', 'here', 1),
                ('import', '2026-03-09', '2026-03-10 03:00Z', now(), now(), 2, 'done', 'here', 1),
                ('report', '2026-03-09', '2026-03-10 04:00Z', now(), now(), 3, 'done', 'here', 1);
            insert into subledger.state_changes (
                subscription_key, change_id, occurred_at, recorded_at, run_id, state, answer_hash)
            values (1, 1, '2026-03-10 03:00Z', '2026-03-10 02:00Z', 1, 'active', 'h'),
                (2, 1, '2026-03-10 03:00Z', '2026-03-10 02:00Z', 1, 'active', 'other');
            insert into subledger.transaction_versions (
                subscription_key, transaction_id, product_id, version, run_id, recorded_at, answer_hash, lineage_key,
                app_id, store, environment, period_key, kind, is_trial_conversion, ownership, quantity, purchased_at,
                period_start, price_source, proceeds_source, is_upgraded, source_version)
            select key, 't', 'p', 1, 1, '2026-03-10 02:00Z', 'h', key, 'acme', 'google_play', 'production', 'w', 'renewal',
                false, 'purchased', 1, '2026-03-10 03:00Z', '2026-03-10 03:00Z', 'missing', 'missing', false,
                '2026-03-10 03:00Z'
            from unnest(array[1, 2]) key
            """
        ) { connection in
            let told = try await connection.lines(
                "select subscription_key, told_at from subledger.state_changes order by subscription_key")
            #expect(told == ["1|2026-03-10T03:00:00+00:00", "2|"])
            let issues = try await connection.lines(
                "select run_id, seal, business_date, last_seal from subledger.report_issues order by seal")
            #expect(issues == ["1|1|2026-03-09|1", "3|3|2026-03-09|3"])
        }
    }
}
