// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport
import Testing

@testable import ReportSupport

/// What a purchase without an order of its own says of the order it stands on, word by word: silver for 5.00 in March,
/// and from the 10th on a new purchase that is to take its place on the 1st of April.
///
/// Reckoned by hand.
@Suite struct CarriedOrderTests {
    private static let silver = Sale(
        id: "S1", product: "silver", from: "2026-03-01 00:00Z", to: "2026-04-01 00:00Z", price: 5_000_000,
        store: "google_play")
    private static let gold = Sale(
        key: 2, id: "G1", product: "gold", kind: "upgrade", from: "2026-04-01 00:00Z", to: "2026-05-01 00:00Z",
        price: 9_000_000, store: "google_play", lineage: 1)

    /// Nights about the 1st and 10th of March, the 1st of April and of June.
    ///
    /// The first one read the old purchase.
    private static func history(
        _ old: Sale = silver, state: String = "active", _ body: (ReportWorld) async throws -> Void
    ) async throws {
        try await ReportWorld.with { world in
            for (seal, day) in [(1, "2026-03-01"), (2, "2026-03-10"), (3, "2026-04-01"), (4, "2026-06-01")] {
                try await world.night(Int64(seal), for: day)
            }
            if old.price == 0 { try await world.sold(old) } else { try await world.charged(old) }
            try await world.became(
                state, at: "2026-03-01 00:00Z", recorded: "2026-03-02 02:00Z", expires: old.to, autoRenew: true)
            try await world.connection.script("insert into subledger.lineage_links values (2, 1, 2)")
            try await body(world)
        }
    }

    /// Told on the 10th of March as replaced, and the new one as running.
    private static func replaced(_ world: ReportWorld, state: String = "active", expires: String? = silver.to)
        async throws
    {
        try await world.became(
            "expired", at: "2026-03-10 09:00Z", recorded: "2026-03-11 02:00Z", reason: "replaced",
            expires: "2026-03-10 09:00Z", seal: 2)
        try await world.became(state, key: 2, at: "2026-03-11 02:00Z", expires: expires, autoRenew: true, seal: 2)
    }

    /// On the 5th he switched the renewal off, on the 10th he chose gold for the time after it.
    @Test func `B7: what the new purchase says comes after all that was said of the old one`() async throws {
        try await Self.history { world in
            try await world.became(
                "active", at: "2026-03-05 12:00Z", recorded: "2026-03-11 02:00Z", expires: Self.silver.to,
                autoRenew: false, seal: 2)
            try await Self.replaced(world)
            #expect(try await world.subscribers(on: "2026-03-09", seal: 2) == ["silver: active 1, set_to_cancel 1"])
            for day in ["2026-03-04", "2026-03-10", "2026-03-31"] {
                #expect(try await world.subscribers(on: day, seal: 2) == ["silver: active 1"], "\(day)")
            }
            #expect(try await world.failedChecks(seal: 2).isEmpty)
        }
    }

    /// Its first payment is awaited from the 8th to the 10th: until then nothing has changed for the old one.
    @Test func `B7: a new purchase that is not paid for yet says nothing of the old one's order`() async throws {
        try await Self.history { world in
            try await world.became(
                "active", at: "2026-03-05 12:00Z", recorded: "2026-03-06 02:00Z", expires: Self.silver.to,
                autoRenew: false, seal: 2)
            try await world.became("pending", key: 2, at: "2026-03-08 02:00Z", seal: 2)
            try await world.became(
                "active", key: 2, at: "2026-03-10 02:00Z", expires: Self.silver.to, autoRenew: true, seal: 2)
            for day in ["2026-03-07", "2026-03-08", "2026-03-09"] {
                let counted = try await world.subscribers(on: day, seal: 2)
                #expect(counted == ["silver: active 1, set_to_cancel 1"], "\(day)")
            }
            #expect(try await world.subscribers(on: "2026-03-10", seal: 2) == ["silver: active 1"])
            #expect(try await world.failedChecks(seal: 2).isEmpty)
        }
    }

    /// Gold from the 1st of April; May's payment failed, and was made on the 20th.
    @Test
    func `B7: what is said after its first own order is of its own orders; the old one stays ended`() async throws {
        try await Self.history { world in
            try await Self.replaced(world)
            try await world.charged(Self.gold, seal: 3)
            try await world.became(
                "active", key: 2, at: "2026-04-01 00:00Z", recorded: "2026-04-02 02:00Z", expires: Self.gold.to,
                autoRenew: true, seal: 3)
            try await world.became(
                "billing_retry", key: 2, at: "2026-05-01 00:00Z", recorded: "2026-05-02 02:00Z",
                expires: Self.gold.to, autoRenew: true, seal: 4)
            var late = Self.gold
            (late.id, late.kind, late.from, late.to) = ("G1..0", "renewal", "2026-05-20 00:00Z", "2026-06-20 00:00Z")
            try await world.charged(late, seal: 4)
            try await world.became(
                "active", key: 2, at: "2026-05-20 00:00Z", recorded: "2026-05-21 02:00Z", expires: late.to,
                autoRenew: true, seal: 4)
            #expect(
                try await world.bridge(seal: 4) == [
                    "2026-03-01 silver USD: 0.000000, new 5.000000 = 5.000000",
                    "2026-04-01 gold USD: 0.000000, moved_in 5.000000, expansion 4.000000 = 9.000000",
                    "2026-04-01 silver USD: 5.000000, moved_out -5.000000 = 0.000000",
                    "2026-05-01 gold USD: 9.000000, lapsed -9.000000 = 0.000000",
                    "2026-05-20 gold USD: 0.000000, recovery 9.000000 = 9.000000",
                ])
            #expect(try await world.subscribers(on: "2026-05-10", seal: 4) == ["gold: billing_retry 1"])
            #expect(try await world.failedChecks(seal: 4).isEmpty)
        }
    }

    /// An upgrade at once: its own order, for the time to the 25th, is not known yet.
    @Test
    func `B7: a purchase that runs to another day rests on no old order: that ended, and no customer left`()
        async throws
    {
        var cut = Self.silver
        cut.isUpgraded = true
        try await Self.history(cut) { world in
            try await Self.replaced(world, expires: "2026-03-25 00:00Z")
            for seal in [2, 3] as [Int64] {
                #expect(
                    try await world.bridge(seal: seal) == [
                        "2026-03-01 silver USD: 0.000000, new 5.000000 = 5.000000",
                        "2026-03-10 silver USD: 5.000000, moved_out -5.000000 = 0.000000",
                    ])
            }
            #expect(try await world.subscribers(on: "2026-03-09", seal: 2) == ["silver: active 1"])
            #expect(try await world.subscribers(on: "2026-03-10", seal: 2).isEmpty)
            #expect(try await world.ends(seal: 2).isEmpty)
            #expect(try await world.failedChecks(seal: 2).isEmpty)
        }
    }

    @Test
    func `B7: a trial another purchase goes on with is open until the store reported what became of it`() async throws {
        var free = Self.silver
        (free.kind, free.price, free.offerType) = ("trial", 0, "introductory")
        try await Self.history(free, state: "trial") { world in
            try await Self.replaced(world, state: "trial")
            #expect(try await world.subscribers(on: "2026-03-20", seal: 2) == ["silver: trial 1"])
            // Also on the day after its end, of which nothing is known.
            for seal in [2, 3] as [Int64] {
                #expect(
                    try await world.reported(
                        """
                        select cohort_date, product_id, started, converted, refunded, pending, ended
                        from trials
                        """, seal: seal, through: "2026-12-31") == ["2026-03-01|silver|1|0|0|1|0"])
            }
            #expect(try await world.failedChecks(seal: 3).isEmpty)
        }
    }
}
