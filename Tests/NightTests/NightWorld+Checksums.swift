// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import TestSupport

extension NightWorld {
    /// One checksum for each table that a night writes, the run ledger apart: equal means that nothing changed.
    ///
    /// `byContent`: whichever run wrote it.
    func checksums(byContent: Bool = false) async throws -> [String: String] {
        var checksums: [String: String] = [:]
        let without = "(select jsonb_object_agg(key, value) from jsonb_each(line) where key !~ '_?run_id$')"
        for (table, columns) in Self.tables {
            let line = try await connection.lines(
                """
                select md5(coalesce(string_agg(text, E'\\n' order by text), '')) as sum
                from (select \(columns) as line from subledger.\(table) t) rows
                cross join lateral (select (\(byContent ? without : "line"))::text as text) texts
                """
            ).first
            checksums[table] = line
        }
        return checksums
    }

    /// Every column but the last run's number, the wall clock of a registration, how often a subscription was made due (a
    /// night that is run again hears the same news again), and bodies: a signature is never the same twice.
    private static let tables: [(String, String)] = [
        ("subscriptions", "to_jsonb(t) - 'last_run_id' - 'registered_at' - 'check_requests'"),
        ("transactions", "to_jsonb(t)"),
        ("transaction_versions", "to_jsonb(t)"),
        ("ledger_entries", "to_jsonb(t)"), ("state_changes", "to_jsonb(t)"), ("transaction_aliases", "to_jsonb(t)"),
        ("store_answers", "to_jsonb(t) - 'body'"), ("lineage_links", "to_jsonb(t)"), ("dead_letters", "to_jsonb(t)"),
        ("subscription_items", "to_jsonb(t)"), ("store_event_watermarks", "to_jsonb(t) - 'recorded_run_id'"),
        ("watched_sales", "to_jsonb(t) - 'last_run_id'"), ("awaited_orders", "to_jsonb(t)"),
        ("receipts", "to_jsonb(t) - 'last_run_id' - 'recorded_at'"),
    ]
}
