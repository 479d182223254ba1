// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ReportSupport

/// Each check of the subscriber figures finds the one row that was broken by hand.
@Suite struct SubscriberCheckTests {
    /// Two products and a change of price, all in order.
    private func history(_ world: ReportWorld) async throws {
        try await world.night(1, for: "2026-02-20")
        try await world.charged(Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z"))
        try await world.charged(
            Sale(id: "t2", kind: "renewal", from: "2026-02-05 12:00Z", to: "2026-03-05 12:00Z", price: 12_990_000))
        try await world.charged(
            Sale(key: 2, product: "yearly", from: "2026-01-10 12:00Z", to: "2027-01-10 12:00Z", price: 59_990_000))
        #expect(try await world.failedChecks().isEmpty)
    }

    @Test(arguments: [
        // A movement that stands in no bucket, or in two.
        ("update book set expansion = 0 where date = '2026-02-05'", ["mrr_bridge_closes"]),
        ("update book set new = 2 * new where date = '2026-01-10'", ["mrr_bridge_closes"]),
        // A day that opens with something else than the day before closed with.
        (
            "update book set opening = opening + 1, contraction = -1 where date = '2026-01-20'",
            ["mrr_openings_join"]
        ),
        // A closing that no paid period stands for.
        (
            "update book set closing = closing + 1, new = new + 1 where date = '2026-01-12'",
            ["mrr_equals_paid_periods", "mrr_openings_join"]
        ),
        // A day that is missing.
        ("delete from book where date = '2026-01-12'", ["mrr_openings_join"]),
        // The last day of a product: there is no next one to open with it.
        (
            "delete from book where date = '2026-02-20' and product_id = 'yearly'",
            ["mrr_openings_join", "mrr_products_add_up"]
        ),
    ])
    func `a bridge that was tampered with is found`(statement: String, failed: [String]) async throws {
        try await ReportWorld.with { world in
            try await history(world)
            #expect(try await world.failedChecks(spoiledBy: world.spoiling("mrr_bridge", statement)) == failed)
        }
    }

    @Test func `subscribers that do not join up are found`() async throws {
        try await ReportWorld.with { world in
            try await history(world)
            let spoil = world.spoiling("subscribers", "update book set active = active + 1 where date = '2026-01-15'")
            #expect(try await world.failedChecks(spoiledBy: spoil) == ["subscribers_close"])
        }
    }

    @Test func `a row that is left out in silence is found`() async throws {
        try await ReportWorld.with { world in
            try await history(world)
            try await world.sold(
                Sale(key: 9, kind: "trial", from: "2026-01-12 12:00Z", to: "2026-01-20 12:00Z", price: 0))
            #expect(try await world.failedChecks().isEmpty)
            let spoil = world.spoiling("exclusions", "delete from book")
            #expect(try await world.failedChecks(spoiledBy: spoil) == ["every_row_is_counted"])
        }
    }
}
