// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport
import Testing

/// Finds what it is made with, wherever it looks.
private struct FixedLook: SessionLook {
    let finding: SessionFinding

    var identity: Statement {
        .test("select pid, backend_start as started_at from pg_stat_activity where pid = pg_backend_pid()")
    }

    func find(_ session: ServerSession, of database: PostgresConfiguration) async -> SessionFinding { finding }
}

/// Statements that get no answer: what is said, and how they end.
@Suite(.serialized, .hangLimit) struct StatementWatchTests {
    private static func watched(
        _ configuration: PostgresConfiguration, finding: SessionFinding
    ) -> PostgresConfiguration {
        var watched = configuration
        watched.look = FixedLook(finding: finding)
        watched.waiting.untilReported = .milliseconds(50)
        watched.waiting.betweenReports = .milliseconds(50)
        watched.waiting.watchdog = .milliseconds(200)
        return watched
    }

    /// A connection through a proxy, which the body may do harm to.
    private static func throughProxy(
        finding: SessionFinding, _ body: (PostgresConnection, CuttingProxy, RecordedLog) async throws -> Void
    ) async throws {
        try await withTestDatabase { connection, _ in
            let proxy = try CuttingProxy(toSocket: try await connection.socketPath())
            let configuration = try PostgresConfiguration(
                url: try await connection.url(throughPort: proxy.port) + "?sslmode=disable")
            let log = RecordedLog()
            let proxied = try await PostgresConnection.connect(
                Self.watched(configuration, finding: finding), logger: log.logger)
            try await body(proxied, proxy, log)
            await proxied.close()
        }
    }

    @Test(arguments: [SessionFinding.gone, .silent, .unreachable("no route")])
    func `a statement on a half-open connection fails as on a lost one`(finding: SessionFinding) async throws {
        try await Self.throughProxy(finding: finding) { connection, proxy, _ in
            proxy.plan(.silence, at: .words("'secret'", time: 1))
            let error = await thrown(PostgresError.self) { try await connection.execute(.test("select 'secret'")) }
            #expect(error?.code == .connectionLost && error?.disposition == .retry, "\(error?.description ?? "none")")
            #expect(error?.message.contains("no answer since") == true)
            #expect(error?.description.contains("secret") == false)
            #expect(await !connection.isOpen)
        }
    }

    @Test func `a COMMIT on a half-open connection has an outcome that is not known`() async throws {
        try await Self.throughProxy(finding: .gone) { connection, proxy, _ in
            proxy.plan(.silence, at: .commit(1))
            let error = await thrown(PostgresError.self) {
                try await connection.withTransaction { try await $0.execute(.test("select 1")) }
            }
            #expect(error?.code == .commitOutcomeUnknown, "\(error?.description ?? "none")")
        }
    }

    @Test func `a COPY that is not taken any more fails as on a lost connection`() async throws {
        try await Self.throughProxy(finding: .silent) { connection, proxy, _ in
            try await connection.execute(.test("create table public.t (v text)"))
            let text = String(repeating: "v", count: 8_000)
            let error = await thrown(PostgresError.self) {
                _ = try await connection.copyIn(.test("copy public.t from stdin")) { writer in
                    proxy.freeze()
                    while true { try await writer.write(row: [.text(text)]) }
                }
            }
            proxy.thaw()
            #expect(error?.code == .connectionLost && error?.disposition == .retry, "\(error?.description ?? "none")")
        }
    }

    @Test func `a statement that others block ends with who they are, and its connection goes on`() async throws {
        try await withTestDatabase { connection, configuration in
            try await connection.script("create table public.t ()")
            try await connection.script("begin; lock table public.t")
            let blocked = try await PostgresConnection.connect(
                Self.watched(configuration, finding: .blocked("process 7 of the server")))
            let error = await thrown(PostgresError.self) { try await blocked.execute(.test("select from public.t")) }
            #expect(error?.code == .blocked && error?.disposition == .stop)
            #expect(error?.message.contains("process 7 of the server") == true)
            #expect(try await blocked.query(.test("select 7 as v"))[0].int("v") == 7)
            await blocked.close()
        }
    }

    @Test func `one that the server works on is spoken of by its name, and has its answer`() async throws {
        try await withTestDatabase { _, configuration in
            let log = RecordedLog()
            let watched = try await PostgresConnection.connect(
                Self.watched(configuration, finding: .atWork("IO")), logger: log.logger)
            let sleep = Statement.test("select pg_sleep(1) is null as v")
            #expect(try await watched.query(sleep)[0].bool("v") == false)
            await watched.close()
            let lines = log.lines.filter { $0.contains("has had no answer since") }
            #expect(lines.count > 1)
            for line in lines {
                #expect(line.hasPrefix("notice") && line.contains(sleep.name) && line.contains("at work (IO)"))
            }
            #expect(!log.lines.contains { $0.contains("pg_sleep") })
        }
    }

    @Test func `a short question over a connection that says nothing is given up after its limit`() async throws {
        try await withTestDatabase { connection, _ in
            let proxy = try CuttingProxy(toSocket: try await connection.socketPath())
            var configuration = try PostgresConfiguration(
                url: try await connection.url(throughPort: proxy.port) + "?sslmode=disable")
            configuration.answerLimit = .seconds(1)
            let short = try await PostgresConnection.connect(configuration)
            proxy.plan(.silence, at: .words("select 1", time: 1))
            let error = await thrown(PostgresError.self) { try await short.execute(.test("select 1")) }
            #expect(error?.code == .connectionLost)
            await short.close()
        }
    }
}
