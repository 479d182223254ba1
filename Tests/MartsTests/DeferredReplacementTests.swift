// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport
import Testing

@testable import ReportSupport

/// Google Play's deferred change of plan: from the 10th of March on a new purchase stands on the order of the old one,
/// which is told as replaced on that day.
///
/// Its own first order is charged on the 1st of April. Reckoned by hand.
@Suite struct DeferredReplacementTests {
    private static let silver = Sale(
        id: "S1", product: "silver", from: "2026-03-01 00:00Z", to: "2026-04-01 00:00Z", price: 5_000_000,
        isUpgraded: true, store: "google_play")
    private static let gold = Sale(
        key: 2, id: "G1", product: "gold", kind: "upgrade", from: "2026-04-01 00:00Z", to: "2026-05-01 00:00Z",
        price: 9_000_000, store: "google_play", lineage: 1)

    /// Nights about the 1st and the 10th of March, and about the 1st of April.
    private static func history(_ body: (ReportWorld) async throws -> Void) async throws {
        try await ReportWorld.with { world in
            for (seal, day) in [(1, "2026-03-01"), (2, "2026-03-10"), (3, "2026-04-01")] {
                try await world.night(Int64(seal), for: day)
            }
            try await world.charged(silver)
            try await world.became(
                "active", at: "2026-03-01 00:00Z", recorded: "2026-03-02 02:00Z", expires: silver.to, autoRenew: true)
            try await world.became(
                "expired", at: "2026-03-10 09:00Z", recorded: "2026-03-11 02:00Z", reason: "replaced",
                expires: "2026-03-10 09:00Z", seal: 2)
            try await world.became(
                "active", key: 2, at: "2026-03-11 02:00Z", expires: silver.to, autoRenew: true, seal: 2)
            try await world.connection.script("insert into subledger.lineage_links values (2, 1, 2)")
            try await body(world)
        }
    }

    @Test func `B7: the customer stays active from the change to the renewal, under the old product`() async throws {
        try await Self.history { world in
            for day in ["2026-03-09", "2026-03-10", "2026-03-31"] {
                let counted = try await world.subscribers(on: day, seal: 2)
                #expect(counted == ["silver: active 1"], "\(day)")
            }
            // Past the end without a word: unread, and no churn.
            #expect(try await world.subscribers(on: "2026-04-01", seal: 2) == ["silver: active 1, unread 1"])
            #expect(try await world.ends(seal: 2).isEmpty)
        }
    }

    @Test
    func `B7: the renewal is the change of plan: what was paid moves over, and 4.00 are the expansion`() async throws {
        try await Self.history { world in
            try await world.charged(Self.gold, seal: 3)
            try await world.became(
                "active", key: 2, at: "2026-04-01 00:00Z", recorded: "2026-04-02 02:00Z", expires: Self.gold.to,
                autoRenew: true, seal: 3)
            #expect(
                try await world.bridge(seal: 3) == [
                    "2026-03-01 silver USD: 0.000000, new 5.000000 = 5.000000",
                    "2026-04-01 gold USD: 0.000000, moved_in 5.000000, expansion 4.000000 = 9.000000",
                    "2026-04-01 silver USD: 5.000000, moved_out -5.000000 = 0.000000",
                ])
            #expect(try await world.subscribers(on: "2026-04-01", seal: 3) == ["gold: active 1"])
            #expect(try await world.failedChecks(seal: 3).isEmpty)
        }
    }

    /// No night looked before the 5th of April: the old purchase is told as replaced on the 10th of March, its order as not cut
    /// short, and the new one runs on an order of its own.
    @Test func `B7: what went on is one line, also where it is seen only after the renewal`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-05")
            var silver = Self.silver
            silver.isUpgraded = false
            try await world.charged(silver)
            try await world.charged(Self.gold)
            try await world.became(
                "expired", at: "2026-03-10 09:00Z", recorded: "2026-04-06 02:00Z", reason: "replaced",
                expires: "2026-03-10 09:00Z")
            try await world.became(
                "active", key: 2, at: "2026-04-01 00:00Z", recorded: "2026-04-06 02:00Z", expires: Self.gold.to,
                autoRenew: true)
            try await world.connection.script("insert into subledger.lineage_links values (2, 1, 1)")
            #expect(try await world.subscribers(on: "2026-03-20") == ["silver: active 1"])
            #expect(
                try await world.bridge() == [
                    "2026-03-01 silver USD: 0.000000, new 5.000000 = 5.000000",
                    "2026-04-01 gold USD: 0.000000, moved_in 5.000000, expansion 4.000000 = 9.000000",
                    "2026-04-01 silver USD: 5.000000, moved_out -5.000000 = 0.000000",
                ])
            #expect(try await world.ends(seal: 1).isEmpty)
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `B7: who cancels in between left by himself, at the end of what was paid`() async throws {
        try await Self.history { world in
            try await world.became(
                "active", key: 2, at: "2026-03-20 00:00Z", recorded: "2026-04-02 02:00Z", expires: Self.silver.to,
                autoRenew: false, seal: 3)
            try await world.became(
                "expired", key: 2, at: "2026-04-01 00:00Z", recorded: "2026-04-02 02:00Z", reason: "voluntary",
                expires: Self.silver.to, autoRenew: false, seal: 3)
            #expect(
                try await world.ends(seal: 3) == [
                    "2026-04-01 silver: opening 1, voluntary 1, rate 1.000000"
                ])
            #expect(try await world.subscribers(on: "2026-03-20", seal: 3) == ["silver: active 1, set_to_cancel 1"])
            #expect(try await world.subscribers(on: "2026-03-19", seal: 3) == ["silver: active 1"])
        }
    }

    /// On the 10th a product for 2.00 is added: the store makes a new purchase of both, whose first order is that
    /// product's.
    ///
    /// The renewal is one order of both, 7.00.
    @Test
    func `B7: what was retained in a new purchase beside an added product stays what the customer pays for`()
        async throws
    {
        try await Self.history { world in
            var extra = Sale(
                key: 2, id: "X1", product: "extra", from: "2026-03-10 09:00Z", to: "2026-04-01 00:00Z",
                price: 2_000_000, store: "google_play", lineage: 1)
            try await world.charged(extra, seal: 2)
            #expect(try await world.subscribers(on: "2026-03-31", seal: 2) == ["silver: active 1"])
            (extra.id, extra.kind, extra.from, extra.to) = (
                "X1..0", "renewal", "2026-04-01 00:00Z", "2026-05-01 00:00Z"
            )
            var silver = extra
            (silver.product, silver.price) = ("silver", 5_000_000)
            for sale in [extra, silver] { try await world.charged(sale, seal: 3) }
            try await world.became(
                "active", key: 2, at: "2026-04-01 00:00Z", recorded: "2026-04-02 02:00Z", expires: extra.to,
                autoRenew: true, seal: 3)
            #expect(
                try await world.bridge(seal: 3) == [
                    "2026-03-01 silver USD: 0.000000, new 5.000000 = 5.000000",
                    "2026-04-01 silver USD: 5.000000, expansion 2.000000 = 7.000000",
                ])
            #expect(try await world.failedChecks(seal: 3).isEmpty)
        }
    }

    /// What a night touches is told with its whole line, also where the new purchase has no order yet.
    @Test func `C4: a change of the new purchase alone reaches the line of the old one`() async throws {
        try await Self.history { world in
            try await world.became("active", key: 2, at: "2026-04-01 00:00Z", expires: Self.silver.to, seal: 3)
            try await world.rememberChecks(2, fullProofOn: "2026-03-31")
            let part = try await world.nextPart(seal: 3, "2026-04-02")
            #expect(part.lineages == [1, 2])
        }
    }
}
