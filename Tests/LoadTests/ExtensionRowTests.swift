// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import TestSupport
import Testing

/// The end of a period that the App Store moves: the first one stays, the latest extends it.
///
/// On paper: a month from the 1st of March, which ends on the 1st of April.
@Suite struct ExtensionRowTests {
    private static func ending(_ day: Int64, signed: Int64, renewing: Int64? = nil) -> ChunkRows {
        LoadWorld.period(signed: signed) { row in
            row.facts.end = LoadWorld.march + .days(day)
            row.facts.extendedUntil = renewing.map { LoadWorld.march + .days($0) }
        }
    }

    private func ends(_ world: LoadWorld, of table: String = "transactions") async throws -> [String] {
        try await world.connection.lines(
            """
            select to_char(period_end, 'MM-DD') as period_end, to_char(extended_until, 'MM-DD') as extended_until
            from subledger.\(table) order by transaction_id, source_version
            """)
    }

    @Test func `a later end of the same row extends it, and no other moves it`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, Self.ending(31, signed: 0))
            #expect(try await ends(world) == ["04-01|"])
            #expect(try await world.night(2, Self.ending(51, signed: 4)) == 1)
            #expect(try await ends(world) == ["04-01|04-21"])
            // The same again, and as it was at first: nothing new.
            #expect(try await world.night(3, Self.ending(51, signed: 5)) == 0)
            #expect(try await world.night(4, Self.ending(31, signed: 6)) == 0)
            #expect(try await world.night(5, Self.ending(41, signed: 7)) == 0)
            #expect(try await world.night(6, Self.ending(61, signed: 8)) == 1)
            #expect(try await ends(world) == ["04-01|05-01"])
            #expect(try await ends(world, of: "transaction_versions") == ["04-01|", "04-01|04-21", "04-01|05-01"])
            #expect(try await world.ledger() == ["1|charge|9990000|USD|03-01 00:00|1|"])
        }
    }

    @Test func `a renewal date beyond the end extends it, and stays when the store says no more of it`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, Self.ending(31, signed: 0))
            try await world.night(2, Self.ending(31, signed: 4, renewing: 51))
            #expect(try await world.night(3, Self.ending(31, signed: 5)) == 0)
            #expect(try await ends(world) == ["04-01|04-21"])
        }
    }

    @Test func `what is first seen extended is taken as it is`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, Self.ending(51, signed: 0))
            #expect(try await ends(world) == ["04-21|"])
        }
    }

    @Test func `the answer about another subscription extends, and moves no first end`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, Self.ending(31, signed: 0))
            var rows = Self.ending(51, signed: 4)
            rows.transactions[0].isSeenIndirectly = true
            try await world.night(2, rows)
            #expect(try await ends(world) == ["04-01|04-21"])
        }
    }

    @Test func `Google Play's order has the end that its newest image states`() async throws {
        try await LoadWorld.with { world in
            for (night, day) in [(Int64(1), Int64(31)), (2, 51)] {
                var rows = Self.ending(day, signed: night)
                rows.transactions[0].store = .googlePlay
                try await world.night(night, rows)
            }
            #expect(try await ends(world) == ["04-21|"])
        }
    }
}
