// SPDX-License-Identifier: Apache-2.0

import Model
import TestSupport
import Testing

@testable import Nightly

/// A first batch of fifty, then as many as there is room for: 20,000 periods.
@Suite struct KnownReadingTests {
    private static func due(_ key: SubscriptionKey, periods: Int, receipt: Int64?) -> DueSubscription {
        let start = ChunkWorld.march
        let facts = PeriodFacts(
            transactionID: "t", periodKey: "w", productID: "p", purchasedAt: start, start: start, end: start + .days(30)
        )
        return DueSubscription(
            key: key, lineageKey: key, appID: ChunkWorld.app, storeKey: Secret("s"), environment: nil, accountID: nil,
            productID: nil, country: nil, snapshot: SubscriptionSnapshot(), historyCursor: nil,
            receipt: receipt.map { Receipt(id: $0, data: Secret("r")) },
            known: Array(repeating: KnownPeriod(facts, kind: .renewal), count: periods))
    }

    /// Reads the keys 1 to `count`; gives the lengths of the batches, and what came of it.
    private static func read(
        _ count: Int64, periods: (Int64) -> Int, receipt: (Int64) -> Int64? = { _ in nil }
    ) -> (batches: [Int], due: [Int64], unread: [Int64]) {
        var reading = KnownReading((1...count).map(SubscriptionKey.init))
        var batches: [Int] = []
        while let batch = reading.next() {
            batches.append(batch.count)
            reading.add(batch.map { due($0, periods: periods($0.rawValue), receipt: receipt($0.rawValue)) })
        }
        return (batches, reading.due.map(\.key.rawValue), reading.unread.map(\.rawValue))
    }

    @Test func `a usual chunk is read in three batches`() {
        let read = Self.read(500, periods: { _ in 12 })
        #expect(read.batches == [50, 200, 250])
        #expect(read.due == Array(1...500) && read.unread.isEmpty)
    }

    @Test func `nothing known needs no more`() {
        #expect(Self.read(500, periods: { _ in 0 }).batches == [50, 200, 250])
    }

    /// Of fifty new ones nothing is known: that says little of those behind them.
    @Test func `old ones behind new ones are not read all at once`() {
        let read = Self.read(500, periods: { $0 <= 50 ? 0 : 200 })
        #expect(read.batches == [50, 200])
        #expect(read.due == Array(1...250) && read.unread == Array(251...500))
    }

    /// 50 have 10,000; there is room for 50 more.
    @Test func `where much is known a part of the chunk is read`() {
        let read = Self.read(500, periods: { _ in 200 })
        #expect(read.batches == [50, 50])
        #expect(read.due == Array(1...100) && read.unread == Array(101...500))
    }

    @Test func `one of whom more is known than there is room for is read all the same`() {
        let read = Self.read(60, periods: { $0 == 1 ? 30_000 : 1 })
        #expect(read.due == Array(1...50) && read.unread == Array(51...60))
    }

    /// Three subscriptions a receipt: the hundredth is the first of its receipt.
    @Test func `subscriptions of one receipt stay together`() {
        let read = Self.read(500, periods: { _ in 200 }, receipt: { ($0 - 1) / 3 })
        #expect(read.batches == [50, 50])
        #expect(read.due == Array(1...99) && read.unread == Array(100...500))
    }

    /// The first and the hundredth have one receipt, since the chunk was planned.
    @Test func `of a receipt in two places, only the subscriptions at the end are returned to unread`() {
        let read = Self.read(500, periods: { _ in 200 }, receipt: { $0 == 100 ? 1 : $0 })
        #expect(read.due == Array(1...99) && read.unread == Array(100...500))
    }

    @Test func `a receipt of more than there is room for is read whole`() {
        let read = Self.read(200, periods: { _ in 400 }, receipt: { $0 <= 120 ? 1 : 2 })
        #expect(read.due == Array(1...120) && read.unread == Array(121...200))
    }
}
