// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Postgres
import TestSupport
import Testing

@testable import Nightly

/// The leases of all chunks under way are renewed together; a renewal that fails costs nothing, as it is tried again.
@Suite(.hangLimit) struct ChunkLeasesTests {
    private static func working(
        _ world: ChunkWorld, chunks: Int = 1, while work: @Sendable @escaping () async throws -> Void
    ) async throws {
        try await world.open(1, chunks: chunks)
        let leases = ChunkLeases(of: 1, seconds: 3, sessions: world.sessions, logger: world.log.logger)
        try await leases.maintain {
            try await leases.maintain(of: world.chunk(1)) { try await work() }
        }
    }

    /// Until a renewal has shortened the hour that the test gave the chunk.
    private static func waitForARenewal(_ world: ChunkWorld, of chunk: Int = 1) async throws {
        let renewed = """
            select 1 from subledger.run_chunks
            where chunk_no = \(chunk) and leased_until < clock_timestamp() + interval '1 minute'
            """
        while try await world.connection.lines(renewed).isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    }

    private static func waitForAFailure(_ world: ChunkWorld) async throws {
        try await waitUntil { world.log.lines.contains { $0.contains("chunk leases are renewed again") } }
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

    @Test func `a chunk that is being loaded delays no other chunk's renewal, nor does one that was lost`() async throws
    {
        try await ChunkWorld.with { world in
            try await world.open(1, chunks: 3)
            let leases = ChunkLeases(of: 1, seconds: 3, sessions: world.sessions, logger: world.log.logger)
            try await world.connection.script(
                """
                update subledger.run_chunks set generation = 2 where chunk_no = 2;
                begin;
                select from subledger.run_chunks where chunk_no = 1 for update
                """)
            let other = try await world.connect()
            try await leases.maintain {
                try await leases.maintain(of: world.chunk(1, 1)) {
                    try await leases.maintain(of: world.chunk(1, 2)) {
                        try await leases.maintain(of: world.chunk(1, 3)) {
                            try await Self.waitForARenewal(world, of: 3)
                        }
                    }
                }
            }
            try await world.connection.script("commit")
            let soon = "select chunk_no from subledger.run_chunks where leased_until < now() + interval '1 minute'"
            #expect(try await other.lines(soon) == ["3"])
            await other.close()
        }
    }

    @Test func `work that fails ends the leases and says why`() async throws {
        try await ChunkWorld.with { world in
            await #expect(throws: LoadError.self) {
                try await Self.working(world) { throw LoadError.leaseLost(chunk: 1) }
            }
        }
    }
}
