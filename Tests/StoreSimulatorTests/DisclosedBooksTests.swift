// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreSimulator

/// The column of what was disclosed: exactly what the answers said, and nothing else; and what the store never tells.
@Suite struct DisclosedBooksTests {
    private static let first = "100000000000001"
    private static let cancelled = Paper.life(Paper.january().with { $0.ending = .expires(.voluntary) })

    private static func back(after old: Period) -> SubscriptionLife {
        Paper.life(old, Paper.period(2, "2026-04-20T09:00:00Z", "2026-05-20T09:00:00Z", reason: .purchase))
    }

    @Test func `what nobody asked for is not disclosed`() async throws {
        try await withStores(Paper.customers(Self.cancelled), clock: "2026-01-05T00:00:00Z") { stores, client in
            #expect(stores.books.told.isEmpty && stores.books.happened.count == 1)
            _ = try await client.statuses(Self.first)
            stores.setClock(instant("2026-02-03T00:00:00Z"))
            #expect(stores.books.states(.disclosed) == ["active"])
            #expect(stores.books.states(.happened) == ["expired voluntary"])
            // Past the expiry, but nobody was told of an end: still active.
            #expect(
                stores.books.churned(.disclosed, from: "2026-02-01", through: "2026-02-02")
                    == Books.quiet("02-01", "02-02"))
            _ = try await client.statuses(Self.first)
            #expect(
                stores.books.churned(.disclosed, from: "2026-02-01", through: "2026-02-02")
                    == ["2026-02-01 monthly opening 1 churned 1 voluntary 1"])
            #expect(stores.books.subscriptions(.disclosed) == stores.books.subscriptions(.happened))
        }
    }

    @Test func `another subscription of the customer stays unverified until asked itself`() async throws {
        let addon = Paper.life(
            Paper.period(7, "2026-01-03T10:00:00Z", "2026-02-03T10:00:00Z", product: "addon", reason: .purchase),
            group: "21000002")
        try await withStores(Paper.customers(Self.cancelled, addon), clock: "2026-01-05T00:00:00Z") { stores, client in
            _ = try await client.statuses(Self.first)
            #expect(stores.books.states(.disclosed) == ["active", "unverified"])
            #expect(stores.books.subscriptions(.disclosed).contains { $0.autoRenew == nil })
            #expect(stores.books.told.count == 2)
            _ = try await client.history("100000000000007")
            #expect(stores.books.states(.disclosed) == ["active", "unverified"])
            _ = try await client.statuses("100000000000007")
            #expect(stores.books.states(.disclosed) == ["active", "active"])
        }
    }

    /// Renewal information is about the newest period alone, and no row says why its period was the last.
    @Test func `why an earlier stretch ended is told only while it lasts`() async throws {
        let life = Self.back(after: Paper.january().with { $0.ending = .expires(.voluntary) })
        for asksMeanwhile in [false, true] {
            try await withStores(Paper.customers(life), clock: "2026-03-01T00:00:00Z") { stores, client in
                if asksMeanwhile { _ = try await client.statuses(Self.first) }
                stores.setClock(instant("2026-04-23T00:00:00Z"))
                try await client.wholeHistory(Self.first)
                _ = try await client.statuses(Self.first)
                let reason = asksMeanwhile ? "voluntary" : "other"
                for column in BookColumn.allCases {
                    #expect(
                        stores.books.churned(column, from: "2026-02-01", through: "2026-02-01")
                            == ["2026-02-01 monthly opening 1 churned 1 \(reason) 1"])
                }
                #expect(stores.books.told.map(\.kind) == [.purchase, .resubscribe])
            }
        }
    }

    /// The row of a refunded period says so for good, in the history and in receipts.
    @Test func `that an earlier stretch ended in a refund is told for good`() async throws {
        let refund = Refund(at: instant("2026-01-10T15:00:00Z"), extent: .full)
        let life = Self.back(after: Paper.january().with { $0.refund = refund })
        try await withStores(Paper.customers(life), clock: "2026-04-23T00:00:00Z") { stores, client in
            let end = ["2026-01-10 monthly opening 1 churned 1 refund 1"]
            #expect(stores.books.churned(from: "2026-01-10", through: "2026-01-12") == end)
            try await client.wholeHistory(Self.first)
            _ = try await client.statuses(Self.first)
            #expect(stores.books.churned(.disclosed, from: "2026-01-10", through: "2026-01-12") == end)
        }
    }

    @Test func `a grace that was told is remembered, and one that nobody saw is not`() async throws {
        let trouble = Ending.BillingTrouble(
            graceEndsAt: instant("2026-02-17T10:00:00Z"), outcome: .givenUp(at: instant("2026-04-02T10:00:00Z")))
        let life = Paper.life(Paper.january().with { $0.ending = .billing(trouble) })
        for (asksMeanwhile, day) in [(false, "2026-02-01"), (true, "2026-02-17")] {
            try await withStores(Paper.customers(life), clock: "2026-02-04T00:00:00Z") { stores, client in
                if asksMeanwhile { _ = try await client.statuses(Self.first) }
                stores.setClock(instant("2026-03-01T00:00:00Z"))
                _ = try await client.statuses(Self.first)
                let lapse = ["\(day) monthly opening 1 lapsed 1"]
                let loss = ["\(day) monthly opening 1 churned 1 involuntary 1"]
                #expect(stores.books.churned(.disclosed, from: day, through: "2026-02-28") == lapse)
                #expect(stores.books.churned(.happened, from: day, through: "2026-02-28") == lapse)
                stores.setClock(instant("2026-04-03T00:00:00Z"))
                _ = try await client.statuses(Self.first)
                #expect(stores.books.churned(.disclosed, from: day, through: "2026-04-02") == loss)
                #expect(stores.books.churned(.happened, from: day, through: "2026-04-02") == loss)
            }
        }
    }

    @Test func `who pays within a grace that was told never left`() async throws {
        let trouble = Ending.BillingTrouble(graceEndsAt: instant("2026-02-17T10:00:00Z"), outcome: .recovers)
        let paid = Paper.period(2, "2026-02-05T09:00:00Z", "2026-03-01T10:00:00Z")
        let life = Paper.life(Paper.january().with { $0.ending = .billing(trouble) }, paid)
        try await withStores(Paper.customers(life), clock: "2026-02-04T00:00:00Z") { stores, client in
            _ = try await client.statuses(Self.first)
            stores.setClock(instant("2026-02-08T00:00:00Z"))
            _ = try await client.statuses(Self.first)
            #expect(stores.books.told.map(\.kind) == [.purchase, .renewal])
            for column in BookColumn.allCases {
                #expect(
                    stores.books.churned(column, from: "2026-01-31", through: "2026-02-07")
                        == Books.quiet("01-31", "02-01", "02-02", "02-03", "02-04", "02-05", "02-06", "02-07"))
            }
        }
    }

    @Test func `a refund is revealed by the row alone`() async throws {
        let refund = Refund(at: instant("2026-01-10T15:00:00Z"), extent: .full)
        let life = Paper.life(Paper.january().with { $0.refund = refund })
        try await withStores(Paper.customers(life), clock: "2026-01-05T00:00:00Z") { stores, client in
            _ = try await client.statuses(Self.first)
            stores.setClock(instant("2026-01-12T00:00:00Z"))
            #expect(
                stores.books.sold(.disclosed, through: "2026-01-11")
                    == ["2026-01-01 US USD charges 1 7990000 refunds 0 0"])
            _ = try await client.history(Self.first)
            #expect(
                stores.books.sold(.disclosed, through: "2026-01-11").last
                    == "2026-01-10 US USD charges 0 0 refunds 1 7990000")
            #expect(stores.books.states(.disclosed) == ["active"])
            #expect(
                stores.books.churned(.disclosed, from: "2026-01-10", through: "2026-01-11")
                    == ["2026-01-10 monthly opening 1 churned 1 refund 1"])
        }
    }
}
