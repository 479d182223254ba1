// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreSimulator

/// Why a purchase ended, and when its customer said so: on paper.
@Suite struct PlayEndTests {
    private static let end = "2026-02-01T10:00:00Z"

    /// A month that the store did not go on with, with what its item showed at the end.
    private static func ended(
        app: SimulatedApp = PlayPaper.app, _ change: (inout PlayMoment.Item) -> Void
    ) -> PlayBackend {
        var bought = PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: end)
        var over = PlayPaper.moment(.expired, end, until: end, renews: false, by: .system)
        change(&bought.items[0])
        change(&over.items[0])
        return PlayPaper.backend(PlayPaper.token([PlayPaper.january], [bought, over]), app: app)
    }

    private static func consent(_ state: PlayStepUp.State) -> PlayStepUp {
        PlayStepUp(state: state, newMicros: 16_800_000, deadline: instant("2026-01-31T10:00:00Z"))
    }

    private static func price(_ mode: PlayPriceChange.Mode, _ state: PlayPriceChange.State) -> PlayPriceChange {
        PlayPriceChange(mode: mode, state: state, newMicros: 12_600_000, expectedAt: instant(end))
    }

    @Test func `B5: who never said yes to a higher price left for the price, and not for a payment that failed`() {
        let ends: [(PlayBackend, String)] = [
            (Self.ended { $0.priceChange = Self.price(.optIn, .outstanding) }, "price"),
            (Self.ended { $0.stepUp = Self.consent(.pending) }, "price"),
            (Self.ended { $0.priceChange = Self.price(.optIn, .confirmed) }, "involuntary"),
            // This one needs no yes: it comes unless the customer leaves.
            (Self.ended { $0.priceChange = Self.price(.optOut, .outstanding) }, "involuntary"),
            (Self.ended { $0.stepUp = Self.consent(.confirmed) }, "involuntary"),
            (Self.ended { _ in }, "involuntary"),
        ]
        for (backend, reason) in ends {
            let books = backend.books(at: "2026-02-03T00:00:00Z")
            #expect(books.playStates() == ["token-1 expired monthly ends \(Self.end) \(reason)"])
            #expect(books.playChurn(through: "2026-02-02") == ["2026-02-01 monthly opening 1 \(reason) 1"])
        }
    }

    @Test func `who leaves while a price is outstanding leaves of their own accord`() {
        var over = PlayPaper.moment(
            .expired, Self.end, until: Self.end, renews: false, by: .user(at: instant("2026-01-20T10:00:00Z")))
        over.items[0].priceChange = Self.price(.optIn, .outstanding)
        let bought = PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: Self.end)
        let backend = PlayPaper.backend(PlayPaper.token([PlayPaper.january], [bought, over]))
        #expect(backend.books(at: "2026-02-03T00:00:00Z").playStates().map { $0.hasSuffix("voluntary") } == [true])
    }

    /// The old interface tells a price change only as long as the purchase lives, so nobody can know why it ended.
    @Test func `the old interface tells no price of what has ended`() throws {
        let app = SimulatedApp.play(id: "acme-old", packageName: "com.acme.app", api: .v1)
        let backend = Self.ended(app: app) { $0.priceChange = Self.price(.optIn, .outstanding) }
        let ask = { (now: String) in
            try backend.subscriptionV1(
                "token-1", product: "com.acme.app.monthly", app, at: instant(now), isReported: true)
        }
        #expect((try ask("2026-01-20T00:00:00Z").object["priceChange"] as? [String: Any])?["state"] as? Int == 0)
        #expect(try ask("2026-02-03T00:00:00Z").object["priceChange"] == nil)
        #expect(
            backend.books(at: "2026-02-03T00:00:00Z").playStates() == [
                "token-1 expired monthly ends \(Self.end) involuntary"
            ])
    }

    /// Cancelled on the 10th, asked about only when the month was over.
    @Test func `B3: a cancellation in mid-period is dated by the store, however late it is asked`() throws {
        let off = instant("2026-01-10T10:00:00Z")
        let backend = PlayPaper.backend(
            PlayPaper.token(
                [PlayPaper.january],
                [
                    PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: Self.end),
                    PlayPaper.moment(
                        .canceled, "2026-01-10T10:00:00Z", until: Self.end, renews: false, by: .user(at: off)),
                    PlayPaper.moment(.expired, Self.end, until: Self.end, renews: false, by: .user(at: off)),
                ]))
        try backend.ask("token-1", at: "2026-01-05T00:00:00Z")
        #expect(backend.books(at: "2026-02-02T00:00:00Z").datedCancellations == [])
        let answer = try backend.ask("token-1", at: "2026-02-02T00:00:00Z")
        let user = (answer["canceledStateContext"] as? [String: [String: Any]])?["userInitiatedCancellation"]
        #expect(user?["cancelTime"] as? String == "2026-01-10T10:00:00Z")
        #expect(
            backend.books(at: "2026-02-02T00:00:00Z").datedCancellations == [
                DatedCancellation(appID: "acme-android", storeKey: "token-1", at: off)
            ])
    }

    /// January's money went back on the 10th: the customer's bank took it, or the developer gave it.
    @Test(arguments: [(true, BookedTransaction.RefundReason.chargeback), (false, nil)])
    func `a bank that takes the money back is the reason`(
        isChargeback: Bool, reason: BookedTransaction.RefundReason?
    ) throws {
        let back = "2026-01-10T10:00:00Z"
        var order = PlayPaper.january
        order.refund(at: instant(back), requestedAt: instant(back), isChargeback: isChargeback)
        let by: PlayMoment.Cancellation = isChargeback ? .system : .developer
        let backend = PlayPaper.backend(
            PlayPaper.token(
                [order],
                [
                    PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: Self.end),
                    PlayPaper.moment(.expired, back, until: back, renews: false, by: by),
                ]))
        // Who saw the order before knows nothing of it yet.
        try backend.ask("token-1", orders: [order.id], at: "2026-01-09T00:00:00Z")
        let books = backend.books(at: "2026-01-20T00:00:00Z")
        #expect(books.transactions(.disclosed).map(\.refundReason) == [nil])
        #expect(books.transactions(.happened).map(\.refundKind) == [.full])
        #expect(books.transactions(.happened).map(\.refundReason) == [reason])
        try backend.ask("token-1", orders: [order.id], at: "2026-01-20T00:00:00Z")
        #expect(backend.books(at: "2026-01-20T00:00:00Z").transactions(.disclosed).map(\.refundReason) == [reason])
    }

    /// Taken back on the 15th: only who asked in between can know of it.
    @Test func `a cancellation that was taken back is known to who asked in between`() throws {
        let off = instant("2026-01-10T10:00:00Z")
        func backend() -> PlayBackend {
            PlayPaper.backend(
                PlayPaper.token(
                    [PlayPaper.january],
                    [
                        PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: Self.end),
                        PlayPaper.moment(
                            .canceled, "2026-01-10T10:00:00Z", until: Self.end, renews: false, by: .user(at: off)),
                        PlayPaper.moment(.active, "2026-01-15T10:00:00Z", until: Self.end),
                    ]))
        }
        let (early, late) = (backend(), backend())
        try early.ask("token-1", at: "2026-01-12T00:00:00Z")
        try early.ask("token-1", at: "2026-01-20T00:00:00Z")
        try late.ask("token-1", at: "2026-01-20T00:00:00Z")
        #expect(early.books(at: "2026-01-20T00:00:00Z").datedCancellations.map(\.at) == [off])
        #expect(late.books(at: "2026-01-20T00:00:00Z").datedCancellations == [])
    }

    /// Three instalments, left on the 10th of January with two to come: the date is told when the last is over, and to who heard of
    /// the instalments it is no day on which anything was switched off.
    @Test
    func `B7: instalments that were said to run out switch nothing off on the day they were left`() throws {
        let off = instant("2026-01-10T10:00:00Z")
        var leaving = PlayPaper.moment(.active, "2026-01-10T10:00:00Z", until: Self.end)
        leaving.items[0].instalments = PlayInstalments(initial: 3, remaining: 2, isCancellationPending: true)
        let over = PlayPaper.moment(.expired, Self.end, until: Self.end, renews: false, by: .user(at: off))
        func backend() -> PlayBackend { PlayPaper.backend(PlayPaper.token([PlayPaper.january], [leaving, over])) }
        let (told, late) = (backend(), backend())
        try told.ask("token-1", at: "2026-01-12T00:00:00Z")
        for backend in [told, late] { try backend.ask("token-1", at: "2026-02-02T00:00:00Z") }
        #expect(told.books(at: "2026-02-02T00:00:00Z").datedCancellations == [])
        #expect(late.books(at: "2026-02-02T00:00:00Z").datedCancellations.map(\.at) == [off])
    }
}
