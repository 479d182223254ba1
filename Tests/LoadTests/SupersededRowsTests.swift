// SPDX-License-Identifier: Apache-2.0

import Model
import TestSupport
import Testing

/// Whether a purchase was cut short by the one that replaced it is told by that one's answer; its own can only guess.
@Suite struct SupersededRowsTests {
    private static let later = SubscriptionKey(4_882_528_714_116_278_592)

    private static func rows(
        _ isUpgraded: Bool, tells: Bool, signed day: Int64, byAnother: Bool = false
    ) -> ChunkRows {
        LoadWorld.period(signed: day) {
            ($0.facts.isUpgraded, $0.sale.statesUpgrade, $0.isSeenIndirectly) = (isUpgraded, tells, byAnother)
        }
    }

    @Test(arguments: [true, false])
    func `B7: what another answer told of a replaced purchase outlasts its own guess`(isUpgraded: Bool) async throws {
        try await LoadWorld.with { world in
            try await world.night(1, Self.rows(!isUpgraded, tells: false, signed: 1))
            var rows = Self.rows(isUpgraded, tells: true, signed: 2, byAnother: true)
            rows.links = [LineageLink(key: Self.later, earlier: LoadWorld.key)]
            try await world.night(2, rows)
            let told = try await world.connection.lines("select is_upgraded from subledger.transactions")
            #expect(told == ["\(isUpgraded)"])
            #expect(try await world.night(3, Self.rows(!isUpgraded, tells: false, signed: 3)) == 0)
            let kept = try await world.connection.lines("select is_upgraded from subledger.transactions")
            #expect(kept == told)
        }
    }

    /// The app hands in the later purchase months afterwards, or never.
    @Test func `B7: its own answer counts while nobody knows what replaced it`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, Self.rows(false, tells: true, signed: 1))
            try await world.night(2, Self.rows(true, tells: false, signed: 2))
            let guessed = try await world.connection.lines("select is_upgraded from subledger.transactions")
            #expect(guessed == ["true"])
        }
    }
}
