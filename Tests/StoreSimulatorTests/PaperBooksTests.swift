// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreSimulator

/// The books of what happened, for lives that were worked out on paper first: how they begin and go on.
@Suite struct PaperBooksTests {
    @Test func `a trial that converts is a purchase on the day of its first charge`() {
        let paid = Paper.period(2, "2026-01-08T10:00:00Z", "2026-02-08T10:00:00Z")
        let books = Paper.books(Paper.life(Paper.trial(), paid), at: "2026-01-11T00:00:00Z")
        #expect(books.happened.map(\.kind) == [.trial, .purchase])
        #expect(books.happened.map(\.isTrialConversion) == [false, true])
        #expect(books.happened.map(\.offerType) == [.introductory, nil])
        #expect(books.sold(through: "2026-01-10") == ["2026-01-08 US USD charges 1 7990000 refunds 0 0"])
        #expect(books.churned(through: "2026-01-10") == Books.quiet("01-09", "01-10"))
        #expect(books.states(.happened) == ["active"])
        #expect(books.transactions(.disclosed).isEmpty && books.subscriptions(.disclosed).isEmpty)
    }

    @Test func `a running trial is a trial, and nobody's revenue or churn`() {
        let life = Paper.life(Paper.trial().with { $0.ending = .expires(.voluntary) })
        #expect(Paper.books(life, at: "2026-01-05T00:00:00Z").states(.happened) == ["trial"])
        let after = Paper.books(life, at: "2026-01-20T00:00:00Z")
        #expect(after.states(.happened) == ["expired voluntary"])
        #expect(after.churned(through: "2026-01-19").isEmpty && after.sold(through: "2026-01-19").isEmpty)
    }

    @Test func `every field of a period is booked as the store knows it`() {
        let offer = Offer(.promotional, .payAsYouGo, identifier: "loyal.20", term: .months(1))
        let life = Paper.life(Paper.january(), Paper.february().with { $0.offer = offer })
        let booked = Paper.books(life, at: "2026-02-03T00:00:00Z").happened
        #expect(booked.count == 2)
        #expect(
            booked.last
                == BookedTransaction(
                    appID: "acme-ios", originalTransactionID: "100000000000001", transactionID: "100000000000002",
                    productID: "com.acme.app.monthly", periodKey: "500000000000002", kind: .renewal,
                    isTrialConversion: false, offerType: .promotional, ownership: .purchased, environment: .production,
                    country: "US", purchasedAt: 1_769_940_000_000_000, periodStart: 1_769_940_000_000_000,
                    periodEnd: 1_772_359_200_000_000, priceMicros: 7_990_000, currency: "USD", refundedAt: nil,
                    refundKind: nil, refundMicros: nil, isUpgraded: false))
    }

    @Test func `a renewal that is already visible is booked before it begins`() {
        let renewal = Paper.february().with { $0.createdAt = instant("2026-01-31T12:00:00Z") }
        let life = Paper.life(Paper.january(), renewal)
        #expect(Paper.books(life, at: "2026-01-31T11:59:59Z").happened.count == 1)
        #expect(Paper.books(life, at: "2026-01-31T12:00:00Z").happened.count == 2)
    }

    @Test func `two minutes between periods are no gap`() {
        let life = Paper.life(Paper.january(), Paper.period(2, "2026-02-01T10:02:00Z", "2026-03-01T10:02:00Z"))
        #expect(Paper.books(life, at: "2026-02-01T10:01:00Z").states(.happened) == ["active"])
        let books = Paper.books(life, at: "2026-02-03T00:00:00Z")
        #expect(books.happened.map(\.kind) == [.purchase, .renewal])
        #expect(books.churned(from: "2026-02-01", through: "2026-02-02") == Books.quiet("02-01", "02-02"))
    }

    @Test func `an upgrade moves the lineage to the new product without churn`() {
        let at = "2026-01-11T10:00:00Z"
        let new = Paper.period(2, at, "2026-02-11T10:00:00Z", product: Paper.premium, price: 19_990, reason: .purchase)
        let life = Paper.life(Paper.january().with { $0.upgradedAt = instant(at) }, new)
        let books = Paper.books(life, at: "2026-01-13T00:00:00Z")
        #expect(books.happened.map(\.kind) == [.purchase, .upgrade])
        #expect(books.happened.map(\.isUpgraded) == [true, false])
        // The superseded row keeps its price: the store does not tell the credit.
        #expect(
            books.sold(through: "2026-01-12") == [
                "2026-01-01 US USD charges 1 7990000 refunds 0 0", "2026-01-11 US USD charges 1 19990000 refunds 0 0",
            ])
        #expect(
            books.churned(from: "2026-01-10", through: "2026-01-12") == [
                "2026-01-10 monthly opening 1", "2026-01-11 monthly opening 1", "2026-01-12 premium.monthly opening 1",
            ])
    }

    @Test(
        arguments: [
            (7_989, BookedTransaction.Kind.downgrade), (7_990, .crossgrade), (7_991, .upgrade), (nil, .crossgrade),
        ] as [(Int64?, BookedTransaction.Kind)])
    func `the monthly value of the prices decides the direction`(price: Int64?, kind: BookedTransaction.Kind) {
        let new = Paper.february().with {
            $0.productID = "com.acme.app.other"
            $0.priceMilliunits = price
        }
        let books = Paper.books(Paper.life(Paper.january(), new), at: "2026-02-05T00:00:00Z")
        #expect(books.happened.map(\.kind) == [.purchase, kind])
    }

    @Test func `a year is compared by its twelfth`() {
        // 95.88 a year is 7.99 a month; 95.89 is more.
        func kind(_ price: Int64) -> BookedTransaction.Kind? {
            let year = Paper.february().with {
                ($0.productID, $0.term, $0.priceMilliunits) = ("com.acme.app.yearly", .months(12), price)
                $0.expiresAt = instant("2027-02-01T10:00:00Z")
            }
            return Paper.books(Paper.life(Paper.january(), year), at: "2026-02-05T00:00:00Z").happened.last?.kind
        }
        #expect(kind(95_880) == .crossgrade)
        #expect(kind(95_890) == .upgrade)
        #expect(kind(95_870) == .downgrade)
    }

    @Test func `free of charge is no trial and not paid`() {
        let life = Paper.life(Paper.january().with { $0.priceMilliunits = 0 }, Paper.february())
        let books = Paper.books(life, at: "2026-02-03T00:00:00Z")
        #expect(books.happened.map(\.kind) == [.purchase, .purchase])
        #expect(books.happened.map(\.isTrialConversion) == [false, false])
        #expect(books.churned(through: "2026-02-02") == Books.quiet("02-02"))
        #expect(books.sold(through: "2026-02-02") == ["2026-02-01 US USD charges 1 7990000 refunds 0 0"])
    }

    @Test func `who goes on for nothing leaves the paying ones without churn`() {
        let life = Paper.life(Paper.january(), Paper.february().with { $0.priceMilliunits = 0 })
        let books = Paper.books(life, at: "2026-02-04T00:00:00Z")
        #expect(books.churned(from: "2026-01-31", through: "2026-02-03") == Books.quiet("01-31", "02-01"))
    }

    @Test func `an unknown price counts as a subscriber and as nobody's money`() {
        let life = Paper.life(Paper.january().with { $0.priceMilliunits = nil })
        let books = Paper.books(life, at: "2026-01-04T00:00:00Z")
        #expect(books.happened.map(\.priceMicros) == [nil] && books.happened.map(\.currency) == [nil])
        #expect(books.churned(through: "2026-01-03") == Books.quiet("01-02", "01-03"))
        #expect(books.sold(through: "2026-01-03").isEmpty)
    }

    @Test func `testers and families count for nothing`() {
        let family = Paper.customers(Paper.life(Paper.january(), ownership: .familyShared))
        let tester = Paper.customers(Paper.life(Paper.january()), environment: .sandbox)
        for customers in [family, tester] {
            let books = Books(customers: customers, apps: [Paper.app], now: instant("2026-01-20T00:00:00Z"))
            #expect(books.happened.count == 1)
            #expect(books.churned(through: "2026-01-19").isEmpty && books.sold(through: "2026-01-19").isEmpty)
        }
    }
}
