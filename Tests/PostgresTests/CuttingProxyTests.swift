// SPDX-License-Identifier: Apache-2.0

import Foundation
import Postgres
import TestSupport
import Testing

/// The proxy that attacks are made with does what it says, before a real server.
@Suite(.hangLimit) struct CuttingProxyTests {
    private static let insert = Statement.test("insert into public.visits values (1)")

    /// A session through a new proxy, and one past it.
    private static func with(
        _ body: (CuttingProxy, _ proxied: PostgresConnection, _ direct: PostgresConnection) async throws -> Void
    ) async throws {
        try await withTestDatabase { direct, _ in
            try await direct.script("create table public.visits (number int)")
            let proxy = try CuttingProxy(toSocket: try await direct.socketPath())
            let proxied = try await PostgresConnection.connect(try await Self.configuration(proxy, direct))
            try await body(proxy, proxied, direct)
            await proxied.close()
        }
    }

    private static func configuration(
        _ proxy: CuttingProxy, _ direct: PostgresConnection
    ) async throws -> PostgresConfiguration {
        try PostgresConfiguration(url: try await direct.url(throughPort: proxy.port))
    }

    private static func visits(_ connection: PostgresConnection) async throws -> [String] {
        try await connection.lines("select count(*) from public.visits")
    }

    @Test func `a commit whose answer is lost is done, and its outcome unknown`() async throws {
        try await Self.with { proxy, proxied, direct in
            proxy.plan(.answerLost, at: .commit(1))
            let error = await thrown(PostgresError.self) {
                try await proxied.withTransaction { try await $0.execute(Self.insert) }
            }
            #expect(error?.code == .commitOutcomeUnknown)
            let visits = try await Self.visits(direct)
            #expect(visits == ["1"] && proxy.struck == 1)
        }
    }

    @Test func `a connection that is cut at the commit has committed nothing`() async throws {
        try await Self.with { proxy, proxied, direct in
            proxy.plan(.cut, at: .commit(2))
            for expected in [false, true] {
                let error = await thrown(PostgresError.self) {
                    try await proxied.withTransaction { try await $0.execute(Self.insert) }
                }
                #expect((error != nil) == expected)
            }
            let visits = try await Self.visits(direct)
            #expect(visits == ["1"])
        }
    }

    @Test(arguments: CuttingProxy.Direction.allCases)
    func `a byte is the first that does not arrive`(direction: CuttingProxy.Direction) async throws {
        try await Self.with { proxy, proxied, _ in
            let before = proxy.bytes(direction)
            proxy.plan(.cut, at: .byte(500, direction))
            let error = await thrown(PostgresError.self) {
                for _ in 0..<100 { _ = try await proxied.query(Statement.test("select 1")) }
            }
            #expect(error?.code == .connectionLost)
            #expect(proxy.bytes(direction) - before == 500)
        }
    }

    @Test func `a frozen session goes on where it was, and one that is refused comes later`() async throws {
        try await Self.with { proxy, proxied, direct in
            proxy.freeze()
            async let one = proxied.query(Statement.test("select 1"))
            try await Task.sleep(for: .milliseconds(100))
            proxy.thaw()
            #expect(try await one.count == 1)
            proxy.refuse()
            let configuration = try await Self.configuration(proxy, direct)
            let refusal = await thrown(PostgresError.self) { _ = try await PostgresConnection.connect(configuration) }
            #expect(refusal?.code == .connectionFailed)
            try proxy.admit()
            let later = try await PostgresConnection.connect(configuration)
            #expect(try await later.query(Statement.test("select 1")).count == 1)
            await later.close()
            #expect(try await proxied.query(Statement.test("select 1")).count == 1)
        }
    }

    /// The server's session waits in its transaction, or is gone; the client's end is open either way.
    @Test(arguments: [CuttingProxy.Fault.silence, .serverLost])
    func `a half-open session says nothing`(fault: CuttingProxy.Fault) async throws {
        try await Self.with { proxy, proxied, direct in
            proxy.plan(fault, at: .words("insert", time: 1))
            let work = Task { try await proxied.withTransaction { try await $0.execute(Self.insert) } }
            while proxy.struck == 0 { try await Task.sleep(for: .milliseconds(2)) }
            let waiting =
                "select count(*) from pg_stat_activity where state = 'idle in transaction' "
                + "and datname = current_database()"
            let expected = fault == .silence ? ["1"] : ["0"]
            while try await direct.lines(waiting) != expected { try await Task.sleep(for: .milliseconds(2)) }
            proxy.cutAll()
            await #expect(throws: (any Error).self) { try await work.value }
        }
    }
}
