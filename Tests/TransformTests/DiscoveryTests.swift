// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Stores
import Testing
import Transform

@Suite("What an answer contains besides the subscription it was asked for")
struct DiscoveryTests {
    private let other = Secret("2000000000000001")
    private var otherKey: SubscriptionKey { SubscriptionKey(appID: app, storeKey: other.reveal()) }
    private let receipt = Receipt(id: 7, data: Secret("MIIT"))

    private func otherPeriod(_ start: Int64, hint: ObservedPeriod.Hint? = nil) -> ObservedPeriod {
        period(start, id: "O\(start)", hint: hint, original: other.reveal())
    }

    @Test
    func `B7: another subscription is registered and its rows are booked; its state waits for its own check`() throws {
        let rows = rows(
            reading(
                observation([period(0)], status(.active, expires: 30, version: day(1))),
                observation([otherPeriod(0)], of: other)), now: day(1))
        #expect(rows.discoveries.map(\.key) == [otherKey])
        #expect(rows.discoveries.first?.discoveredBy == lineKey)
        #expect(rows.subscriptions.map(\.key) == [lineKey])
        let glimpsed = try #require(rows.transactions.first { $0.key == otherKey })
        #expect(glimpsed.isSeenIndirectly)
        #expect(glimpsed.kind == .purchase)
        #expect(rows.transactions.first { $0.key == lineKey }?.isSeenIndirectly == false)
    }

    @Test func `a renewal seen in another one's answer, without its history, is not taken for a first purchase`() {
        let rows = rows(
            reading(observation([period(0)]), observation([otherPeriod(60, hint: .renewal)], of: other)), now: day(61))
        #expect(rows.transactions.first { $0.key == otherKey }?.kind == .renewal)
    }

    @Test func `where the answer states another subscription's state too, that state is stored`() {
        let rows = rows(
            reading(
                observation([period(0)], status(.active, expires: 30, version: day(1))),
                observation([otherPeriod(0)], status(.active, expires: 30, version: day(1)), of: other)),
            for: [due(receipt: receipt)], now: day(1))
        #expect(Set(rows.subscriptions.map(\.key)) == [lineKey, otherKey])
        #expect(rows.discoveries.first?.receiptID == 7)
    }

    @Test func `a bare receipt's placeholder gives way to the subscriptions in it`() throws {
        let placement = due(of: Secret("receipt-7f"), country: "JP", receipt: receipt)
        var reported = reading(
            observation([period(0)], status(.active, expires: 30, version: day(1))),
            observation([otherPeriod(0)], status(.active, expires: 30, version: day(1)), of: other))
        reported.setAside = [
            RefusedRow(
                storeKey: Secret("receipt-7f"), reason: "not_in_receipt", detail: "Not in it.", transactionID: nil)
        ]
        reported.replacedReceipt = Receipt(id: 7, data: Secret("MIIU"))
        let rows = rows(reported, for: [placement], now: day(1))
        #expect(rows.placeholders == [placement.key])
        #expect(Set(rows.discoveries.map(\.key)) == [lineKey, otherKey])
        #expect(rows.discoveries.allSatisfy { $0.discoveredBy == placement.key && $0.receiptID == 7 })
        #expect(rows.receipts == [Receipt(id: 7, data: Secret("MIIU"))])
        #expect(rows.transactions.allSatisfy { $0.country == "JP" })
        #expect(rows.setAside.isEmpty)
        #expect(rows.failures.isEmpty)
        #expect(rows.answers.map(\.key) == [min(lineKey, otherKey)])
    }

    @Test func `a receipt of one-time products only needs no placeholder; an empty one is asked about again`() {
        let placement = due(of: Secret("receipt-7f"), receipt: receipt)
        let sale = oneTime("C1")
        let sold = rows(reading(observation([sale], of: Secret("C1"))), for: [placement], now: day(1))
        #expect(sold.placeholders == [placement.key])
        #expect(sold.discoveries.isEmpty && sold.subscriptions.isEmpty)
        let empty = rows(reading(), for: [placement], now: day(1))
        #expect(empty.placeholders.isEmpty)
        #expect(empty.failures.map(\.reason) == ["not_in_answer"])
    }

    private func oneTime(_ id: String, original: String? = nil, refund: ObservedPeriod.Refund? = nil) -> ObservedPeriod
    {
        ObservedPeriod(
            PeriodFacts(
                transactionID: id, periodKey: id, productID: "lifetime", purchasedAt: day(3), start: day(3), end: nil,
                priceMicros: 49_990_000, currency: "USD"),
            SaleFacts(originalTransactionID: original ?? id, priceSource: .storePrice, sourceVersion: day(4)),
            isAutoRenewable: false, refund: refund)
    }

    @Test func `A3: a one-time sale is booked under the key of its own original id, and is no subscription`() throws {
        let refund = ObservedPeriod.Refund(at: day(4), kind: .full)
        let rows = rows(
            reading(
                observation([period(0)], status(.active, expires: 30, version: day(4))),
                observation([oneTime("C1", refund: refund)], of: Secret("C1"))), now: day(5))
        let row = try #require(rows.transactions.first { $0.kind == .oneTime })
        #expect(row.key == SubscriptionKey(appID: app, storeKey: "C1"))
        #expect(row.lineageKey == row.key)
        #expect(row.end == nil)
        #expect(row.refundMicros == 49_990_000)
        #expect(!row.isSeenIndirectly)
        #expect(rows.discoveries.isEmpty)
        #expect(rows.subscriptions.count == 1)
    }

    @Test func `a restored one-time sale stays the sale it was`() throws {
        let reported = reading(
            observation([period(0)], nil),
            observation([oneTime("C9", original: "C1"), oneTime("C1")], of: Secret("C1")))
        let rows = rows(reported, now: day(5))
        let sales = rows.transactions.filter { $0.kind == .oneTime }
        #expect(sales.map(\.transactionID) == ["C1"])
        #expect(sales.first?.isSeenIndirectly == false)
        #expect(rows.aliases.map(\.alias) == ["C9"])
        #expect(rows.aliases.map(\.transactionID) == ["C1"])
    }

    @Test
    func `a known period under a new transaction id is the same period: the first id stays, the other is an alias`() {
        var books = Books()
        books.night(day(0), status(.active, expires: 30, version: day(0)), period(0))
        var restored = period(0, version: day(12))
        restored.facts.transactionID = "R1"
        restored.facts.purchasedAt = day(12)
        restored.refund = ObservedPeriod.Refund(at: day(11), kind: .partial, thousandthsOfPercent: 10_000)
        books.night(day(12), status(.active, expires: 30, version: day(12)), restored)
        #expect(books.transactions.map(\.transactionID) == ["T0"])
        #expect(books.transactions.map(\.purchasedAt) == [day(0)])
        // A tenth of 9.99 is 0.999: customers are paid whole cents.
        #expect(books.transactions.map(\.refundMicros) == [1_000_000])
        #expect(books.aliases == [TransactionAlias(key: lineKey, alias: "R1", transactionID: "T0")])
        #expect(books.kinds == [.purchase])
    }

    @Test func `within one answer the earlier of two ids of a period is the first`() {
        var restored = period(0)
        restored.facts.transactionID = "T00"
        let rows = rows(reading(observation([restored, period(0)])), now: day(1))
        #expect(rows.transactions.map(\.transactionID) == ["T0"])
        #expect(rows.aliases.map(\.alias) == ["T00"])
    }

    @Test func `a row's own answer comes before one seen indirectly, and of two of those the newer counts`() {
        var chunk = rows(
            reading(observation([]), observation([otherPeriod(0)], of: other)), now: day(1))
        let own = rows(
            reading(observation([period(0, id: "O0", version: day(-1), original: other.reveal())], of: other)),
            for: [due(of: other)], now: day(1))
        chunk.transactions += own.transactions
        chunk.deduplicate()
        #expect(chunk.transactions.map(\.isSeenIndirectly) == [false])

        var underAnotherID = chunk.transactions[0]
        underAnotherID.facts.transactionID = "O0-restored"
        underAnotherID.isSeenIndirectly = true
        chunk.transactions.append(underAnotherID)
        chunk.deduplicate()
        #expect(chunk.transactions.map(\.transactionID) == ["O0"])

        var older = chunk.transactions[0]
        older.sale.sourceVersion = day(-9)
        older.facts.priceMicros = 1
        chunk.transactions.insert(older, at: 0)
        chunk.deduplicate()
        #expect(chunk.transactions.map(\.priceMicros) == [9_990_000])
    }
}
