// SPDX-License-Identifier: Apache-2.0

import Operations
import Postgres
import SQLCatalog
import TestSupport
import Testing

@testable import Runs

/// A session without an answer, looked for on a real server over another connection.
@Suite(.serialized, .hangLimit) struct ServerLookTests {
    private static func session(_ connection: PostgresConnection) async throws -> ServerSession {
        let row = try #require(try await connection.query(SQL.Pipeline.ownSession).first)
        return ServerSession(process: try row.int64("pid"), startedMicros: try row.timestampMicros("started_at"))
    }

    private static func find(_ session: ServerSession, _ database: PostgresConfiguration) async -> SessionFinding {
        await ServerLook().find(session, of: database)
    }

    private static func watched(_ configuration: PostgresConfiguration) -> PostgresConfiguration {
        var watched = configuration
        watched.look = ServerLook()
        watched.waiting.untilReported = .milliseconds(50)
        watched.waiting.betweenReports = .milliseconds(50)
        watched.waiting.watchdog = .milliseconds(500)
        return watched
    }

    @Test func `a session waits for its client, works on something, or has ended`() async throws {
        try await withTestDatabase { connection, database in
            let other = try await PostgresConnection.connect(database)
            let session = try await Self.session(other)
            #expect(await Self.find(session, database) == .silent)
            let successor = ServerSession(process: session.process, startedMicros: session.startedMicros + 1)
            #expect(await Self.find(successor, database) == .gone)
            let sleeping = Task { try await other.script("select pg_sleep(600)") }
            let active = "select 1 from pg_stat_activity where pid = \(session.process) and wait_event = 'PgSleep'"
            while try await connection.lines(active).isEmpty {}
            #expect(await Self.find(session, database) == .atWork("Timeout PgSleep"))
            try await connection.script("select pg_terminate_backend(\(session.process), 10000)")
            await #expect(throws: PostgresError.self) { try await sleeping.value }
            #expect(await Self.find(session, database) == .gone)
        }
    }

    @Test func `a server that is away is unreachable, one that refuses is there`() async throws {
        try await withTestDatabase { connection, database in
            let session = try await Self.session(connection)
            let away = PostgresConfiguration(socketDirectory: "/tmp/subledger-nowhere", database: "d", user: "u")
            guard case .unreachable = await Self.find(session, away) else { return #expect(Bool(false)) }
            let refusing = database.with(database: "no_such_database")
            guard case .notAsked = await Self.find(session, refusing) else { return #expect(Bool(false)) }
        }
    }

    @Test func `who blocks a statement is named after a while, and it ends with that where they do not let go`()
        async throws
    {
        try await withTestDatabase { connection, database in
            try await connection.script("create table public.mart (); set application_name = 'metabase'")
            try await connection.script("begin; lock table public.mart")
            let pid = try await connection.lines("select pg_backend_pid() as pid")[0]
            let log = RecordedLog()
            let blocked = try await PostgresConnection.connect(Self.watched(database), logger: log.logger)
            let error = await #expect(throws: PostgresError.self) {
                try await blocked.script("select from public.mart")
            }
            #expect(error?.code == .blocked)
            for word in ["process \(pid) ", "metabase", "idle in transaction", "on public.mart"] {
                #expect(error?.message.contains(word) == true, "\(word): \(error?.message ?? "none")")
                #expect(log.lines.contains { $0.hasPrefix("notice") && $0.contains(word) }, "\(word): \(log.lines)")
            }
            await blocked.close()
        }
    }

    @Test func `a statement that others stop blocking has its answer`() async throws {
        try await withTestDatabase { connection, database in
            try await connection.script("create table public.mart ()")
            try await connection.script("begin; lock table public.mart")
            var patient = Self.watched(database)
            patient.waiting.watchdog = .seconds(600)
            let log = RecordedLog()
            let blocked = try await PostgresConnection.connect(patient, logger: log.logger)
            let reading = Task { try await blocked.script("select from public.mart") }
            try await waitUntil { log.lines.contains { $0.contains("holds locks") } }
            try await connection.script("commit")
            try await reading.value
            await blocked.close()
        }
    }

    /// The server's session waits for what was lost, or is gone: other connections come through.
    @Test(arguments: [CuttingProxy.Fault.silence, .serverLost])
    func `a half-open connection is found out over another one`(fault: CuttingProxy.Fault) async throws {
        try await withTestDatabase { connection, _ in
            let proxy = try CuttingProxy(toSocket: try await connection.socketPath())
            let proxied = try PostgresConfiguration(
                url: try await connection.url(throughPort: proxy.port) + "?sslmode=disable")
            let half = try await PostgresConnection.connect(Self.watched(proxied))
            proxy.plan(fault, at: .words("half-open", time: 1))
            let error = await #expect(throws: PostgresError.self) { try await half.script("select 'half-open'") }
            #expect(error?.code == .connectionLost && error?.disposition == .retry, "\(error?.description ?? "none")")
            await half.close()
        }
    }
}
