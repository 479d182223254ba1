// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport
import Testing

@Suite(.hangLimit) struct TransactionTests {
    private func terminate(_ connection: PostgresConnection, from configuration: PostgresConfiguration) async throws {
        let backend = try #require(try await connection.query(.test("select pg_backend_pid() as pid")).first)
        let other = try await PostgresConnection.connect(configuration)
        try await other.execute(.test("select pg_terminate_backend($1, 10000)"), [.int(try backend.int64("pid"))])
        await other.close()
    }

    private func count(_ connection: PostgresConnection) async throws -> Int {
        try #require(try await connection.query(.test("select count(*) as n from public.t")).first).int("n")
    }

    @Test func `what the body writes is there after it returns, and gone after it throws`() async throws {
        try await withTestDatabase { connection, _ in
            try await connection.execute(.test("create table public.t (id bigint)"))
            let value = try await connection.withTransaction { transaction in
                try await transaction.execute(.test("insert into public.t values (1)"))
                return "kept"
            }
            let error = await thrown(Deliberate.self) {
                try await connection.withTransaction { transaction in
                    try await transaction.execute(.test("insert into public.t values (2)"))
                    throw Deliberate()
                }
            }
            #expect(value == "kept" && error == Deliberate())
            #expect(try await count(connection) == 1)
        }
    }

    @Test func `a failed statement whose error the body hides does not turn into a silent rollback`() async throws {
        try await withTestDatabase { connection, _ in
            try await connection.execute(.test("create table public.t (id bigint)"))
            let error = await thrown(PostgresError.self) {
                try await connection.withTransaction { transaction in
                    try await transaction.execute(.test("insert into public.t values (1)"))
                    _ = await thrown(PostgresError.self) { try await transaction.execute(.test("select 1/0")) }
                }
            }
            #expect(error?.sqlState == "25P02" && error?.statement == "commit")
            #expect(try await count(connection) == 0)
        }
    }

    @Test func `when the rollback fails too, both causes are reported and the work can be retried`() async throws {
        try await withTestDatabase { connection, configuration in
            let error = await thrown(PostgresTransactionError.self) {
                try await connection.withTransaction { transaction in
                    try await terminate(transaction, from: configuration)
                    throw Deliberate()
                }
            }
            #expect(error?.closure as? Deliberate == Deliberate())
            #expect(error?.commit == nil && error?.rollback.code == .connectionLost)
            #expect(error?.disposition == .retry)
            #expect(
                error?.description.contains("Deliberate") == true && error?.description.contains("terminating") == true)
            #expect(await connection.isOpen == false)
        }
    }

    @Test func `a COMMIT that is not answered is an outcome unknown`() async throws {
        try await withTestDatabase { connection, configuration in
            let error = await thrown(PostgresError.self) {
                try await connection.withTransaction { try await terminate($0, from: configuration) }
            }
            #expect(error?.code == .commitOutcomeUnknown && error?.disposition == .retry)
        }
    }

    @Test func `a COMMIT that the server refuses is that refusal, not an outcome unknown`() async throws {
        try await withTestDatabase { connection, _ in
            try await connection.execute(
                .test("create table public.t (id bigint constraint once unique deferrable initially deferred)"))
            let error = await thrown(PostgresError.self) {
                try await connection.withTransaction {
                    try await $0.execute(.test("insert into public.t values (1), (1)"))
                }
            }
            #expect(error?.code == .constraintViolated && error?.constraint == "once")
            #expect(try await count(connection) == 0)
        }
    }

    @Test func `transactions do not nest: the inner one is refused and the outer one rolled back`() async throws {
        try await withTestDatabase { connection, _ in
            let error = await thrown(PostgresError.self) {
                try await connection.withTransaction { try await $0.withTransaction { _ in } }
            }
            #expect(error?.code == .misuse)
        }
    }

    @Test func `a report's transaction sees one snapshot and cannot write`() async throws {
        try await withTestDatabase { connection, configuration in
            try await connection.execute(.test("create table public.t (id bigint)"))
            let writer = try await PostgresConnection.connect(configuration)
            let seen = try await connection.withTransaction(.repeatableReadOnly) { transaction in
                let before = try await count(transaction)
                try await writer.execute(.test("insert into public.t values (1)"))
                return [before, try await count(transaction)]
            }
            #expect(seen == [0, 0])
            #expect(try await count(connection) == 1)
            let error = await thrown(PostgresError.self) {
                try await connection.withTransaction(.repeatableReadOnly) {
                    try await $0.execute(.test("insert into public.t values (2)"))
                }
            }
            #expect(error?.code == .readOnly)
        }
    }
}
