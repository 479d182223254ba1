// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing
import Transform

@Suite("Rows that contradict themselves, and what the others carry")
struct SoundnessTests {
    private static let broken: [(String, @Sendable (inout ObservedPeriod) -> Void)] = [
        ("period_ends_before_start", { $0.facts.end = day(29) }),
        ("missing_period_end", { $0.facts.end = nil }),
        ("negative_price", { $0.facts.priceMicros = -1 }),
        ("missing_id", { $0.facts.transactionID = "" }),
        ("missing_id", { $0.sale.originalTransactionID = "" }),
        ("missing_id", { $0.facts.productID = "" }),
        ("unreadable_id", { $0.facts.transactionID = "T30\u{FFFD}" }),
        ("unreadable_id", { $0.facts.productID = "gold\u{FFFD}\u{301}" }),
        ("quantity_out_of_range", { $0.sale.quantity = 0 }),
        ("refund_out_of_range", { $0.refund = .init(at: day(31), kind: .partial, thousandthsOfPercent: 100_001) }),
        ("refund_out_of_range", { $0.refund = .init(at: day(31), kind: .partial, micros: -5) }),
    ]

    @Test(arguments: broken.indices)
    func `a contradiction is set aside with its reason, its neighbours unharmed`(index: Int) {
        let (reason, breaking) = Self.broken[index]
        var wrong = period(30)
        breaking(&wrong)
        let rows = rows(
            reading(observation([period(0), wrong, period(60)], status(.active, expires: 90, version: day(61)))),
            now: day(61))
        #expect(rows.setAside.map(\.reason) == [reason])
        #expect(rows.setAside.map(\.stage) == ["transform"])
        #expect(rows.setAside.map(\.key) == [lineKey])
        #expect(rows.transactions.map(\.transactionID) == ["T0", "T60"])
        #expect(rows.subscriptions.map(\.snapshot.state) == [.active])
    }

    @Test func `a period of no length at all is odd, and no contradiction`() {
        let rows = rows(reading(observation([period(0, days: 0)])), now: day(1))
        #expect(rows.transactions.count == 1)
        #expect(rows.setAside.isEmpty)
    }

    @Test
    func
        `rows that the store's reader refused are set aside under their own subscription that the answer is about, else the asker's`()
    {
        let other = Secret("2000000000000001")
        var reported = reading(observation([period(0)]))
        reported.observations.append(observation([period(1, original: other.reveal())], of: other))
        reported.setAside = [
            RefusedRow(
                storeKey: other, reason: "dates_disagree", detail: "They differ.",
                transactionID: "2000000000000009"),
            // No check of its own would come.
            RefusedRow(
                storeKey: Secret("3000"), reason: "negative_price", detail: "Below nothing.", transactionID: "3001"),
            RefusedRow(
                storeKey: nil, reason: "unreadable_element", detail: "No row.",
                transactionID: SetAside.unidentified),
        ]
        reported.unknownValues = ["transaction.newField": 2]
        let rows = rows(reported, now: day(1))
        #expect(
            rows.setAside.map(\.key) == [
                SubscriptionKey(appID: app, storeKey: "2000000000000001"), lineKey, lineKey,
            ])
        #expect(rows.setAside.map(\.reason) == ["dates_disagree", "negative_price", "unreadable_element"])
        #expect(rows.setAside.map(\.transactionID) == ["2000000000000009", "3001", "unidentified"])
        #expect(rows.unknownValues == ["transaction.newField": 2])
    }

    @Test func `the country is the store's, else the registration's, else the app's default, else unknown`() {
        var reported = period(0)
        reported.facts.country = "DE"
        func country(_ period: ObservedPeriod, registered: String?, fallback: String?) -> String? {
            rows(
                reading(observation([period])), for: [due(country: registered)], now: day(1), defaultCountry: fallback
            ).transactions.first?.country
        }
        #expect(country(reported, registered: "JP", fallback: "US") == "DE")
        #expect(country(period(0), registered: "JP", fallback: "US") == "JP")
        #expect(country(period(0), registered: nil, fallback: "US") == "US")
        #expect(country(period(0), registered: nil, fallback: nil) == nil)
        var elsewhere = period(0)
        elsewhere.isOfUnknownCountry = true
        #expect(country(elsewhere, registered: "JP", fallback: "US") == nil, "the store named a place that is none")
    }

    @Test func `every document of an answer is archived under the subscription it was asked for`() {
        var reported = reading(observation([period(0)]))
        reported.archive.append(
            ArchivedDocument(endpoint: "history", body: "[]", answerHash: "hash-2", chains: ["c1": "pem"]))
        let rows = rows(reported, now: day(1))
        let retained = rows.answers.flatMap { key, documents in documents.map { (key: key, document: $0) } }
        #expect(retained.map(\.key) == [lineKey, lineKey])
        #expect(retained.map(\.document.endpoint) == ["statuses", "history"])
        #expect(retained.map(\.document.answerHash) == ["hash-1", "hash-2"])
        #expect(retained.last?.document.chains == ["c1": "pem"])
    }

    @Test func `what the store says of a period is carried over as it is`() throws {
        var reported = period(0, id: "T0", price: 300_000_000)
        reported.facts.currency = "JPY"
        reported.sale.subscriptionGroup = "group"
        reported.facts.offerType = .winBack
        reported.facts.offerID = "back"
        reported.sale.quantity = 2
        reported.facts.country = "JP"
        let row = try #require(rows(reading(observation([reported])), now: day(1)).transactions.first)
        #expect(row.appID == app)
        #expect(row.store == .appStore)
        #expect(row.environment == .production)
        #expect(row.originalTransactionID == line.reveal())
        #expect(row.periodKey == "PT0")
        #expect(row.subscriptionGroup == "group")
        #expect(row.offerType == .winBack)
        #expect(row.offerID == "back")
        #expect(row.quantity == 2)
        #expect(row.priceMicros == 300_000_000)
        #expect(row.currency == "JPY")
        #expect(row.priceSource == .storePrice)
        #expect(row.lineageKey == lineKey)
        #expect(row.start == day(0))
        #expect(row.end == day(30))
    }

    @Test func `a period without a period key of its own is keyed by its transaction`() {
        var reported = period(0)
        reported.facts.periodKey = ""
        #expect(rows(reading(observation([reported])), now: day(1)).transactions.first?.periodKey == "T0")
    }
}
