// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Postgres
import TestSupport
import Testing

/// What caused a row of the books stays; what only said again what was known is no evidence.
@Suite struct ArchiveTests {
    /// A night's answers by their hashes, beside rows that cite the first of them.
    private static func rows(_ hashes: [String], _ change: (inout ChunkRows) -> Void = { _ in }) -> ChunkRows {
        var rows = ChunkRows()
        rows.answers = hashes.map {
            ArchivedAnswer(
                key: LoadWorld.key, appID: LoadWorld.app, endpoint: "statuses", contentHash: $0, body: "{}",
                chains: [:])
        }
        change(&rows)
        return rows
    }

    private static func kept(_ world: LoadWorld) async throws -> [String] {
        try await world.connection.lines(
            "select content_hash, is_evidence from subledger.store_answers order by content_hash")
    }

    @Test func anAnswerThatCausedAStateChangeIsEvidenceWithAllItsDocuments() async throws {
        try await LoadWorld.with { world in
            let active = SubscriptionSnapshot(
                state: .active, autoRenew: true, expiresAt: LoadWorld.march + .days(31),
                lastCheckedAt: LoadWorld.march + .days(1))
            func state(_ hash: String, also other: String, _ snapshot: SubscriptionSnapshot, day: Int64) -> ChunkRows {
                Self.rows([hash, other]) { rows in
                    rows.subscriptions = [
                        SubscriptionRow(
                            key: LoadWorld.key, environment: .production, snapshot: snapshot,
                            nextCheck: NextCheck(at: nil, reason: .never), historyCursor: nil,
                            sourceVersion: LoadWorld.march + .days(day), occurredAt: LoadWorld.march + .days(day),
                            answerHash: hash)
                    ]
                }
            }
            try await world.night(1, state("s1", also: "s1-history", active, day: 1))
            try await world.night(2, state("s2", also: "s2-history", active, day: 2))
            let kept = try await Self.kept(world)
            #expect(Set(kept) == ["s1|true", "s1-history|true", "s2|false", "s2-history|false"])
        }
    }
}
