// SPDX-License-Identifier: Apache-2.0

import Model
import TestSupport
import Testing

/// The answer of the replacing purchase states whether the replaced one was cut short; the latter's own can only guess.
@Suite struct SupersededRowsTests {
    private static let later = SubscriptionKey(4_882_528_714_116_278_592)

    private static func rows(
        _ isUpgraded: Bool, states: Bool, signed day: Int64, byAnother: Bool = false
    ) -> ChunkRows {
        LoadWorld.period(signed: day) {
            ($0.facts.isUpgraded, $0.sale.statesUpgrade, $0.isSeenIndirectly) = (isUpgraded, states, byAnother)
        }
    }

    @Test(arguments: [true, false])
    func `B7: what another answer states of a replaced purchase outlasts its own guess`(isUpgraded: Bool) async throws {
        try await LoadWorld.with { world in
            try await world.night(1, Self.rows(!isUpgraded, states: false, signed: 1))
            var rows = Self.rows(isUpgraded, states: true, signed: 2, byAnother: true)
            rows.links = [LineageLink(key: Self.later, earlier: LoadWorld.key)]
            try await world.night(2, rows)
            let reported = try await world.connection.lines("select is_upgraded from subledger.transactions")
            #expect(reported == ["\(isUpgraded)"])
            #expect(try await world.night(3, Self.rows(!isUpgraded, states: false, signed: 3)) == 0)
            let stored = try await world.connection.lines("select is_upgraded from subledger.transactions")
            #expect(stored == reported)
        }
    }

    /// The app hands in the later purchase months afterwards, or never.
    @Test func `B7: its own answer counts while its replacement is unknown`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, Self.rows(false, states: true, signed: 1))
            try await world.night(2, Self.rows(true, states: false, signed: 2))
            let guessed = try await world.connection.lines("select is_upgraded from subledger.transactions")
            #expect(guessed == ["true"])
        }
    }
}
