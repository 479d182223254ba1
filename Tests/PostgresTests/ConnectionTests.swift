// SPDX-License-Identifier: Apache-2.0

import Foundation
import Postgres
import TestSupport
import Testing

@Suite(.hangLimit) struct ConnectionTests {
    @Test func `after close, statements are refused`() async throws {
        try await withTestDatabase { _, configuration in
            let connection = try await PostgresConnection.connect(configuration)
            #expect(await connection.isOpen)
            await connection.close()
            let error = await thrown(PostgresError.self) { try await connection.execute(.test("select 1")) }
            #expect(error?.code == .connectionLost)
            #expect(await connection.isOpen == false)
        }
    }

    @Test func `a connection that is no longer in use is closed on the server`() async throws {
        try await withTestDatabase { connection, configuration in
            var other: PostgresConnection? = try await PostgresConnection.connect(configuration)
            let pid = try #require(try await other?.query(.test("select pg_backend_pid() as pid")).first).int64("pid")
            other = nil
            var isGone = false
            while !isGone {
                let sql = Statement.test("select not exists (select from pg_stat_activity where pid = $1) as gone")
                isGone = try await connection.query(sql, [.int(pid)])[0].bool("gone")
            }
            #expect(isGone)
        }
    }

    @Test func `a lost connection says so and can be retried`() async throws {
        try await withTestDatabase { connection, _ in
            let error = await thrown(PostgresError.self) {
                try await connection.execute(.test("select pg_terminate_backend(pg_backend_pid())"))
            }
            #expect(error?.code == .connectionLost && error?.disposition == .retry)
            #expect(await connection.isOpen == false)
        }
    }

    @Test func `a server that is away can be retried, one that refuses cannot`() async throws {
        let away = PostgresConfiguration(socketDirectory: "/tmp/subledger-nowhere", database: "d", user: "u")
        let absent = await thrown(PostgresError.self) { _ = try await PostgresConnection.connect(away) }
        #expect(absent?.code == .connectionFailed && absent?.sqlState == nil && absent?.disposition == .retry)
        try await withTestDatabase { _, configuration in
            let refused = await thrown(PostgresError.self) {
                _ = try await PostgresConnection.connect(configuration.with(database: "no_such_database"))
            }
            #expect(refused?.code == .connectionFailed && refused?.sqlState == "3D000" && refused?.disposition == .stop)
        }
    }

    @Test(arguments: [FakePooler.Manner.refuses, .drops])
    func `a pooler that refuses or drops a session's settings is refused with a sentence that says what to do`(
        manner: FakePooler.Manner
    ) async throws {
        try await withTestDatabase { connection, configuration in
            let place = Statement.test(
                "select current_setting('unix_socket_directories') || '/.s.PGSQL.' || current_setting('port') as v")
            let pooler = try FakePooler(manner, before: try await connection.query(place)[0].string("v"))
            let user = try await connection.query(.test("select current_user::text as v"))[0].string("v")
            let pooled = try PostgresConfiguration(
                url: "host=127.0.0.1 port=\(pooler.port) sslmode=disable gssencmode=disable user=\(user) "
                    + "dbname=\(try #require(configuration.database))")
            let error = await thrown(PostgresError.self) { _ = try await PostgresConnection.connect(pooled) }
            #expect(error?.code == .configuration && error?.disposition == .stop)
            #expect(error?.message.contains("PgBouncer") == true, "\(error?.message ?? "no error")")
        }
    }

    @Test func `a server below 15 is refused with a sentence that says which is needed`() async throws {
        try await withTestDatabase { connection, configuration in
            let place = Statement.test(
                "select current_setting('unix_socket_directories') || '/.s.PGSQL.' || current_setting('port') as v")
            let server = try FakePooler(.isOlder, before: try await connection.query(place)[0].string("v"))
            let user = try await connection.query(.test("select current_user::text as v"))[0].string("v")
            let older = try PostgresConfiguration(
                url: "host=127.0.0.1 port=\(server.port) sslmode=disable gssencmode=disable user=\(user) "
                    + "dbname=\(try #require(configuration.database))")
            let error = await thrown(PostgresError.self) { _ = try await PostgresConnection.connect(older) }
            #expect(error?.code == .configuration && error?.disposition == .stop)
            #expect(error?.message.contains("is PostgreSQL 14") == true, "\(error?.message ?? "no error")")
            #expect(error?.message.contains("needs 15 or newer") == true)
        }
    }

    @Test(arguments: ["sslmode=wordy", "target_session_attrs=sometimes"])
    func `settings that no retry can correct are distinguished from a server that is away`(words: String) async throws {
        let silence = try SilentServer()
        let wrong = try PostgresConfiguration(
            url: "host=127.0.0.1 port=\(silence.port) dbname=d user=u connect_timeout=2 \(words)")
        let error = await thrown(PostgresError.self) { _ = try await PostgresConnection.connect(wrong) }
        #expect(error?.code == .configuration && error?.disposition == .stop, "\(error?.message ?? "no error")")
    }

    @Test
    func `a cancelled task cancels its statement on the server; connection and next statement are fine`() async throws {
        try await withTestDatabase { connection, configuration in
            let observer = try await PostgresConnection.connect(configuration)
            for _ in 1...5 {
                let task = Task { try await connection.execute(.test("select pg_sleep(600)")) }
                let sleeping = Statement.test(
                    "select count(*) as n from pg_stat_activity where query ~ '^select pg_sleep' and state = 'active'")
                while try await observer.query(sleeping)[0].int("n") == 0 {}
                task.cancel()
                let error = await thrown(PostgresError.self) { try await task.value }
                #expect(error?.code == .cancelled && error?.disposition == .stop)
                #expect(try await connection.query(.test("select 7 as v"))[0].int("v") == 7)
            }
        }
    }

    @Test func `a task cancelled inside a transaction rolls back and leaves the connection usable`() async throws {
        try await withTestDatabase { connection, _ in
            try await connection.execute(.test("create table public.t (id bigint)"))
            let task = Task {
                try await connection.withTransaction { transaction in
                    try await transaction.execute(.test("insert into public.t values (1)"))
                    unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                }
            }
            let error = await thrown(PostgresError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            #expect(try await connection.query(.test("select count(*) as n from public.t"))[0].int("n") == 0)
        }
    }

    @Test func `a task cancelled while it writes a COPY leaves no rows`() async throws {
        try await withTestDatabase { connection, _ in
            try await connection.execute(.test("create table public.t (id bigint)"))
            let task = Task {
                _ = try await connection.copyIn(.test("copy public.t from stdin")) { writer in
                    for id in 1...1_000_000 {
                        try await writer.write(row: [.int(Int64(id))])
                        if id == 30_000 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
                    }
                }
            }
            let error = await thrown(PostgresError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            #expect(try await connection.query(.test("select count(*) as n from public.t"))[0].int("n") == 0)
        }
    }
}
