// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreSimulator

/// What the app's backend hands in, and the configuration that goes with the store.
@Suite struct RegistrationTests {
    private static let life = Paper.life(
        Paper.january().with { $0.ending = .expires(.voluntary) },
        Paper.period(2, "2026-03-01T09:00:00Z", "2026-04-01T09:00:00Z", reason: .purchase),
        Paper.period(3, "2026-04-01T09:00:00Z", "2026-05-01T09:00:00Z").with {
            $0.upgradedAt = instant("2026-04-11T09:00:00Z")
        },
        Paper.period(
            4, "2026-04-11T09:00:00Z", "2026-05-11T09:00:00Z", product: Paper.premium, price: 19_990,
            reason: .purchase))

    @Test func `first purchases and repurchases are handed in, and nothing else`() async throws {
        let hidden = Paper.life(Paper.january(8), group: "21000002").with { $0.isRegistered = false }
        try await withStores(Paper.customers(Self.life, hidden), clock: "2026-05-05T00:00:00Z") { stores, _ in
            let all = stores.registrations(since: .min, until: .max)
            #expect(all.map(\.storeKey) == ["100000000000001", "100000000000001"])
            #expect(all.map(\.expiresAt) == [instant("2026-02-01T10:00:00Z"), instant("2026-04-01T09:00:00Z")])
            #expect(all.allSatisfy { $0.receipt == nil && $0.accountID == "account-1" && $0.appID == "acme-ios" })
            let bought = instant("2026-03-01T09:00:00Z")
            #expect(stores.registrations(since: bought, until: .max).isEmpty)
            #expect(stores.registrations(since: bought - 1, until: bought).count == 1)
        }
    }

    /// A backend that begins on 20 February with the id of the newest renewal: it stands for the original one.
    @Test func `a later id is handed in once and stands for the original`() async throws {
        let handedIn = instant("2026-02-20T12:00:00Z")
        let life = Paper.life(Paper.january(), Paper.february()).with { $0.lateHandIn = .init(at: handedIn, 1) }
        let (original, later) = ("100000000000001", "100000000000002")
        try await withStores(Paper.customers(life), clock: "2026-02-21T00:00:00Z") { stores, client in
            let all = stores.registrations(since: .min, until: .max)
            #expect(all.map(\.storeKey) == [later] && all.map(\.expiresAt) == [instant("2026-03-01T10:00:00Z")])
            #expect(stores.registrations(since: .min, until: handedIn - 1).isEmpty)
            #expect(stores.books.aliases.isEmpty)
            let statuses = try await client.statuses(later).statusByID
            #expect(statuses == [original: 1])
            #expect(
                stores.books.aliases
                    == [BookedAlias(appID: "acme-ios", storeKey: later, originalTransactionID: original)])
            #expect(stores.books.subscriptions(.disclosed).map(\.originalTransactionID) == [original])
            let history = try await client.history(later).transactionIDs
            #expect(history == [original, later])
        }
    }

    @Test func `registrations come in the shape of an import`() async throws {
        try await withStores(Paper.customers(Self.life), clock: "2026-02-05T00:00:00Z") { stores, _ in
            let bought = stores.registrations(since: .min, until: instant("2026-02-01T00:00:00Z"))
            let lines = try SimulatedStores.jsonLines(bought)
            #expect(
                lines
                    == #"{"account_id":"account-1","app_id":"acme-ios","environment":"production","#
                    + #""expires_at":"2026-02-01T10:00:00Z","product_id":"com.acme.app.monthly","#
                    + #""store_key":"100000000000001"}"# + "\n")
        }
    }

    @Test func `the controls move the clock from outside`() async throws {
        try await withStores(Paper.customers(Self.life), clock: "2026-01-05T00:00:00Z") { stores, client in
            let moved = try await client.post("/sim/clock", "{\"micros\":\(instant("2026-02-03T00:00:00Z"))}")
            #expect(moved.status == 204)
            #expect(stores.books.states(.happened) == ["expired voluntary"])
            let since = instant("2026-01-01T00:00:00Z")
            let listed = try await client.get("/sim/registrations?since=\(since)&until=\(since + CivilTime.day)")
            #expect(listed.status == 200)
            let bought = stores.registrations(since: since, until: since + CivilTime.day)
            #expect(bought.count == 1)
            #expect(try String(decoding: listed.body, as: UTF8.self) == SimulatedStores.jsonLines(bought))
            #expect(try await client.get("/sim/registrations?since=x").status == 400)
        }
    }
}

extension SubscriptionLife {
    fileprivate func with(_ change: (inout SubscriptionLife) -> Void) -> SubscriptionLife {
        var copy = self
        change(&copy)
        return copy
    }
}
