// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Postgres
import TestSupport
import Testing

@testable import Nightly

/// A renewal that fails once costs nothing: it is tried again while the lease lasts.
@Suite(.hangLimit) struct ChunkLeaseTests {
    private static func working(
        _ world: ChunkWorld, while work: @Sendable @escaping () async throws -> Void
    ) async throws {
        try await world.open(1)
        let lease = ChunkLease(
            chunk: world.chunk(1), seconds: 3, database: world.database, logger: world.log.logger)
        try await lease.maintain(work)
    }

    /// Until a renewal has shortened the hour that the test gave the chunk.
    private static func waitForARenewal(_ world: ChunkWorld) async throws {
        let renewed = "select 1 from subledger.run_chunks where leased_until < clock_timestamp() + interval '1 minute'"
        while try await world.connection.lines(renewed).isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    }

    private static func waitForAFailure(_ world: ChunkWorld) async throws {
        try await waitUntil { world.log.lines.contains { $0.contains("chunk lease is renewed again") } }
    }

    @Test func `a renewal that fails is tried again`() async throws {
        try await ChunkWorld.with { world in
            try await Self.working(world) {
                try await world.connection.script("alter table subledger.run_chunks rename to away")
                try await Self.waitForAFailure(world)
                try await world.connection.script("alter table subledger.away rename to run_chunks")
                try await Self.waitForARenewal(world)
            }
        }
    }

    @Test func `a server that takes no connection for a moment stops no night`() async throws {
        try await ChunkWorld.with { world in
            let name = try await world.connection.lines("select current_database() as name")
            let door = try await PostgresConnection.connect(world.database.with(database: "postgres"))
            let allow = "alter database \(name.first ?? "") allow_connections"
            try await Self.working(world) {
                try await door.script("\(allow) false")
                try await Self.waitForAFailure(world)
                try await door.script("\(allow) true")
                try await Self.waitForARenewal(world)
            }
            await door.close()
        }
    }

    @Test func `work that fails ends the lease and says why`() async throws {
        try await ChunkWorld.with { world in
            await #expect(throws: LoadError.self) {
                try await Self.working(world) { throw LoadError.leaseLost(chunk: 1) }
            }
        }
    }
}
