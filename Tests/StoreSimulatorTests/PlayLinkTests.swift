// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreSimulator

/// Purchases that take another's place, hold several products, are prepaid, or are taken back: on paper.
@Suite struct PlayLinkTests {
    private static let second = "GPA.5555-6666-7777-88888"

    /// A month at 8.40 from 1 January; on the 11th the premium month at 22.00 takes its place.
    private static func upgraded(isParentRegistered: Bool = true) -> PlayBackend {
        let premium = PlayPaper.order(
            nil, "2026-01-11T12:00:00Z", "2026-01-11T12:00:00Z", "2026-02-11T12:00:00Z", base: second,
            product: .premiumMonthly, total: 2_200, tax: 351, revenue: 1_571)
        return PlayPaper.backend(
            PlayPaper.token(
                "token-1", [PlayPaper.january],
                [
                    PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z"),
                    PlayPaper.moment(
                        .expired, "2026-01-11T12:00:00Z", until: "2026-01-11T12:00:00Z", renews: false, by: .replacement
                    ),
                ]
            ) { $0.isRegistered = isParentRegistered },
            PlayPaper.token(
                "token-2", linkedTo: "token-1", [premium],
                [PlayPaper.moment(.active, "2026-01-11T12:00:00Z", until: "2026-02-11T12:00:00Z", order: premium)]))
    }

    @Test func `an upgrade is a line of two purchases and no churn`() throws {
        let backend = Self.upgraded()
        let books = backend.books(at: "2026-01-13T00:00:00Z")
        #expect(
            books.playRows() == [
                "purchase 8400000/1340000/6000000 upgraded", "upgrade 22000000/3510000/15710000",
            ])
        #expect(
            books.playStates() == [
                "token-1 expired monthly ends 2026-01-11T12:00:00Z replaced",
                "token-2 active premium.monthly renews 2026-02-11T12:00:00Z",
            ])
        #expect(books.subscriptions(.happened).map(\.linkedTo) == [nil, "token-1"])
        #expect(books.playChurn(through: "2026-01-11") == ["2026-01-11 monthly opening 1"])
        #expect(books.playChurn(through: "2026-01-12") == ["2026-01-12 premium.monthly opening 1"])
        let answer = try backend.ask("token-1", at: "2026-01-13T00:00:00Z")
        #expect((answer["canceledStateContext"] as? [String: [String: String]]) == ["replacementCancellation": [:]])
        #expect(try backend.ask("token-2", at: "2026-01-13T00:00:00Z")["linkedPurchaseToken"] as? String == "token-1")
    }

    @Test func `a purchase nobody handed in happens once a later one names it`() {
        let backend = Self.upgraded(isParentRegistered: false)
        #expect(backend.books(at: "2026-01-05T00:00:00Z").playStates() == [])
        #expect(backend.books(at: "2026-01-05T00:00:00Z").playRows() == [])
        #expect(backend.books(at: "2026-01-13T00:00:00Z").playStates().count == 2)
        let handedIn = backend.registrations(since: .min, until: instant("2026-01-13T00:00:00Z"))
        #expect(handedIn.map(\.storeKey) == ["token-2"])
        #expect(handedIn.first?.productID == "com.acme.app.premium.monthly")
        #expect(handedIn.first?.expiresAt == instant("2026-02-11T12:00:00Z"))
    }

    /// The state a reader was told of before the upgrade stays the last one but one.
    @Test func `every state that was told is remembered`() throws {
        let backend = Self.upgraded()
        try backend.ask("token-1", orders: [PlayPaper.base], at: "2026-01-02T00:00:00Z")
        #expect(
            backend.books(at: "2026-01-13T00:00:00Z").playRows(.disclosed) == ["purchase 8400000/1340000/6000000"])
        try backend.ask("token-1", at: "2026-01-13T00:00:00Z")
        let books = backend.books(at: "2026-01-13T00:00:00Z")
        #expect(books.history(ofToken: "token-1").map(\.state) == [.active, .expired])
        #expect(books.playRows(.disclosed) == ["purchase 8400000/1340000/6000000 upgraded"])
    }

    /// 8.40 and 2.10 in one order: tax 1.34 and 0.33; of 7.51 the developer gets four fifths and one fifth.
    @Test func `an add-on is a row of its own and one lineage`() throws {
        var order = PlayPaper.january
        order.lines.append(PlayPaper.line(.addonMonthly, .base, 210, 33))
        order.revenueMicros = 7_510_000
        let backend = PlayPaper.backend(
            PlayPaper.token(
                [order],
                [
                    PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z", order: order),
                    PlayPaper.moment(
                        .canceled, "2026-01-20T10:00:00Z", until: "2026-02-01T10:00:00Z", renews: false, order: order,
                        by: .user(at: instant("2026-01-20T10:00:00Z"))),
                    PlayPaper.moment(
                        .expired, "2026-02-01T10:00:00Z", until: "2026-02-01T10:00:00Z", renews: false, order: order,
                        by: .user(at: instant("2026-01-20T10:00:00Z"))),
                ]))
        let books = backend.books(at: "2026-02-03T00:00:00Z")
        #expect(
            books.playRows() == ["purchase 2100000/330000/1502000", "purchase 8400000/1340000/6008000"])
        #expect(books.playStates() == ["token-1 expired monthly ends 2026-02-01T10:00:00Z voluntary"])
        #expect(
            books.subscriptions(.happened).first?.items.map(\.productID) == [
                "com.acme.app.monthly", "com.acme.app.addon.monthly",
            ])
        #expect(
            books.playRevenue(through: "2026-01-31") == [
                "2026-01-01 charges 1 2100000 refunds 0 0 tax 330000 proceeds 1502000",
                "2026-01-01 charges 1 8400000 refunds 0 0 tax 1340000 proceeds 6008000",
            ])
        #expect(books.playChurn(through: "2026-02-03") == ["2026-02-01 monthly opening 1 voluntary 1"])
        let total = try backend.order(
            PlayPaper.base, backend.apps[0], at: instant("2026-01-02T00:00:00Z"), isReported: false)
        #expect((total.object["total"] as? [String: Any])?["units"] as? String == "10")
        #expect((total.object["total"] as? [String: Any])?["nanos"] as? Int == 500_000_000)
    }

    /// A prepaid month, topped up on the 20th: the rest of the old one and a month more; revenue, but no subscriber.
    @Test func `a top-up is a new purchase that neither renews nor churns`() {
        let first = PlayPaper.order(
            nil, "2026-01-01T10:00:00Z", "2026-01-01T10:00:00Z", "2026-02-01T10:00:00Z", product: .prepaidMonthly)
        let more = PlayPaper.order(
            nil, "2026-01-20T10:00:00Z", "2026-01-20T10:00:00Z", "2026-03-01T10:00:00Z", base: Self.second,
            product: .prepaidMonthly)
        let backend = PlayPaper.backend(
            PlayPaper.token(
                "token-1", [first],
                [
                    PlayPaper.moment(
                        .active, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z", renews: false, order: first),
                    PlayPaper.moment(
                        .expired, "2026-01-20T10:00:00Z", until: "2026-01-20T10:00:00Z", renews: false, order: first,
                        by: .replacement),
                ]
            ) { $0.isPrepaid = true },
            PlayPaper.token(
                "token-2", linkedTo: "token-1", [more],
                [
                    PlayPaper.moment(
                        .active, "2026-01-20T10:00:00Z", until: "2026-03-01T10:00:00Z", renews: false, order: more),
                    PlayPaper.moment(
                        .expired, "2026-03-01T10:00:00Z", until: "2026-03-01T10:00:00Z", renews: false, order: more),
                ]
            ) { $0.isPrepaid = true })
        let books = backend.books(at: "2026-03-02T00:00:00Z")
        #expect(
            books.playRows() == [
                "top_up 8400000/1340000/6000000 upgraded", "top_up 8400000/1340000/6000000",
            ])
        #expect(
            books.playStates() == [
                "token-1 expired prepaid.monthly ends 2026-01-20T10:00:00Z replaced",
                "token-2 expired prepaid.monthly ends 2026-03-01T10:00:00Z unknown",
            ])
        #expect(books.subscriptions(.happened).allSatisfy { $0.autoRenewProductID == nil })
        #expect(books.playRevenue(through: "2026-03-31").count == 2)
        #expect(books.playChurn(through: "2026-03-01") == [])
    }

    /// Given back on the 10th with access taken away at once: churned that day for the refund.
    @Test func `a revoked purchase ends with its refund and stands in the list of voids`() throws {
        var order = PlayPaper.january
        order.refund(at: instant("2026-01-10T12:00:00Z"), requestedAt: instant("2026-01-10T12:00:00Z"))
        order.void = .init(
            at: instant("2026-01-10T12:00:00Z"), seenAt: instant("2026-01-10T20:00:00Z"), source: 1, reason: 1)
        let backend = PlayPaper.backend(
            PlayPaper.token(
                [order],
                [
                    PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z"),
                    PlayPaper.moment(
                        .expired, "2026-01-10T12:00:00Z", until: "2026-01-10T12:00:00Z", renews: false, by: .developer),
                ]))
        let books = backend.books(at: "2026-01-12T00:00:00Z")
        #expect(books.playStates() == ["token-1 revoked monthly ends 2026-01-10T12:00:00Z refund"])
        #expect(books.playChurn(through: "2026-01-12") == ["2026-01-10 monthly opening 1 refund 1"])
        let query = ["type": "1"]
        let early = try backend.voided(query, backend.apps[0], at: instant("2026-01-10T19:00:00Z"))
        #expect(early.object["voidedPurchases"] == nil)
        let late = try backend.voided(query, backend.apps[0], at: instant("2026-01-10T21:00:00Z"))
        let entry = (late.object["voidedPurchases"] as? [[String: Any]])?.first
        #expect(entry?["orderId"] as? String == PlayPaper.base)
        #expect(entry?["voidedTimeMillis"] as? String == "1768046400000")
        #expect(entry?["voidedSource"] as? Int == 1)
    }
}
