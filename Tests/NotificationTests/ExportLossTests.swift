// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Notifications
import Postgres
import Runs
import Synchronization
import Testing
import TestSupport

/// An export whose session is lost goes on over another one (RULINGS §8).
@Suite struct ExportLossTests {
    /// More than two pages.
    private static let count = 1_100

    @Test func `each notification is written once where the session is ended after the first page`() async throws {
        try await NotificationWorld.with { world in
            try await world.connection.script(
                """
                insert into subledger.notification_inbox (app_id, source, payload)
                select 'acme-ios', 'app_store_v1', '{}' from generate_series(1, \(Self.count))
                """)
            let sessions = DatabaseSessions(world.database, logger: NotificationWorld.silence)
            let columns = try #require(ExportColumns(lines: "notification_id"))
            let export = NotificationExport(sessions: sessions, columns: columns) { _, _ in nil }
            var parts: [String] = []
            let count = try await export.write(NotificationExport.Choice()) { part in
                parts.append(part)
                // The header is the first part, the first page the second.
                if parts.count == 2 { try Self.endSessions(of: world) }
            }
            await sessions.close()
            let ids = parts.dropFirst().joined().split(whereSeparator: \.isNewline)
            #expect(count == Self.count && ids.count == Self.count && Set(ids).count == Self.count)
        }
    }

    /// All but the world's own; they are gone when it returns.
    private static func endSessions(of world: NotificationWorld) throws {
        let ended = DispatchSemaphore(value: 0)
        let number = Mutex<Int64>(0)
        Task.detached {
            defer { ended.signal() }
            let statement = Statement(
                name: "end_sessions",
                text: """
                    select count(pg_terminate_backend(pid, 10000)) as ended from pg_stat_activity
                    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
                    """)
            let rows = try await world.connection.query(statement)
            let sessions = try rows.first?.int64("ended") ?? 0
            number.withLock { $0 = sessions }
        }
        ended.wait()
        try #require(number.withLock { $0 } > 0)
    }
}
