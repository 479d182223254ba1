// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Stores
import TestSupport
import Testing
import Transform

@testable import AppStore

/// What was registered is not always a subscription's own id; the answer says what it is, and the night acts on it.
@Suite struct AskedIDTests {
    private static func rows(
        _ due: DueSubscription, _ statuses: [UInt8], _ history: [[UInt8]]
    ) throws -> ChunkRows {
        let store = UnwatchedStore(store: try Acme.configuration().store(clock: { Acme.now }))
        let stage = TransformStage(store: store, now: Acme.now, defaultCountry: nil, levels: [:])
        var rows = ChunkRows()
        let documents =
            [StoreAnswer.Document(endpoint: "statuses", body: statuses)]
            + history.map { StoreAnswer.Document(endpoint: "history", body: $0) }
        let answer = StoreAnswer(
            inquiry: Inquiry(subscriptions: [due]), environment: .production, documents: documents,
            answeredAt: Acme.now)
        stage.rows(for: ReadAnswer(answer, by: store), into: &rows)
        rows.deduplicate()
        return rows
    }

    private static func key(_ id: String) -> SubscriptionKey { SubscriptionKey(appID: AppID("acme-ios"), storeKey: id) }

    @Test func `A1: a later transaction's id is closed and linked to the original's, registered in its place`() throws {
        // The store answers to the id of any transaction: 2002 is the second of 2001.
        let due = Acme.due("2002", answeredBefore: false)
        let rows = try Self.rows(due, try Rows.statuses(), [try Rows.history([Rows.transaction()], revision: "r1")])
        let row = try #require(rows.subscriptions.first { $0.key == due.key })
        #expect(row.snapshot.state == .expired)
        #expect(row.snapshot.endReason == .replaced)
        #expect(row.nextCheck == NextCheck(at: nil, reason: .never))
        // The cursor would be read under this id for ever: the original reads its own.
        #expect(row.historyCursor == nil)
        #expect(rows.links == [LineageLink(key: due.key, earlier: Self.key("2001"))])
        #expect(rows.substitutes == rows.links)
        #expect(rows.discoveries.map(\.key) == [Self.key("2001")])
        #expect(rows.discoveries.map(\.discoveredBy) == [due.key])
        #expect(rows.transactions.map(\.key) == [Self.key("2001")])
        #expect(rows.failures.isEmpty && rows.setAside.isEmpty)
    }

    @Test func `A3: a one-time product that was registered is booked, and has no row among the subscriptions`() throws {
        let coins = Rows.transaction([
            "transactionId": "4001", "originalTransactionId": "4001", "webOrderLineItemId": nil, "productId": "coins",
            "type": "Consumable", "expiresDate": nil, "transactionReason": "PURCHASE",
        ])
        let due = Acme.due("4001", answeredBefore: false)
        // The customer has a subscription besides, or none at all.
        for statuses in [try Rows.statuses(), try Rows.statuses([], ["data": [[String: Any]]()])] {
            let rows = try Self.rows(due, statuses, [try Rows.history([coins], revision: "r1")])
            let sale = try #require(rows.transactions.first { $0.key == due.key })
            #expect(sale.kind == .oneTime && sale.priceMicros == 9_990_000)
            #expect(rows.placeholders == [due.key])
            #expect(!rows.subscriptions.contains { $0.key == due.key })
            #expect(rows.failures.isEmpty)
        }
    }

    @Test func `a refund of a one-time product is booked the same way`() throws {
        let coins = Rows.transaction([
            "transactionId": "4001", "originalTransactionId": "4001", "webOrderLineItemId": nil, "productId": "coins",
            "type": "Consumable", "expiresDate": nil, "revocationDate": Rows.signed - 1_000, "revocationReason": 1,
            "revocationType": "REFUND_PRORATED", "revocationPercentage": 50_000,
        ])
        let rows = try Self.rows(
            Acme.due("4001", answeredBefore: false), try Rows.statuses([], ["data": [[String: Any]]()]),
            [try Rows.history([coins], revision: "r1")])
        // 9.99 ÷ 2 = 4.995, half up to the cent.
        #expect(rows.transactions.map(\.refundMicros) == [5_000_000])
        #expect(rows.transactions.map(\.refundSource) == [.derived])
    }

    @Test func `a history longer than a night reads is read on the next night, and the state is reported at once`()
        throws
    {
        let due = Acme.due(answeredBefore: false)
        let page = try Rows.history([Rows.transaction()], revision: "r250", hasMore: true)
        let rows = try Self.rows(due, try Rows.statuses(), [page])
        let row = try #require(rows.subscriptions.first)
        #expect(row.snapshot.state == .active)
        #expect(row.historyCursor == "more:r250")
        // Its expiry is three weeks away.
        #expect(row.nextCheck == NextCheck(at: Acme.now + NextCheck.night, reason: .nightly))
        // The next night needs the history, from there on.
        let next = Acme.due(cursor: row.historyCursor, known: [Acme.known()])
        #expect(HistoryNeed.of(next, latest: nil) == .unfinished)
        #expect(HistoryCursor(stored: row.historyCursor)?.revision == "r250")
        let last = try Self.rows(next, try Rows.statuses(), [try Rows.history([], revision: "r251")])
        #expect(last.subscriptions.first?.historyCursor == "r251")
        // A day before the expiry of 1 April.
        #expect(last.subscriptions.first?.nextCheck.reason == .beforeExpiry)
    }
}
