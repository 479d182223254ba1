// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import StoreSimulator

/// The seeded customers of Google Play, and a reader that asks for everything every night.
@Suite struct PlayPopulationTests {
    private static let v2 = SimulatedApp.play(id: "acme-android", packageName: "com.acme.app")
    private static let v1 = SimulatedApp.play(id: "acme-old", packageName: "com.acme.old", api: .v1)
    private static let firstNight = instant("2026-01-05T02:15:00Z")
    private static let span = LifeSpan(firstNight: firstNight, horizon: firstNight + 75 * CivilTime.day)

    private static func lives(_ count: Int, seed: UInt64 = 1) -> [PlayCustomer] {
        PlayPopulation.lives(seed: seed, customersPerApp: count, apps: [v2, v1], span: span)
    }

    @Test func `two hundred customers contain every step`() {
        let lives = Self.lives(200).filter { $0.appID == Self.v2.id }
        let missing = Set(PlayStep.allCases).subtracting(lives.flatMap(\.steps))
        #expect(lives.count == 200)
        #expect(missing.isEmpty, "never written: \(missing)")
        let tokens = lives.flatMap(\.tokens)
        #expect(tokens.count(where: \.isOneTime) == 25)
        let share = Double(tokens.count { !$0.isRegistered }) / Double(tokens.count)
        #expect((0.01...0.08).contains(share), "\(share) were not handed in")
        #expect(Set(lives.map(\.market)).count == Market.ofPlay.count)
    }

    @Test func `the old interface's customers live only what it can tell`() {
        let lives = Self.lives(200).filter { $0.appID == Self.v1.id }
        #expect(lives.count == 200)
        #expect(lives.flatMap(\.steps).allSatisfy { $0.isKnownToV1 })
        #expect(lives.flatMap(\.tokens).allSatisfy { $0.isRegistered && $0.startedAt % 1_000 == 0 })
    }

    @Test func `the same seed gives the same lives`() {
        #expect(Self.lives(60) == Self.lives(60))
        #expect(Self.lives(60) != Self.lives(60, seed: 2))
    }

    /// Whatever was written, the store can tell it: names are unique, moments and orders stand in their order, and
    /// nothing is given back that was not paid.
    @Test(arguments: [1, 2, 3] as [UInt64]) func `every life is sound`(seed: UInt64) {
        let tokens = Self.lives(400, seed: seed).flatMap(\.tokens)
        let orders = tokens.flatMap(\.orders)
        #expect(Set(tokens.map(\.token)).count == tokens.count)
        #expect(Set(orders.map(\.id)).count == orders.count)
        for token in tokens {
            #expect(token.orders.count <= 120)
            #expect(token.moments.map(\.at) == token.moments.map(\.at).sorted(), "\(token)")
            #expect(token.moments.first?.at == token.startedAt)
            #expect(token.orders.allSatisfy { $0.baseID == token.orders[0].id })
            let settled = token.orders.compactMap(\.processedAt)
            #expect(settled == settled.sorted(), "\(token)")
        }
        for order in orders {
            #expect(order.refunds.map(\.micros).reduce(0, +) <= order.totalMicros)
            #expect(order.refunds.allSatisfy { $0.micros > 0 && $0.requestedAt <= $0.processedAt })
            #expect(order.processedAt.map { $0 >= order.createdAt } ?? true)
            #expect(order.isOneTime ? order.serviceEnd == order.serviceStart : order.serviceEnd > order.serviceStart)
            #expect(order.couponMicros <= order.lines[0].listMicros)
        }
    }

    /// Who asks for everything every night knows in the end what happened: both columns of the books agree.
    @Test(arguments: [1, 2] as [UInt64]) func `a reader of everything knows what happened`(seed: UInt64) throws {
        let backend = PlayBackend(apps: [Self.v2, Self.v1], customers: Self.lives(120, seed: seed))
        var known: Set<String> = []
        for night in 0..<90 {
            let now = Self.firstNight + Int64(night) * CivilTime.day
            known.formUnion(backend.registrations(since: .min, until: now).map(\.storeKey))
            try Self.read(backend, &known, at: now)
        }
        let now = Self.firstNight + 89 * CivilTime.day
        let books = Books(
            customers: [], apps: [:], now: now, disclosed: Disclosures(), play: backend.books(at: now))
        Self.expectSame(books.transactions(.disclosed), books.transactions(.happened))
        Self.expectSame(books.subscriptions(.disclosed), books.subscriptions(.happened))
        let date = CivilTime.date(ofDay: CivilTime.dayNumber(of: books.now) - 1)
        Self.expectSame(books.revenue(.disclosed, through: date), books.revenue(.happened, through: date))
        Self.expectSame(books.churn(.disclosed, through: date), books.churn(.happened, through: date))
        #expect(books.transactions(.happened).count > 400)
        #expect(Set(books.subscriptions(.happened).map(\.state)).isSuperset(of: [.active, .expired, .revoked]))
    }

    /// Says the first differences, not hundreds of rows.
    private static func expectSame<Row: Hashable>(_ disclosed: [Row], _ happened: [Row]) {
        let missing = Array(Set(happened).subtracting(disclosed).prefix(2))
        let surplus = Array(Set(disclosed).subtracting(happened).prefix(2))
        #expect(missing.isEmpty && surplus.isEmpty && !happened.isEmpty)
    }

    /// One night: every purchase, the purchases they name, and every order the store has of them.
    private static func read(_ backend: PlayBackend, _ known: inout Set<String>, at now: Int64) throws {
        for app in backend.apps {
            let mine = backend.customers.filter { $0.appID == app.id }.flatMap(\.tokens)
            for token in mine.reversed() where known.contains(token.token) {
                if app.play?.api == .v2 {
                    _ = try backend.subscriptionV2(token.token, app, at: now, isReported: true)
                } else {
                    let product = (token.moment(at: now)?.mainItem?.product ?? .monthly).identifier(in: app.bundleID)
                    _ = try backend.subscriptionV1(token.token, product: product, app, at: now, isReported: true)
                }
                if let linked = token.linkedToken { known.insert(linked) }
                for order in token.orders { _ = try backend.order(order.id, app, at: now, isReported: true) }
            }
        }
    }
}
