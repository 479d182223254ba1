// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreSimulator

/// The Play books of hand-written lives, against figures worked out on paper.
@Suite struct PlayBooksTests {
    @Test func `a trial that is paid for converts, and its money is tax, fee and proceeds`() {
        let paid = PlayPaper.order(0, "2026-01-08T09:00:00Z", "2026-01-08T10:00:00Z", "2026-02-08T10:00:00Z")
        let backend = PlayPaper.backend(
            PlayPaper.token(
                [PlayPaper.trial, paid],
                [
                    PlayPaper.moment(
                        .active, "2026-01-01T10:00:00Z", until: "2026-01-08T10:00:00Z", order: PlayPaper.trial),
                    PlayPaper.moment(.active, "2026-01-08T09:00:00Z", until: "2026-02-08T10:00:00Z", order: paid),
                ]))
        #expect(backend.books(at: "2026-01-05T00:00:00Z").playRows() == ["trial introductory 0/0/-"])
        #expect(
            backend.books(at: "2026-01-05T00:00:00Z").playStates() == [
                "token-1 trial monthly renews 2026-01-08T10:00:00Z"
            ])
        let books = backend.books(at: "2026-01-10T00:00:00Z")
        #expect(
            books.playRows() == ["trial introductory 0/0/-", "..0 purchase converted 8400000/1340000/6000000"])
        #expect(books.playStates() == ["token-1 active monthly renews 2026-02-08T10:00:00Z"])
        #expect(
            books.playRevenue(through: "2026-01-31") == [
                "2026-01-08 charges 1 8400000 refunds 0 0 tax 1340000 proceeds 6000000"
            ])
        #expect(books.playChurn(through: "2026-01-09") == ["2026-01-09 monthly opening 1"])
        #expect(books.playChurn(through: "2026-01-08") == [])
    }

    /// Over on 1 February, forgotten 60 days later, on 2 April.
    @Test func `a purchase that nobody asked about before it was forgotten is overlooked`() throws {
        func backend() -> PlayBackend {
            PlayPaper.backend(
                PlayPaper.token(
                    [PlayPaper.january],
                    [
                        PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z"),
                        PlayPaper.moment(
                            .expired, "2026-02-01T10:00:00Z", until: "2026-02-01T10:00:00Z", renews: false, by: .system),
                    ]))
        }
        func overlooked(_ backend: PlayBackend, at now: String, since first: String) -> [String] {
            backend.books(at: now).overlookedPurchases(since: instant(first))
        }
        let firstNight = "2026-01-20T02:15:00Z"
        #expect(overlooked(backend(), at: "2026-04-02T10:00:00Z", since: firstNight) == [])
        #expect(overlooked(backend(), at: "2026-04-02T10:00:01Z", since: firstNight) == ["token-1"])
        #expect(overlooked(backend(), at: "2026-04-05T10:00:00Z", since: "2026-04-03T02:15:00Z") == [])
        let asked = backend()
        try asked.ask("token-1", at: "2026-03-01T02:15:00Z")
        #expect(overlooked(asked, at: "2026-04-05T10:00:00Z", since: firstNight) == [])
    }

    /// 8.40, then a quarter, a half, and the rest: 2.10, 4.20, 2.10; tax 1.34 in 0.335, 0.67, 0.335; proceeds 6.00 in
    /// 1.50, 3.00, 1.50.
    @Test func `partial refunds stand on their own days, and the last one takes the rest`() {
        var order = PlayPaper.january
        order.refunds = [
            .init(
                requestedAt: instant("2026-01-05T10:00:00Z"), processedAt: instant("2026-01-06T10:00:00Z"),
                micros: 2_100_000, taxMicros: 335_000, isWhole: false),
            .init(
                requestedAt: instant("2026-01-09T10:00:00Z"), processedAt: instant("2026-01-09T12:00:00Z"),
                micros: 4_200_000, taxMicros: 670_000, isWhole: false),
        ]
        order.refund(at: instant("2026-01-20T12:00:00Z"), requestedAt: instant("2026-01-19T12:00:00Z"))
        let backend = PlayPaper.backend(
            PlayPaper.token(
                [order, PlayPaper.february],
                [
                    PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z"),
                    PlayPaper.moment(
                        .active, "2026-02-01T08:00:00Z", until: "2026-03-01T10:00:00Z", order: PlayPaper.february),
                ]))
        #expect(backend.books(at: "2026-01-05T12:00:00Z").playRows() == ["purchase 8400000/1340000/6000000"])
        let half = backend.books(at: "2026-01-10T00:00:00Z")
        #expect(half.playRows() == ["purchase 8400000/1340000/6000000 partial 6300000"])
        let parts = [
            "2026-01-01 charges 1 8400000 refunds 0 0 tax 1340000 proceeds 6000000",
            "2026-01-06 charges 0 0 refunds 1 2100000 tax -335000 proceeds -1500000",
            "2026-01-09 charges 0 0 refunds 1 4200000 tax -670000 proceeds -3000000",
        ]
        #expect(half.playRevenue(through: "2026-01-31") == parts)
        // Seen for the first time when all of it is given back: what the developer had got is never told.
        let whole = backend.books(at: "2026-02-02T00:00:00Z")
        #expect(whole.playRows().first == "purchase 8400000/1340000/- full 8400000")
        // The customer goes on: money moved, nothing else.
        #expect(whole.playStates() == ["token-1 active monthly renews 2026-03-01T10:00:00Z"])
        #expect(whole.playChurn(through: "2026-02-02") == ["2026-02-02 monthly opening 1"])
    }

    @Test func `what the developer got is kept from the first time it was shown`() throws {
        var order = PlayPaper.january
        order.refunds = [
            .init(
                requestedAt: instant("2026-01-05T10:00:00Z"), processedAt: instant("2026-01-06T10:00:00Z"),
                micros: 2_100_000, taxMicros: 335_000, isWhole: false)
        ]
        order.refund(at: instant("2026-01-20T12:00:00Z"), requestedAt: instant("2026-01-20T12:00:00Z"))
        let backend = PlayPaper.backend(
            PlayPaper.token(
                [order], [PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z")]))
        #expect(backend.books(at: "2026-01-08T00:00:00Z").playRows(.disclosed) == [])
        // Net of the quarter given back: 4.50 are shown, 6.00 were earned.
        let answer = try backend.order(
            PlayPaper.base, backend.apps[0], at: instant("2026-01-08T00:00:00Z"), isReported: true)
        let revenue = answer.object["developerRevenueInBuyerCurrency"] as? [String: Any]
        #expect(revenue?["units"] as? String == "4")
        #expect(revenue?["nanos"] as? Int == 500_000_000)
        #expect(
            backend.books(at: "2026-01-30T00:00:00Z").playRows(.disclosed) == [
                "purchase 8400000/1340000/6000000 partial 2100000"
            ])
        #expect(
            backend.books(at: "2026-01-30T00:00:00Z").playRows() == ["purchase 8400000/1340000/6000000 full 8400000"])
        #expect(
            backend.books(at: "2026-01-30T00:00:00Z").playStates(.disclosed) == [
                "token-1 unverified  ends 1970-01-01T00:00:00Z"
            ])
    }

    /// Paid until 1 February 10:00; grace by steps of three days to the 10th; then given up.
    @Test func `a grace that is lost lengthens the access, but not what was paid for`() throws {
        let declined = "\(PlayPaper.base)..0"
        let backend = PlayPaper.backend(
            PlayPaper.token(
                [PlayPaper.january],
                [
                    PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z"),
                    PlayPaper.moment(
                        .grace, "2026-02-01T10:00:00Z", until: "2026-02-04T10:00:00Z", declined: declined),
                    PlayPaper.moment(
                        .grace, "2026-02-04T10:00:00Z", until: "2026-02-10T10:00:00Z", declined: declined),
                    PlayPaper.moment(
                        .expired, "2026-02-10T10:00:00Z", until: "2026-02-10T10:00:00Z", renews: false, by: .system),
                ]))
        let answer = try backend.ask("token-1", at: "2026-02-02T00:00:00Z")
        let context = answer["inGracePeriodStateContext"] as? [String: [String: String]]
        #expect(context?["renewalDeclined"]?["pendingOrderId"] == declined)
        #expect(answer["subscriptionState"] as? String == "SUBSCRIPTION_STATE_IN_GRACE_PERIOD")
        #expect(
            backend.books(at: "2026-02-05T00:00:00Z").playStates() == [
                "token-1 grace monthly renews 2026-02-01T10:00:00Z grace 2026-02-10T10:00:00Z"
            ])
        #expect(
            backend.books(at: "2026-02-05T00:00:00Z").playChurn(through: "2026-02-04") == [
                "2026-02-04 monthly opening 1"
            ]
        )
        let after = backend.books(at: "2026-02-11T00:00:00Z")
        #expect(after.playStates() == ["token-1 expired monthly ends 2026-02-01T10:00:00Z involuntary"])
        #expect(after.playChurn(through: "2026-02-12") == ["2026-02-10 monthly opening 1 involuntary 1"])
    }

    /// Unpaid from 1 February on, paid on the 11th: lapsed on the 1st, back on the 11th, with a new billing date.
    @Test func `a hold that is paid lapses and comes back as a renewal`() throws {
        let back = PlayPaper.order(1, "2026-02-11T12:00:00Z", "2026-02-11T12:00:00Z", "2026-03-11T12:00:00Z")
        var declined = PlayPaper.order(0, "2026-02-01T10:00:00Z", "2026-02-01T10:00:00Z", "2026-03-01T10:00:00Z")
        declined.processedAt = nil
        declined.canceledAt = instant("2026-02-11T11:00:00Z")
        declined.revenueMicros = nil
        let backend = PlayPaper.backend(
            PlayPaper.token(
                [PlayPaper.january, declined, back],
                [
                    PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z"),
                    PlayPaper.moment(
                        .hold, "2026-02-01T10:00:00Z", until: "2026-02-01T10:00:00Z", declined: declined.id),
                    PlayPaper.moment(.active, "2026-02-11T12:00:00Z", until: "2026-03-11T12:00:00Z", order: back),
                ]))
        let pending = try backend.order(
            declined.id, backend.apps[0], at: instant("2026-02-02T00:00:00Z"), isReported: true)
        #expect(pending.object["state"] as? String == "PENDING")
        #expect((pending.object["total"] as? [String: Any])?["units"] as? String == "8")
        #expect(pending.object["developerRevenueInBuyerCurrency"] == nil)
        let canceled = try backend.order(
            declined.id, backend.apps[0], at: instant("2026-02-12T00:00:00Z"), isReported: true)
        #expect(canceled.object["state"] as? String == "CANCELED")
        #expect(backend.books(at: "2026-02-12T00:00:00Z").playRows(.disclosed) == [])
        #expect(
            backend.books(at: "2026-02-05T00:00:00Z").playStates() == [
                "token-1 billing_retry monthly renews 2026-02-01T10:00:00Z"
            ])
        let books = backend.books(at: "2026-02-13T00:00:00Z")
        #expect(
            books.playRows() == [
                "purchase 8400000/1340000/6000000", "..1 renewal 8400000/1340000/6000000",
            ])
        #expect(
            books.playChurn(through: "2026-02-12") == [
                "2026-02-01 monthly opening 1 lapsed 1", "2026-02-12 monthly opening 1",
            ])
    }

    /// A pause is no churn and no lapse where it was told; a reader that never heard of it sees an unpaid gap.
    @Test func `a pause leaves the opening without churn once it is told`() throws {
        let back = PlayPaper.order(0, "2026-03-01T10:00:00Z", "2026-03-01T10:00:00Z", "2026-04-01T10:00:00Z")
        let backend = PlayPaper.backend(
            PlayPaper.token(
                [PlayPaper.january, back],
                [
                    PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z"),
                    PlayPaper.moment(
                        .paused, "2026-02-01T10:00:00Z", until: "2026-02-01T10:00:00Z", resumes: "2026-03-01T10:00:00Z"),
                    PlayPaper.moment(.active, "2026-03-01T10:00:00Z", until: "2026-04-01T10:00:00Z", order: back),
                ]))
        #expect(
            backend.books(at: "2026-03-02T00:00:00Z").playChurn(through: "2026-03-02") == [
                "2026-02-01 monthly opening 1 lapsed 1", "2026-03-02 monthly opening 1",
            ])
        let answer = try backend.ask("token-1", at: "2026-02-02T00:00:00Z")
        let context = answer["pausedStateContext"] as? [String: String]
        #expect(context?["autoResumeTime"] == "2026-03-01T10:00:00Z")
        #expect(
            backend.books(at: "2026-03-02T00:00:00Z").playChurn(through: "2026-03-02") == [
                "2026-03-02 monthly opening 1"
            ]
        )
        #expect(
            backend.books(at: "2026-03-02T00:00:00Z").playStates(.disclosed) == [
                "token-1 paused monthly renews 2026-02-01T10:00:00Z"
            ])
    }
}
