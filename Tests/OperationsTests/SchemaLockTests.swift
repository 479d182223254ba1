// SPDX-License-Identifier: Apache-2.0

import Operations
import Postgres
import Runs
import TestSupport
import Testing

/// A change of the schema waits for readers a second at a time, and readers wait for it no longer.
@Suite(.hangLimit) struct SchemaLockTests {
    private static let log = RecordedLog()

    /// A database with an outstanding change, and a session that reads `report.revenue` and does not end.
    private static func withReader(
        _ body: (
            _ migrating: PostgresConnection, _ reader: PostgresConnection, PostgresConfiguration
        ) async throws -> Void
    ) async throws {
        try await withTestDatabase { connection, configuration in
            _ = try await Migrator(connection: connection, logger: log.logger).migrate()
            try await connection.script(
                "update subledger.schema_files set checksum = 'older' where path = 'reports/marts/revenue/view.sql'")
            let reader = try await PostgresConnection.connect(configuration)
            try await reader.script("set application_name = 'night_owl'; begin; select * from report.revenue")
            try await body(connection, reader, configuration)
            await reader.close()
        }
    }

    private static func patience(_ limit: Duration, reportAfter: Duration = .zero) -> LockPatience {
        var patience = LockPatience()
        (patience.limit, patience.untilReported, patience.pause) = (limit, reportAfter, .milliseconds(100))
        return patience
    }

    @Test func `the process that blocks a migration is named, and it ends with try later once patience is over`()
        async throws
    {
        try await Self.withReader { connection, reader, _ in
            let log = RecordedLog()
            let pid = try await reader.lines("select pg_backend_pid() as pid")[0]
            let refusal = await #expect(throws: PipelineError.self) {
                try await Migrator(connection: connection, logger: log.logger, patience: Self.patience(.seconds(4)))
                    .migrate()
            }
            #expect(refusal?.kind == .databaseBusy)
            for word in ["process \(pid) ", "night_owl", "idle in transaction", "on report.revenue"] {
                #expect(refusal?.message.contains(word) == true, "\(word): \(refusal?.message ?? "none")")
                #expect(log.lines.contains { $0.hasPrefix("warning") && $0.contains(word) }, "\(word): \(log.lines)")
            }
            #expect(
                try await connection.lines(
                    "select checksum from subledger.schema_files where path = 'reports/marts/revenue/view.sql'")
                    == ["older"])
        }
    }

    @Test func `it goes on when the reader has ended, and said nothing where that was soon`() async throws {
        try await Self.withReader { connection, reader, _ in
            let log = RecordedLog()
            async let applied = Migrator(
                connection: connection, logger: log.logger,
                patience: Self.patience(.seconds(600), reportAfter: .seconds(600))
            ).migrate()
            try await Task.sleep(for: .milliseconds(1_500))
            try await reader.script("commit")
            #expect(try await applied.contains("reports/marts/revenue/view.sql"))
            #expect(!log.lines.contains { $0.hasPrefix("warning") })
        }
    }

    /// Every view is asked for again and again while the change is being tried: none waits for the reader who holds it up.
    @Test func `other readers never wait as long as the change does`() async throws {
        try await Self.withReader { connection, reader, configuration in
            let other = try await PostgresConnection.connect(configuration)
            let change = Task {
                try await Migrator(
                    connection: connection, logger: Self.log.logger, patience: Self.patience(.seconds(12))
                )
                .migrate()
            }
            // One who queued behind a change that queues behind the first reader would wait for all of the twelve seconds.
            try await other.script("set lock_timeout = '6s'")
            var looks = 0
            while looks < 60 {
                for view in ["at_risk", "churn", "mrr_bridge", "revenue", "trials"] {
                    try await other.script("select * from report.\(view) limit 1")
                }
                looks += 1
                try await Task.sleep(for: .milliseconds(50))
            }
            await #expect(throws: PipelineError.self) { try await change.value }
            await other.close()
        }
    }

    @Test func `killed while it waits, it has changed nothing, and the next one does all`() async throws {
        try await Self.withReader { connection, reader, configuration in
            let pid = try await connection.lines("select pg_backend_pid() as pid")[0]
            let change = Task {
                try await Migrator(
                    connection: connection, logger: Self.log.logger, patience: Self.patience(.seconds(600))
                )
                .migrate()
            }
            let killer = try await PostgresConnection.connect(configuration)
            while try await killer.lines("select cardinality(pg_blocking_pids(\(pid))) > 0 as it") != ["true"] {
                try await Task.sleep(for: .milliseconds(10))
            }
            try await killer.script("select pg_terminate_backend(\(pid))")
            await #expect(throws: (any Error).self) { try await change.value }
            try await killer.script("select * from report.revenue")
            try await reader.script("commit")
            let applied = try await Migrator(connection: killer, logger: Self.log.logger).migrate()
            #expect(applied.contains("reports/marts/revenue/view.sql"))
            await killer.close()
        }
    }
}
