// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreSimulator

/// Purchases that run on what another one paid for, and whose items name that one's order: on paper.
@Suite struct PlayCarriedOnTests {
    private static let second = "GPA.5555-6666-7777-88888"
    private static let premium = PlayPaper.order(
        nil, "2026-01-01T10:00:00Z", "2026-01-01T10:00:00Z", "2026-02-01T10:00:00Z", product: .premiumMonthly,
        total: 2_200, tax: 351, revenue: 1_571)

    private static func items(_ answer: [String: Any]) -> [[String: Any]] {
        answer["lineItems"] as? [[String: Any]] ?? []
    }

    /// The old purchase of such a pair: replaced on the 16th, though its month goes on.
    private static func carried(_ order: PlayOrder) -> PlayToken {
        PlayPaper.token(
            "token-1", [order],
            [
                PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z", order: order),
                PlayPaper.moment(
                    .expired, "2026-01-16T10:00:00Z", until: "2026-01-16T10:00:00Z", renews: false, order: order,
                    by: .replacement),
            ]
        ) { $0.carriedOnBy = "token-2" }
    }

    /// Premium for 22.00 until 1 February; on the 16th the customer chooses the month at 8.40 from then on.
    private static func deferred() -> PlayBackend {
        let next = PlayPaper.order(
            nil, "2026-02-01T08:00:00Z", "2026-02-01T10:00:00Z", "2026-03-01T10:00:00Z", base: second)
        var waiting = PlayPaper.moment(.active, "2026-01-16T10:00:00Z", until: "2026-02-01T10:00:00Z", order: premium)
        waiting.items[0].deferredProduct = .monthly
        waiting.items.append(
            .init(product: .monthly, expiresAt: instant("2026-02-01T10:00:00Z"), renews: true, phase: .base))
        return PlayPaper.backend(
            carried(premium),
            PlayPaper.token(
                "token-2", linkedTo: "token-1", [next],
                [
                    waiting,
                    PlayPaper.moment(.active, "2026-02-01T08:00:00Z", until: "2026-03-01T10:00:00Z", order: next),
                ]
            ) { $0.replacement = PlayReplacement(mode: .deferred, product: .premiumMonthly) })
    }

    @Test
    func `B7: a deferred change makes a linked purchase at once, whose item names the old purchase's order`() throws {
        let backend = Self.deferred()
        let answer = try backend.ask("token-2", at: "2026-01-20T00:00:00Z")
        #expect(answer["linkedPurchaseToken"] as? String == "token-1")
        #expect(answer["startTime"] as? String == "2026-01-16T10:00:00Z")
        #expect(answer["subscriptionState"] as? String == "SUBSCRIPTION_STATE_ACTIVE")
        let items = Self.items(answer)
        #expect(items.map { $0["latestSuccessfulOrderId"] as? String } == [PlayPaper.base, nil])
        #expect(items.map { $0["expiryTime"] as? String } == ["2026-02-01T10:00:00Z", "2026-02-01T10:00:00Z"])
        #expect((items[0]["deferredItemReplacement"] as? [String: String]) == ["productId": "com.acme.app.monthly"])
        let replaced = items.map { ($0["itemReplacement"] as? [String: String])?["replacementMode"] }
        #expect(replaced == [nil, "DEFERRED"])
        let order = try backend.order(
            PlayPaper.base, PlayPaper.app, at: instant("2026-01-20T00:00:00Z"), isReported: false)
        #expect(order.object["purchaseToken"] as? String == "token-1")
        let old = try backend.ask("token-1", at: "2026-01-20T00:00:00Z")
        #expect((old["canceledStateContext"] as? [String: [String: String]]) == ["replacementCancellation": [:]])
        let later = Self.items(try backend.ask("token-2", at: "2026-02-02T00:00:00Z"))
        #expect(later.map { $0["latestSuccessfulOrderId"] as? String } == [Self.second])
    }

    /// What was paid for is neither cut short nor left: the month goes on under the new purchase, and then changes.
    @Test func `B7: until the change the customer stays what they were, and nobody is set to cancel`() throws {
        let backend = Self.deferred()
        let books = backend.books(at: "2026-01-20T00:00:00Z")
        #expect(
            books.playStates() == [
                "token-1 expired premium.monthly ends 2026-01-16T10:00:00Z replaced",
                "token-2 active premium.monthly renews 2026-02-01T10:00:00Z",
            ])
        #expect(books.playRows() == ["purchase 22000000/3510000/15710000"])
        let next = books.subscriptions(.happened).first { $0.originalTransactionID == "token-2" }
        #expect(next?.autoRenewProductID == "com.acme.app.monthly")
        #expect(next?.items == [])
        #expect(books.playChurn(through: "2026-01-19") == ["2026-01-19 premium.monthly opening 1"])
        let rows = books.metrics(.happened).subscribers(on: "2026-01-19")
        #expect(rows.map(\.counts) == [["active": 1]])
        let after = backend.books(at: "2026-02-04T00:00:00Z")
        #expect(
            after.playRows() == ["purchase 22000000/3510000/15710000", "downgrade 8400000/1340000/6000000"])
        #expect(after.playChurn(through: "2026-02-03") == ["2026-02-03 monthly opening 1"])
    }

    /// The same in the column of what was told, night by night.
    @Test func `B7: who asked the new purchase and its orders knows all of it`() throws {
        let backend = Self.deferred()
        try backend.ask("token-2", orders: [PlayPaper.base], at: "2026-01-17T02:00:00Z")
        try backend.ask("token-1", at: "2026-01-17T02:00:00Z")
        let books = backend.books(at: "2026-01-17T02:00:00Z")
        #expect(books.playRows(.disclosed) == books.playRows() && books.playRows().count == 1)
        #expect(books.playChurn(.disclosed, through: "2026-01-16") == ["2026-01-16 premium.monthly opening 1"])
        try backend.ask("token-2", orders: [Self.second], at: "2026-02-02T02:00:00Z")
        let after = backend.books(at: "2026-02-04T00:00:00Z")
        #expect(after.playRows(.disclosed) == after.playRows())
        #expect(after.playChurn(.disclosed, through: "2026-02-03") == ["2026-02-03 monthly opening 1"])
    }

    /// January was paid for; the money for February fails.
    ///
    /// The purchase that will go on with it does not exist yet.
    @Test func `B7: until the later purchase is known the older one's own word counts`() throws {
        let hold = PlayPaper.moment(
            .hold, "2026-02-01T10:00:00Z", until: "2026-02-01T10:00:00Z", order: Self.premium, declined: "GPA.1..0")
        let bought = PlayPaper.moment(
            .active, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z", order: Self.premium)
        let backend = PlayPaper.backend(
            PlayPaper.token("token-1", [Self.premium], [bought, hold]) { $0.carriedOnBy = "token-2" })
        try backend.ask("token-1", orders: [PlayPaper.base], at: "2026-02-02T02:00:00Z")
        let books = backend.books(at: "2026-02-03T00:00:00Z")
        for column in BookColumn.allCases {
            let rows = books.metrics(column).subscribers(on: "2026-02-02")
            #expect(rows.map(\.counts) == [["billing_retry": 1]])
        }
    }

    @Test func `the device of a deferred change hands in what runs on`() {
        let handedIn = Self.deferred().registrations(
            since: instant("2026-01-10T00:00:00Z"), until: instant("2026-01-17T00:00:00Z"))
        #expect(handedIn.map(\.storeKey) == ["token-2"])
        #expect(handedIn.first?.expiresAt == instant("2026-02-01T10:00:00Z"))
    }

    /// 8.40 a month; on the 16th an add-on for the rest of it (1.05) in a purchase that keeps the month; together 10.50 from
    /// February on.
    @Test func `B7: an item that was kept names the older purchase's order, and only what is new is charged`() throws {
        let addOn = PlayPaper.order(
            nil, "2026-01-16T10:00:00Z", "2026-01-16T10:00:00Z", "2026-02-01T10:00:00Z", base: Self.second,
            product: .addonMonthly, phase: .proration, total: 105, tax: 17, revenue: 75)
        var both = PlayPaper.order(
            0, "2026-02-01T08:00:00Z", "2026-02-01T10:00:00Z", "2026-03-01T10:00:00Z", base: Self.second, revenue: 750)
        both.lines.append(PlayPaper.line(.addonMonthly, .base, 210, 34))
        var running = PlayPaper.moment(.active, "2026-01-16T10:00:00Z", until: "2026-02-01T10:00:00Z")
        running.items +=
            PlayPaper.moment(
                .active, "2026-01-16T10:00:00Z", until: "2026-02-01T10:00:00Z", order: addOn
            ).items
        let backend = PlayPaper.backend(
            Self.carried(PlayPaper.january),
            PlayPaper.token(
                "token-2", linkedTo: "token-1", [addOn, both],
                [
                    running,
                    PlayPaper.moment(.active, "2026-02-01T08:00:00Z", until: "2026-03-01T10:00:00Z", order: both),
                ]
            ) { $0.replacement = PlayReplacement(mode: .keepExisting, product: .monthly) })
        let items = Self.items(try backend.ask("token-2", at: "2026-01-17T00:00:00Z"))
        #expect(items.map { $0["latestSuccessfulOrderId"] as? String } == [PlayPaper.base, Self.second])
        let replaced = items.map { ($0["itemReplacement"] as? [String: String])?["replacementMode"] }
        #expect(replaced == ["KEEP_EXISTING", nil])
        let books = backend.books(at: "2026-02-05T00:00:00Z")
        #expect(
            books.playRows() == [
                "purchase 8400000/1340000/6000000", "purchase 1050000/170000/750000",
                "..0 renewal 2100000/340000/1500000", "..0 renewal 8400000/1340000/6000000",
            ])
        #expect(books.playChurn(through: "2026-01-30") == ["2026-01-30 monthly opening 1"])
        #expect(books.playChurn(through: "2026-02-04") == ["2026-02-04 monthly opening 1"])
    }
}
