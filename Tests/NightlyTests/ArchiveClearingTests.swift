// SPDX-License-Identifier: Apache-2.0

import Logging
import Model
import Nightly
import Notifications
import Operations
import Postgres
import Runs
import Stores
import TestSupport
import Testing

/// What a night clears away once `archive.keep` is over.
@Suite struct ArchiveClearingTests {
    /// 2026-03-10T02:15:00Z.
    private static let now = Instant(micros: 1_773_108_900_000_000)

    private static func night(
        _ database: PostgresConfiguration, _ store: ReportingStore
    ) async throws {
        var options = NightlyOptions(now: now, reportDirectory: "/nowhere", timeZone: .utc)
        options.reports = false
        options.archiveRetention = .days(90)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let sessions = DatabaseSessions(database, logger: logger)
        _ = try await NightlyRun(
            sessions: sessions, apps: [store.app], options: options, logger: logger, progress: NoProgress(),
            listening: StoreListener(sessions: sessions, logger: logger).observe
        ).run()
    }

    private struct NoProgress: NightProgress {
        func planned(app: AppID, due: Int) {}
        func advanced(app: AppID, by count: Int) {}
        func finished() {}
    }

    @Test
    func `a night clears the inboxes of what was settled before the archive's retention, and of nothing pending`()
        async throws
    {
        try await withTestDatabase { connection, database in
            let store = ReportingStore(tellings: [StoreEvents(readUntil: Self.now, items: [])])
            let migrator = Migrator(
                connection: connection, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            _ = try await migrator.migrate()
            try await connection.script(
                """
                insert into subledger.apps (app_id, store) values ('acme-ios', 'google_play'), ('other', 'app_store');
                select subledger.record_registration('acme-ios', 'a');
                update subledger.subscriptions set next_check_at = null;
                insert into subledger.notification_inbox (app_id, source, payload, received_at, state, handled_at,
                    handled_run_id, reason)
                values ('acme-ios', 'play_rtdn', 'old-applied', '2025-01-01', 'applied', '2025-12-10T02:14:59Z', 1, null),
                    ('other', 'app_store_v2', 'old-refused', '2025-01-01', 'refused', '2025-12-01', 1, 'why'),
                    ('acme-ios', 'play_rtdn', 'young', '2025-01-01', 'ignored', '2025-12-10T02:15:00Z', 1, null),
                    ('other', 'app_store_v2', 'waits', '2025-01-01', 'pending', null, null, null);
                insert into subledger.purchase_inbox (app_id, account_id, kind, payload, signature, received_at, state,
                    checked_at, reason, subscription_key)
                values ('acme-ios', 'a1', 'play_purchase', 'old', 's', '2025-01-01', 'accepted', '2025-12-01', null,
                        subledger.subscription_key('acme-ios', 'a')),
                    ('acme-ios', 'a1', 'play_token', 'old-refused', null, '2025-01-01', 'refused', '2025-12-01', 'why', null),
                    ('acme-ios', 'a1', 'play_purchase', 'old-sale', 's', '2025-01-01', 'accepted', '2025-12-01', null, 42),
                    ('acme-ios', 'a1', 'play_purchase', 'young', 's', '2025-01-01', 'accepted', '2025-12-20', null,
                        subledger.subscription_key('acme-ios', 'a')),
                    ('other', 'a1', 'receipt', 'waits', null, '2025-01-01', 'pending', null, null, null)
                """)
            try await Self.night(database, store)
            #expect(
                try await connection.lines("select payload from subledger.notification_inbox order by notification_id")
                    == ["young", "waits"])
            // Only its verdict states whose a one-time sale is: the verdict stays, without what was handed in.
            #expect(
                try await connection.lines(
                    "select payload, signature, state, account_id from subledger.purchase_inbox order by purchase_id")
                    == ["||accepted|a1", "young|s|accepted|a1", "waits||pending|a1"])
        }
    }
}
