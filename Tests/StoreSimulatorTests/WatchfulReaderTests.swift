// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreSimulator

/// Somebody who asks about everybody every night learns everything that happened.
@Suite struct WatchfulReaderTests {
    private static let nights: Int64 = 60
    private static let firstNight = instant("2026-01-05T02:15:00Z")

    @Test func `who asks every night learns everything`() async throws {
        let customers = AppStorePopulation.lives(
            seed: 11, customersPerApp: 40, apps: [Paper.app],
            span: LifeSpan(firstNight: Self.firstNight, horizon: Self.firstNight + 75 * CivilTime.day))
        try await withStores(customers, clock: "2026-01-04T02:15:00Z") { stores, client in
            for life in customers.flatMap(\.subscriptions) where life.status(at: Self.firstNight) != nil {
                try await client.wholeHistory(life.originalTransactionID)
            }
            for night in 0..<Self.nights {
                stores.setClock(Self.firstNight + night * CivilTime.day)
                try await Self.ask(about: stores.books.subscriptions(.happened), client)
                if night % 20 == 19 { Self.expectTheSame(stores, night) }
            }
            Self.expectNoReasonIsLeftOut(stores, customers)
        }
    }

    private static func ask(about known: [BookedSubscription], _ client: StoreClient) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for subscription in known {
                group.addTask {
                    _ = try await client.statuses(subscription.originalTransactionID)
                    _ = try await client.wholeHistory(subscription.originalTransactionID)
                }
            }
            try await group.waitForAll()
        }
    }

    private static func expectTheSame(_ stores: SimulatedStores, _ night: Int64) {
        let books = stores.books
        let date = CivilTime.date(ofDay: CivilTime.dayNumber(of: firstNight) + night - 1)
        expectSame(books.transactions(.disclosed), books.transactions(.happened))
        expectSame(books.subscriptions(.disclosed), books.subscriptions(.happened))
        expectSame(books.sold(.disclosed, through: date), books.sold(.happened, through: date))
        expectSame(books.churned(.disclosed, through: date), books.churned(.happened, through: date))
        #expect(books.churned(.happened, through: date).contains { $0.contains("churned") })
    }

    /// Says only what differs, of thousands.
    private static func expectSame<Row: Hashable>(
        _ told: [Row], _ happened: [Row], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(Set(told).symmetricDifference(happened).isEmpty, sourceLocation: sourceLocation)
        #expect(!told.isEmpty && told.count == happened.count, sourceLocation: sourceLocation)
    }

    /// Counted from the lives alone: those that ended while somebody read, and for no reason the store would give.
    private static func expectNoReasonIsLeftOut(_ stores: SimulatedStores, _ customers: [CustomerLife]) {
        let now = firstNight + (nights - 1) * CivilTime.day
        let paid = customers.flatMap(\.subscriptions).filter { $0.ownership == .purchased }.flatMap(\.periods)
            .filter { $0.isPaid && (firstNight..<now).contains($0.expiresAt) }
        let date = CivilTime.date(ofDay: CivilTime.dayNumber(of: now) - 1)
        let from = CivilTime.date(ofDay: CivilTime.dayNumber(of: firstNight))
        let rows = stores.books.churn(.happened, through: date).filter { $0.date >= from }
        #expect(Int(rows.sum("other")) == paid.count { $0.ending == .expires(.unknown) })
        #expect(Int(rows.sum("price")) == paid.count { $0.ending == .expires(.price) })
        #expect(Int(rows.sum("product")) == paid.count { $0.ending == .expires(.product) })
        #expect(paid.contains { $0.ending == .expires(.unknown) })
    }
}
