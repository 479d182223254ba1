// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Postgres
import TestSupport
import Testing

/// What was held back of a chunk is added to it when it is done, and by its own worker alone.
@Suite struct LateRowsTests {
    private static func failed() -> ChunkRows {
        var rows = ChunkRows()
        rows.failures = [
            FailedCheck(
                key: LoadWorld.key, kind: .notFound, reason: "error_4040010", message: "The id is not known.",
                failures: 1,
                nextCheck: NextCheck(at: LoadWorld.march + .days(1), reason: .notFound))
        ]
        return rows
    }

    private static func chunk(generation: Int64 = 1) -> Chunk {
        Chunk(runID: 1, number: 1, generation: generation, appID: LoadWorld.app, now: LoadWorld.march + .days(1))
    }

    @Test func `late rows are booked and counted with the chunk`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, ChunkRows())
            try await LoadStage(connection: world.connection).add(
                Self.failed(), to: Self.chunk(), counts: ["checked": 0, "unread": 1])
            let subscription = try await world.connection.lines(
                "select failures, next_check_reason, last_run_id from subledger.subscriptions")
            #expect(subscription == ["1|not_found|1"])
            let counts = try await world.connection.lines(
                "select counts ->> 'checked' as checked, counts ->> 'unread' as unread from subledger.run_chunks")
            #expect(counts == ["1|1"])
        }
    }

    @Test(arguments: [2, 0] as [Int64])
    func `a chunk that is another owner's by now is left alone`(generation: Int64) async throws {
        try await LoadWorld.with { world in
            try await world.night(1, ChunkRows())
            await #expect(throws: LoadError.self) {
                try await LoadStage(connection: world.connection).add(
                    Self.failed(), to: Self.chunk(generation: generation), counts: [:])
            }
            let untouched = try await world.connection.lines("select failures from subledger.subscriptions")
            #expect(untouched == ["0"])
        }
    }
}
