// SPDX-License-Identifier: Apache-2.0

import Model
import TestSupport
import Testing

/// Whether a purchase was cut short by the one that replaced it is told by that one's answer; its own can only guess.
@Suite struct SupersededRowsTests {
    private static func rows(_ isUpgraded: Bool, tells: Bool, signed day: Int64) -> ChunkRows {
        LoadWorld.period(signed: day) {
            ($0.isUpgraded, $0.tellsUpgrade, $0.isGlimpse) = (isUpgraded, tells, tells)
        }
    }

    @Test("B7: what another answer told of a replaced purchase outlasts its own guess", arguments: [true, false])
    func theGuessYields(isUpgraded: Bool) async throws {
        try await LoadWorld.with { world in
            try await world.night(1, Self.rows(!isUpgraded, tells: false, signed: 1))
            try await world.night(2, Self.rows(isUpgraded, tells: true, signed: 2))
            let told = try await world.connection.lines("select is_upgraded from subledger.transactions")
            #expect(told == ["\(isUpgraded)"])
            #expect(try await world.night(3, Self.rows(!isUpgraded, tells: false, signed: 3)) == 0)
            let kept = try await world.connection.lines("select is_upgraded from subledger.transactions")
            #expect(kept == told)
        }
    }
}
