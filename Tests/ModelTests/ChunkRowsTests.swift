// SPDX-License-Identifier: Apache-2.0

import Model
import Testing

/// The rows of a chunk's inquiries are loaded together: whatever one of them holds is among them.
@Suite struct ChunkRowsTests {
    private static let key = SubscriptionKey(1)
    private static let app = AppID("acme-ios")
    private static let instant = Instant(micros: 1_772_323_200_000_000)

    /// A character may be made of any number of scalars, and a key has room for some bytes alone.
    @Test func `the id of a row that was set aside is cut to 200 scalars`() {
        let long = String(repeating: "e" + String(repeating: "\u{301}", count: 99), count: 300)
        let cut = SetAside(key: Self.key, stage: "s", reason: "r", detail: "d", transactionID: long).transactionID
        #expect(cut?.unicodeScalars.count == 200)
    }

    /// One of everything.
    private static func sample() -> ChunkRows {
        let next = NextCheck(at: nil, reason: .never)
        var rows = ChunkRows()
        rows.asked = [key: 0]
        rows.subscriptions = [
            SubscriptionRow(
                key: key, environment: .production, snapshot: SubscriptionSnapshot(), nextCheck: next,
                historyCursor: nil, sourceVersion: instant, occurredAt: instant, answerHash: "h")
        ]
        rows.discoveries = [
            DiscoveredSubscription(
                key: key, appID: app, store: .appStore, environment: .production, storeKey: Secret("1"),
                productID: nil, discoveredBy: key, receiptID: nil)
        ]
        rows.placeholders = [key]
        rows.transactions = [
            CanonicalTransaction(
                key: key, lineageKey: key, appID: app, store: .appStore, environment: .production,
                facts: PeriodFacts(
                    transactionID: "t", periodKey: "w", productID: "p", purchasedAt: instant, start: instant, end: nil),
                sale: SaleFacts(originalTransactionID: "t", priceSource: .missing, sourceVersion: instant),
                kind: .oneTime)
        ]
        rows.aliases = [TransactionAlias(key: key, alias: "a", transactionID: "t")]
        rows.links = [LineageLink(key: key, earlier: SubscriptionKey(2))]
        rows.substitutes = rows.links
        rows.items = [
            key: [SubscriptionItem(productID: "p", expiresAt: nil, autoRenew: nil, latestTransactionID: nil)]
        ]
        rows.answers = [key: [ArchivedDocument(endpoint: "e", body: "{}", answerHash: "h")]]
        rows.saleAnswers = [key: "h"]
        rows.looks = [key: SaleLook(key: key, soldAt: instant, nextLookAt: nil)]
        rows.failedLooks = [
            FailedLook(key: key, kind: .transient, message: "m", failures: 1, nextLookAt: instant)
        ]
        rows.soldUnder = [key: SubscriptionKey(2)]
        rows.awaited = [key: [AwaitedOrder(id: "o", lastAskedAt: instant, nights: 0)]]
        rows.receipts = [Receipt(id: 1, data: Secret("r"))]
        rows.failures = [
            FailedCheck(key: key, kind: .transient, reason: "r", message: "m", failures: 1, nextCheck: next)
        ]
        (rows.failuresIfRefused, rows.failedLooksIfRefused) = (rows.failures, rows.failedLooks)
        rows.setAside = [SetAside(key: key, stage: "load", reason: "r", detail: "d")]
        rows.readWhole = [key]
        rows.unknownValues = ["o": 1]
        rows.suspicion = ["new.asked": 1]
        return rows
    }

    /// How many each member holds, by its name.
    private static func counts(_ rows: ChunkRows) -> [String: Int] {
        var counts: [String: Int] = [:]
        for member in Mirror(reflecting: rows).children {
            counts[member.label ?? ""] = Mirror(reflecting: member.value).children.count
        }
        return counts
    }

    @Test func `every member is merged`() {
        let sample = Self.counts(Self.sample())
        #expect(sample.filter { $0.value != 1 } == [:], "give the sample one of each")
        var merged = ChunkRows()
        merged.merge(Self.sample())
        #expect(Self.counts(merged) == sample)
    }

    @Test func `what was read twice counts as it was read first`() {
        var rows = ChunkRows()
        rows.asked = [Self.key: 3]
        var earlier = ChunkRows()
        earlier.asked = [Self.key: 2]
        rows.merge(earlier)
        #expect(rows.asked == [Self.key: 2])
    }
}
