// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreSimulator

/// Refunds that the store tells otherwise later, worked out on paper: the period costs 7.99, and an answer is given on
/// 4 and on 12 February.
@Suite struct PaperRefundTests {
    private static let first = "100000000000001"
    private static let refundedAt = instant("2026-02-03T15:00:00Z")
    private static let sold = "2026-01-01 US USD charges 1 7990000 refunds 0 0"
    private static let renewed = "2026-02-01 US USD charges 1 7990000 refunds 0 0"

    /// January, refunded on 3 February while February runs, and told otherwise on the tenth.
    private static func life(_ extent: Refund.Extent, then changed: Refund?) -> SubscriptionLife {
        Paper.life(
            Paper.january().with {
                $0.refund = Refund(at: refundedAt, extent: extent)
                $0.refundChanges = [.init(at: instant("2026-02-10T15:00:00Z"), changed)]
            }, Paper.february())
    }

    /// What was told after both answers; at the last the other column says the same.
    private static func told(_ life: SubscriptionLife) async throws -> [String] {
        var rows: [String] = []
        try await withStores(Paper.customers(life), clock: "2026-02-04T00:00:00Z") { stores, client in
            try await client.wholeHistory(first)
            stores.setClock(instant("2026-02-12T00:00:00Z"))
            try await client.wholeHistory(first)
            rows = stores.books.sold(.disclosed, through: "2026-02-12")
            #expect(stores.books.sold(.happened, through: "2026-02-12") == rows)
        }
        return rows
    }

    /// The store never says when it took a refund back: the first answer without it is dated.
    @Test func `a reversed refund is taken back when it is first gone`() async throws {
        #expect(
            try await Self.told(Self.life(.full, then: nil))
                == [
                    Self.sold, Self.renewed, "2026-02-03 US USD charges 0 0 refunds 1 7990000",
                    "2026-02-12 US USD charges 0 0 refunds -1 -7990000",
                ])
    }

    /// 40 % of 7.99 is 3.196, in cents 3.20; it leaves the third and stands on the fifth.
    @Test func `a refund whose date moved leaves the old day`() async throws {
        let moved = Refund(at: instant("2026-02-05T09:00:00Z"), extent: .prorated(percentage: 40_000))
        #expect(
            try await Self.told(Self.life(.prorated(percentage: 40_000), then: moved))
                == [
                    Self.sold, Self.renewed, "2026-02-03 US USD charges 0 0 refunds 0 0",
                    "2026-02-05 US USD charges 0 0 refunds 1 3200000",
                ])
    }

    /// 65 % is 5.1935, in cents 5.19: 1.99 more, dated like the first part.
    @Test func `a larger share is a further refund`() async throws {
        let more = Refund(at: Self.refundedAt, extent: .prorated(percentage: 65_000))
        #expect(
            try await Self.told(Self.life(.prorated(percentage: 40_000), then: more))
                == [Self.sold, Self.renewed, "2026-02-03 US USD charges 0 0 refunds 2 5190000"])
    }

    /// 15.015 % is 1.1996985, in cents 1.20: of 3.20 the difference of 2.00 is taken back, not the refund itself.
    @Test func `a smaller share takes the difference back`() async throws {
        let less = Refund(at: Self.refundedAt, extent: .prorated(percentage: 15_015))
        #expect(
            try await Self.told(Self.life(.prorated(percentage: 40_000), then: less))
                == [
                    Self.sold, Self.renewed, "2026-02-03 US USD charges 0 0 refunds 1 3200000",
                    "2026-02-12 US USD charges 0 0 refunds 0 -2000000",
                ])
    }

    /// Who asks only afterwards learns of no refund at all.
    @Test func `a refund that was gone before anybody asked was never`() {
        let books = Paper.books(Self.life(.full, then: nil), at: "2026-02-20T00:00:00Z")
        #expect(books.sold(through: "2026-02-19") == [Self.sold, Self.renewed])
        #expect(books.happened.allSatisfy { $0.refundedAt == nil })
    }

    /// Refunded on 10 January, given back on the twentieth: revoked in between, and renewed as if nothing had been.
    @Test func `access comes back with the reversal`() async throws {
        let life = Paper.life(
            Paper.january().with {
                $0.refund = Refund(at: instant("2026-01-10T15:00:00Z"), extent: .full)
                $0.refundChanges = [.init(at: instant("2026-01-20T15:00:00Z"), nil)]
            }, Paper.february())
        try await withStores(Paper.customers(life), clock: "2026-01-12T00:00:00Z") { stores, client in
            #expect(try await client.statuses(Self.first).statusByID == [Self.first: 5])
            #expect(stores.books.states(.disclosed) == ["revoked refund"])
            stores.setClock(instant("2026-01-21T00:00:00Z"))
            #expect(try await client.statuses(Self.first).statusByID == [Self.first: 1])
            #expect(stores.books.states(.disclosed) == ["active"])
            let handedIn = stores.registrations(since: instant("2026-01-02T00:00:00Z"), until: .max)
            #expect(handedIn.count == 1)
            stores.setClock(instant("2026-02-02T00:00:00Z"))
            try await client.wholeHistory(Self.first)
            #expect(stores.books.told.map(\.kind) == [.purchase, .renewal])
            #expect(
                stores.books.churned(.disclosed, from: "2026-01-10", through: "2026-01-11")
                    == Books.quiet("01-10", "01-11"))
        }
    }
}
