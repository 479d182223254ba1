// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreSimulator

/// Lives in which the plan itself changes, against figures worked out on paper.
@Suite struct PlayPlanTests {
    private static let otherBase = "GPA.5555-6666-7777-88888"
    private static let bought = PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z")

    /// A month for 8.40, changed on the 16th for the plan of 22.00: what is left of the month pays until the 22nd.
    ///
    /// Nobody stops paying: the day in between counts like any other, and the first whole period is a renewal.
    @Test func `B7: a proration that costs nothing counts as paid, and what follows it is a renewal`() {
        var rest = PlayPaper.order(
            nil, "2026-01-16T10:00:00Z", "2026-01-16T10:00:00Z", "2026-01-22T10:00:00Z", base: Self.otherBase,
            product: .premiumMonthly, phase: .proration, total: 0, tax: 0, revenue: nil)
        rest.lines[0].listMicros = 22_000_000
        let whole = PlayPaper.order(
            0, "2026-01-22T09:00:00Z", "2026-01-22T10:00:00Z", "2026-02-22T10:00:00Z", base: Self.otherBase,
            product: .premiumMonthly, total: 2_200, tax: 351, revenue: 1_500)
        let backend = PlayPaper.backend(
            PlayPaper.token(
                [PlayPaper.january],
                [
                    Self.bought,
                    PlayPaper.moment(
                        .expired, "2026-01-16T10:00:00Z", until: "2026-01-16T10:00:00Z", renews: false,
                        by: .replacement),
                ]),
            PlayPaper.token(
                "token-2", linkedTo: "token-1", [rest, whole],
                [
                    PlayPaper.moment(.active, "2026-01-16T10:00:00Z", until: "2026-01-22T10:00:00Z", order: rest),
                    PlayPaper.moment(.active, "2026-01-22T09:00:00Z", until: "2026-02-22T10:00:00Z", order: whole),
                ]
            ) { $0.replacement = PlayReplacement(mode: .timeProration, product: .monthly) })
        let books = backend.books(at: "2026-01-25T00:00:00Z")
        #expect(
            books.playRows() == [
                "purchase 8400000/1340000/6000000 upgraded", "crossgrade 0/0/-",
                "..0 renewal 22000000/3510000/15000000",
            ])
        #expect(books.playChurn(through: "2026-01-16") == ["2026-01-16 monthly opening 1"])
        #expect(books.playChurn(through: "2026-01-20") == ["2026-01-20 premium.monthly opening 1"])
        #expect(books.playRevenue(through: "2026-01-31").count == 2)
        // As it was charged where nobody says how long the plan's own periods are, else at its price.
        let days = ["2026-01-16", "2026-01-22"]
        let closings: [PeriodLengths: [Int64]] = [.dates: [0, 22_000_000], .catalogue: [22_000_000, 22_000_000]]
        for (lengths, closing) in closings {
            let premium = books.metrics(.happened, lengths: lengths).bridge(through: "2026-01-22").filter {
                days.contains($0.date) && $0.product == "premium.monthly"
            }
            #expect(premium.sorted { $0.date < $1.date }.figures("closing") == closing)
        }
    }

    /// 8.40 a month; on the 11th an add-on for the rest of the month (1.05); together 10.50 from February on, of which the
    /// developer gets 7.50: 6.00 and 1.50.
    @Test func `B7: an add-on bought later is a line of its own, and its purchase's product stays what it was`() {
        var addOn = PlayPaper.order(
            0, "2026-01-11T10:00:00Z", "2026-01-11T10:00:00Z", "2026-02-01T10:00:00Z", product: .addonMonthly,
            phase: .proration, total: 105, tax: 17, revenue: 75)
        addOn.showsAddress = false
        var both = PlayPaper.order(
            1, "2026-02-01T08:00:00Z", "2026-02-01T10:00:00Z", "2026-03-01T10:00:00Z", revenue: 750)
        both.lines.append(PlayPaper.line(.addonMonthly, .base, 210, 34))
        var running = PlayPaper.moment(.active, "2026-01-11T10:00:00Z", until: "2026-02-01T10:00:00Z")
        running.items +=
            PlayPaper.moment(
                .active, "2026-01-11T10:00:00Z", until: "2026-02-01T10:00:00Z", order: addOn
            ).items
        let backend = PlayPaper.backend(
            PlayPaper.token(
                [PlayPaper.january, addOn, both],
                [
                    Self.bought, running,
                    PlayPaper.moment(.active, "2026-02-01T08:00:00Z", until: "2026-03-01T10:00:00Z", order: both),
                ]))
        let books = backend.books(at: "2026-02-05T00:00:00Z")
        #expect(
            books.playRows() == [
                "purchase 8400000/1340000/6000000", "..0 purchase 1050000/170000/750000",
                "..1 renewal 2100000/340000/1500000", "..1 renewal 8400000/1340000/6000000",
            ])
        #expect(books.playChurn(through: "2026-01-20") == ["2026-01-20 monthly opening 1"])
        #expect(books.playChurn(through: "2026-02-04") == ["2026-02-04 monthly opening 1"])
        #expect(
            backend.books(at: "2026-01-12T00:00:00Z").subscriptions(.happened).first?.items.map(\.latestTransactionID)
                == [
                    PlayPaper.base, "\(PlayPaper.base)..0",
                ])
    }

    @Test func `B7: a first payment that never comes ends without a row, a reason or a customer`() {
        var order = PlayPaper.january
        (order.processedAt, order.revenueMicros, order.canceledAt) = (nil, nil, instant("2026-01-03T10:00:00Z"))
        let backend = PlayPaper.backend(
            PlayPaper.token(
                [order],
                [
                    PlayPaper.moment(.pending, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z"),
                    PlayPaper.moment(
                        .pendingCanceled, "2026-01-03T10:00:00Z", until: "2026-01-03T10:00:00Z", renews: false),
                ]))
        #expect(
            backend.books(at: "2026-01-02T00:00:00Z").playStates() == [
                "token-1 pending monthly renews 2026-02-01T10:00:00Z"
            ])
        let books = backend.books(at: "2026-01-04T00:00:00Z")
        #expect(books.playStates() == ["token-1 expired monthly ends 2026-01-03T10:00:00Z unknown"])
        #expect(books.playRows() == [] && books.playRevenue(through: "2026-01-31") == [])
        #expect(books.playChurn(through: "2026-01-04") == [])
    }

    /// Paid until 1 February, given until the 15th: who was told so sees no gap, who was not sees two weeks of it.
    @Test func `B3: an expiry that the developer moved by two weeks is no lapse for who was told`() throws {
        let next = PlayPaper.order(0, "2026-02-15T10:00:00Z", "2026-02-15T10:00:00Z", "2026-03-15T10:00:00Z")
        let backend = PlayPaper.backend(
            PlayPaper.token(
                [PlayPaper.january, next],
                [
                    Self.bought,
                    PlayPaper.moment(.active, "2026-01-20T10:00:00Z", until: "2026-02-15T10:00:00Z"),
                    PlayPaper.moment(.active, "2026-02-15T10:00:00Z", until: "2026-03-15T10:00:00Z", order: next),
                ]))
        let untold = backend.books(at: "2026-02-17T00:00:00Z")
        #expect(
            untold.playChurn(through: "2026-02-16") == [
                "2026-02-01 monthly opening 1 lapsed 1", "2026-02-16 monthly opening 1",
            ])
        try backend.ask("token-1", at: "2026-02-02T00:00:00Z")
        let told = backend.books(at: "2026-02-17T00:00:00Z")
        #expect(told.playChurn(through: "2026-02-16") == ["2026-02-16 monthly opening 1"])
        #expect(told.playRows().last == "..0 renewal 8400000/1340000/6000000")
    }

    @Test func `B3: a purchase that is handed in after the store forgot it is out of reach, never churned`() throws {
        let old = PlayPaper.order(nil, "2025-09-01T10:00:00Z", "2025-09-01T10:00:00Z", "2025-10-01T10:00:00Z")
        let backend = PlayPaper.backend(
            PlayPaper.token(
                [old],
                [
                    PlayPaper.moment(.active, "2025-09-01T10:00:00Z", until: "2025-10-01T10:00:00Z", order: old),
                    PlayPaper.moment(
                        .expired, "2025-10-01T10:00:00Z", until: "2025-10-01T10:00:00Z", renews: false, order: old,
                        by: .user(at: instant("2025-09-10T10:00:00Z"))),
                ]))
        #expect(backend.books(at: "2026-01-05T00:00:00Z").playStates(.disclosed) == [])
        let answer = try backend.subscriptionV2(
            "token-1", PlayPaper.app, at: instant("2026-01-05T00:00:00Z"), isReported: true)
        #expect(answer.status == 410)
        let books = backend.books(at: "2026-01-05T00:00:00Z")
        for column in BookColumn.allCases {
            #expect(books.playStates(column) == ["token-1 unreachable monthly ends 2025-10-01T10:00:00Z"])
            #expect(books.playRows(column) == [] && books.playChurn(column, through: "2026-01-04") == [])
        }
    }

    /// 8.40, half of it back on the 16th with the access: a part only, so the developer's word stays the reason.
    @Test func `B6: a revocation with half of the money back ends access at once and is the developer's`() {
        var order = PlayPaper.january
        let at = instant("2026-01-16T10:00:00Z")
        order.refunds = [
            .init(requestedAt: at, processedAt: at, micros: 4_200_000, taxMicros: 670_000, isWhole: false)
        ]
        let backend = PlayPaper.backend(
            PlayPaper.token(
                [order],
                [
                    Self.bought,
                    PlayPaper.moment(
                        .expired, "2026-01-16T10:00:00Z", until: "2026-01-16T10:00:00Z", renews: false, by: .developer),
                ]))
        let books = backend.books(at: "2026-01-18T00:00:00Z")
        #expect(books.playStates() == ["token-1 expired monthly ends 2026-01-16T10:00:00Z developer"])
        #expect(books.playRows() == ["purchase 8400000/1340000/6000000 partial 4200000"])
        #expect(books.playChurn(through: "2026-01-17") == ["2026-01-16 monthly opening 1 other 1"])
    }

    @Test
    func `B7: prices, instalments, removals and replacements are told in Google's words, while they are told`() throws {
        var moment = Self.bought
        moment.items[0].priceChange = PlayPriceChange(
            mode: .optIn, state: .outstanding, newMicros: 9_990_000, expectedAt: instant("2026-02-01T10:00:00Z"))
        moment.items[0].stepUp = PlayStepUp(
            state: .pending, newMicros: 9_990_000, deadline: instant("2026-01-31T10:00:00Z"))
        moment.items[0].instalments = PlayInstalments(initial: 3, remaining: 2, isCancellationPending: true)
        moment.items[0].isToBeRemoved = true
        let backend = PlayPaper.backend(
            PlayPaper.token("token-1", [PlayPaper.january], [moment]) {
                $0.replacement = PlayReplacement(mode: .withoutProration, product: .weekly)
                $0.hasOneTimeCode = true
            })
        let item = { (now: String) throws -> [String: Any] in
            try #require((try backend.ask("token-1", at: now)["lineItems"] as? [[String: Any]])?.first)
        }
        let told = try item("2026-01-02T00:00:00Z")
        let plan = try #require(told["autoRenewingPlan"] as? [String: Any])
        let change = plan["priceChangeDetails"] as? [String: Any]
        #expect(change?["priceChangeMode"] as? String == "PRICE_INCREASE")
        #expect(change?["priceChangeState"] as? String == "OUTSTANDING")
        #expect(change?["expectedNewPriceChargeTime"] as? String == "2026-02-01T10:00:00Z")
        #expect((plan["priceStepUpConsentDetails"] as? [String: Any])?["state"] as? String == "PENDING")
        let instalments = plan["installmentDetails"] as? [String: Any]
        #expect(instalments?["remainingCommittedPaymentsCount"] as? Int == 2)
        #expect(instalments?["pendingCancellation"] is [String: Any])
        #expect(instalments?["subsequentCommittedPaymentsCount"] == nil)
        #expect(told["deferredItemRemoval"] is [String: Any])
        #expect((told["signupPromotion"] as? [String: Any])?["oneTimeCode"] is [String: Any])
        let replaced = told["itemReplacement"] as? [String: String]
        #expect(replaced?["replacementMode"] == "WITHOUT_PRORATION")
        #expect(replaced?["productId"] == "com.acme.app.weekly")
        #expect(try item("2026-03-01T00:00:00Z")["itemReplacement"] != nil)
        #expect(try item("2026-03-03T00:00:00Z")["itemReplacement"] == nil)
    }
}
