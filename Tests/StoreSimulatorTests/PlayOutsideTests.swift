// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreSimulator

/// Purchases made outside the app, items that go alone, and customers who left but still owe payments: on paper.
@Suite struct PlayOutsideTests {
    private static let second = "GPA.5555-6666-7777-88888"

    /// January until 1 February, cancelled; bought again in the store's pages on the 5th, acknowledged on the 6th at 20:00.
    private static func outside() -> PlayBackend {
        let off = instant("2026-01-20T10:00:00Z")
        let end = "2026-02-01T10:00:00Z"
        let again = PlayPaper.order(
            nil, "2026-02-05T10:00:00Z", "2026-02-05T10:00:00Z", "2026-03-05T10:00:00Z", base: second)
        return PlayPaper.backend(
            PlayPaper.token(
                [PlayPaper.january],
                [
                    PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: end),
                    PlayPaper.moment(.canceled, "2026-01-20T10:00:00Z", until: end, renews: false, by: .user(at: off)),
                    PlayPaper.moment(.expired, end, until: end, renews: false, by: .user(at: off)),
                ]),
            PlayPaper.token(
                "token-2", [again],
                [PlayPaper.moment(.active, "2026-02-05T10:00:00Z", until: "2026-03-05T10:00:00Z", order: again)]
            ) {
                $0.expiredToken = "token-1"
                $0.acknowledgedAt = instant("2026-02-06T20:00:00Z")
            })
    }

    @Test
    func `B7: a purchase outside the app names the ended one until acknowledged, and never links itself`() throws {
        let backend = Self.outside()
        let early = try backend.ask("token-2", at: "2026-02-06T02:00:00Z")
        let context = try #require(early["outOfAppPurchaseContext"] as? [String: Any])
        #expect(context["expiredPurchaseToken"] as? String == "token-1")
        #expect(
            (context["expiredExternalAccountIdentifiers"] as? [String: String]) == [
                "obfuscatedExternalAccountId": "account-1"
            ])
        #expect(early["linkedPurchaseToken"] == nil && early["externalAccountIdentifiers"] == nil)
        #expect(early["acknowledgementState"] as? String == "ACKNOWLEDGEMENT_STATE_PENDING")
        let late = try backend.ask("token-2", at: "2026-02-07T02:00:00Z")
        #expect(late["outOfAppPurchaseContext"] == nil)
        #expect(late["acknowledgementState"] as? String == "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED")
        let order = try backend.order(
            Self.second, PlayPaper.app, at: instant("2026-02-07T02:00:00Z"), isReported: false)
        #expect(order.object["salesChannel"] as? String == "PLAY_STORE")
    }

    @Test func `B7: who was told of it in time sees the old customer come back; who was not sees a new one`() throws {
        let (early, late) = (Self.outside(), Self.outside())
        try early.ask("token-2", orders: [Self.second], at: "2026-02-06T02:00:00Z")
        try late.ask("token-2", orders: [Self.second], at: "2026-02-07T02:00:00Z")
        let (told, untold) = (early.books(at: "2026-02-10T00:00:00Z"), late.books(at: "2026-02-10T00:00:00Z"))
        #expect(told.playRows().last == "resubscribe 8400000/1340000/6000000")
        #expect(untold.playRows().last == "purchase 8400000/1340000/6000000")
        #expect(told.subscriptions(.disclosed).map(\.linkedTo) == ["token-1"])
        #expect(untold.subscriptions(.disclosed).map(\.linkedTo) == [nil])
        let movements = { (books: Books) in
            Set(
                books.metrics(.happened).bridge(through: "2026-02-09").filter { $0.date == "2026-02-05" }
                    .flatMap(\.movements.keys))
        }
        #expect(movements(told) == ["reactivation"])
        #expect(movements(untold) == ["new"])
        #expect(told.playChurn(through: "2026-02-02") == ["2026-02-01 monthly opening 1 voluntary 1"])
    }

    /// 8.40 and 2.10 in one order; the add-on's 2.10 go back on the 10th with the add-on, the month goes on.
    @Test func `B6: a refund of one item is that item's, though the order names none`() throws {
        var order = PlayPaper.january
        order.lines.append(PlayPaper.line(.addonMonthly, .base, 210, 33))
        order.revenueMicros = 7_510_000
        let at = instant("2026-01-10T12:00:00Z")
        let running = PlayPaper.moment(
            .active, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z", order: order)
        order.refunds = [
            .init(
                requestedAt: at, processedAt: at, micros: 2_100_000, taxMicros: 330_000, isWhole: false,
                product: .addonMonthly)
        ]
        var alone = PlayPaper.moment(.active, "2026-01-10T12:00:00Z", until: "2026-02-01T10:00:00Z", order: order)
        (alone.items[1].expiresAt, alone.items[1].renews) = (at, false)
        let token = PlayPaper.token([order], [running, alone])
        #expect(token.notifications.map(\.content) == [.subscription(.purchased), .subscription(.itemsChanged)])
        let backend = PlayPaper.backend(token)
        let books = backend.books(at: "2026-01-12T00:00:00Z")
        #expect(
            books.playRows() == [
                "purchase 2100000/330000/1502000 full 2100000", "purchase 8400000/1340000/6008000",
            ])
        #expect(books.playStates() == ["token-1 active monthly renews 2026-02-01T10:00:00Z"])
        let items = books.subscriptions(.happened).first?.items
        #expect(items?.map(\.expiresAt) == [instant("2026-02-01T10:00:00Z"), at])
        #expect(items?.map(\.autoRenew) == [true, false])
        #expect(
            books.playRevenue(through: "2026-01-31").last
                == "2026-01-10 charges 0 0 refunds 1 2100000 tax -330000 proceeds -1502000")
        let shown = try backend.order(
            PlayPaper.base, PlayPaper.app, at: instant("2026-01-12T00:00:00Z"), isReported: false)
        #expect(shown.object["state"] as? String == "PARTIALLY_REFUNDED")
    }

    /// Left on the 10th with two payments promised: it renews until the second of them.
    @Test
    func `B3: who left but still owes payments goes on until the last, and an item that is to be removed does not`()
        throws
    {
        var leaving = PlayPaper.moment(.active, "2026-01-10T10:00:00Z", until: "2026-02-01T10:00:00Z")
        leaving.items[0].instalments = PlayInstalments(initial: 3, remaining: 2, isCancellationPending: true)
        let bought = PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z")
        let backend = PlayPaper.backend(PlayPaper.token([PlayPaper.january], [bought, leaving]))
        let item = (try backend.ask("token-1", at: "2026-01-12T00:00:00Z")["lineItems"] as? [[String: Any]])?.first
        #expect((item?["autoRenewingPlan"] as? [String: Any])?["autoRenewEnabled"] as? Bool == true)
        let books = backend.books(at: "2026-01-12T00:00:00Z")
        #expect(books.playStates() == ["token-1 active monthly renews 2026-02-01T10:00:00Z"])
        #expect(books.subscriptions(.happened).map(\.committedUntil) == [instant("2026-04-01T10:00:00Z")])
        let counts = books.metrics(.happened).subscribers(on: "2026-01-11").map(\.counts)
        #expect(counts == [["active": 1]])
        // Nothing more is owed.
        leaving.items[0].instalments?.remaining = 0
        let last = PlayPaper.backend(PlayPaper.token([PlayPaper.january], [bought, leaving]))
            .books(at: "2026-01-12T00:00:00Z")
        #expect(last.playStates() == ["token-1 active monthly ends 2026-02-01T10:00:00Z"])
        #expect(last.subscriptions(.happened).map(\.committedUntil) == [instant("2026-02-01T10:00:00Z")])
        #expect(
            last.metrics(.happened).subscribers(on: "2026-01-11").map(\.counts) == [["active": 1, "set_to_cancel": 1]])

        var order = PlayPaper.january
        order.lines.append(PlayPaper.line(.addonMonthly, .base, 210, 33))
        var removing = PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z", order: order)
        removing.items[1].isToBeRemoved = true
        let pair = PlayPaper.backend(PlayPaper.token([order], [removing])).books(at: "2026-01-12T00:00:00Z")
        #expect(pair.playStates() == ["token-1 active monthly renews 2026-02-01T10:00:00Z"])
        #expect(pair.subscriptions(.happened).first?.items.map(\.autoRenew) == [true, false])
    }
}
