// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreSimulator

/// The books of what happened, for lives that were worked out on paper first: how they end.
@Suite struct PaperEndingTests {
    private static func unpaid(
        _ outcome: Ending.BillingTrouble.Outcome, grace: String? = nil
    ) -> Period {
        Paper.january().with { $0.ending = .billing(.init(graceEndsAt: grace.map(instant), outcome: outcome)) }
    }

    /// 60 days after the expiry.
    private static let givenUp = Ending.BillingTrouble.Outcome.givenUp(at: instant("2026-04-02T10:00:00Z"))

    @Test func `who cancels leaves on the day of the expiry`() {
        let life = Paper.life(Paper.january().with { $0.ending = .expires(.voluntary) })
        let rows = Paper.books(life, at: "2026-02-03T00:00:00Z").churned(through: "2026-02-02")
        #expect(rows.count == 31)
        #expect(rows.first == "2026-01-02 monthly opening 1")
        #expect(rows.last == "2026-02-01 monthly opening 1 churned 1 voluntary 1")
    }

    @Test(
        arguments: [(.voluntary, "voluntary"), (.price, "price"), (.product, "product"), (.unknown, "unknown")]
            as [(Ending.Intent, String)])
    func `the store's reason is booked`(intent: Ending.Intent, reason: String) {
        let life = Paper.life(Paper.january().with { $0.ending = .expires(intent) })
        let books = Paper.books(life, at: "2026-02-02T00:00:00Z")
        #expect(books.states(.happened) == ["expired \(reason)"])
        let column = reason == "unknown" ? "other" : reason
        #expect(
            books.churned(from: "2026-02-01", through: "2026-02-01")
                == ["2026-02-01 monthly opening 1 churned 1 \(column) 1"])
    }

    @Test func `who does not pay lapses first, and is lost on the same day once the store gives up`() {
        let life = Paper.life(Self.unpaid(Self.givenUp))
        let waiting = Paper.books(life, at: "2026-04-02T09:59:59Z")
        #expect(
            waiting.churned(from: "2026-02-01", through: "2026-04-01") == ["2026-02-01 monthly opening 1 lapsed 1"])
        #expect(waiting.states(.happened) == ["billing_retry"])
        let over = Paper.books(life, at: "2026-04-02T10:00:00Z")
        #expect(
            over.churned(from: "2026-02-01", through: "2026-04-01")
                == ["2026-02-01 monthly opening 1 churned 1 involuntary 1"])
        #expect(over.states(.happened) == ["expired involuntary"])
    }

    @Test func `who switches off during retry left of their own will`() {
        let life = Paper.life(Self.unpaid(.cancelled(at: instant("2026-02-09T00:00:00Z"))))
        #expect(
            Paper.books(life, at: "2026-02-10T00:00:00Z").churned(from: "2026-02-01", through: "2026-02-09")
                == ["2026-02-01 monthly opening 1 churned 1 voluntary 1"])
    }

    @Test func `who pays out of retry lapsed and is back as a renewal`() {
        let new = Paper.period(2, "2026-02-06T12:00:00Z", "2026-03-06T12:00:00Z")
        let books = Paper.books(Paper.life(Self.unpaid(.recovers), new), at: "2026-02-09T00:00:00Z")
        #expect(books.happened.map(\.kind) == [.purchase, .renewal])
        #expect(
            books.churned(from: "2026-01-31", through: "2026-02-08")
                == Books.quiet("01-31") + ["2026-02-01 monthly opening 1 lapsed 1"] + Books.quiet("02-07", "02-08"))
    }

    @Test func `who pays out of retry for a cheaper product lapsed too`() {
        let new = Paper.period(
            2, "2026-02-06T12:00:00Z", "2026-03-06T12:00:00Z", product: "com.acme.app.mini", price: 990)
        let books = Paper.books(Paper.life(Self.unpaid(.recovers), new), at: "2026-02-08T00:00:00Z")
        #expect(books.happened.map(\.kind) == [.purchase, .downgrade])
        #expect(
            books.churned(from: "2026-02-01", through: "2026-02-07")
                == ["2026-02-01 monthly opening 1 lapsed 1", "2026-02-07 mini opening 1"])
    }

    @Test func `grace keeps the subscriber and ends in retry`() {
        let life = Paper.life(Self.unpaid(Self.givenUp, grace: "2026-02-17T10:00:00Z"))
        let inside = Paper.books(life, at: "2026-02-04T00:00:00Z")
        #expect(inside.states(.happened) == ["grace"])
        #expect(inside.subscriptions(.happened).map(\.graceExpiresAt) == [instant("2026-02-17T10:00:00Z")])
        #expect(inside.churned(from: "2026-02-02", through: "2026-02-03") == Books.quiet("02-02", "02-03"))
        #expect(Paper.books(life, at: "2026-02-17T10:00:00Z").states(.happened) == ["billing_retry"])
    }

    @Test func `a refund ends the subscription on its own day`() {
        let refund = Refund(at: instant("2026-01-10T15:00:00Z"), extent: .full)
        let books = Paper.books(Paper.life(Paper.january().with { $0.refund = refund }), at: "2026-02-10T00:00:00Z")
        #expect(
            books.churned(from: "2026-01-09", through: "2026-02-09")
                == Books.quiet("01-09") + ["2026-01-10 monthly opening 1 churned 1 refund 1"])
        #expect(
            books.sold(through: "2026-02-09") == [
                "2026-01-01 US USD charges 1 7990000 refunds 0 0", "2026-01-10 US USD charges 0 0 refunds 1 7990000",
            ])
        #expect(books.states(.happened) == ["revoked refund"])
    }

    @Test func `a refund after the end wins over the reason and leaves the day alone`() {
        let life = Paper.life(
            Paper.january().with {
                $0.ending = .expires(.voluntary)
                $0.refund = Refund(at: instant("2026-02-05T00:00:00Z"), extent: .full)
            })
        let books = Paper.books(life, at: "2026-02-10T00:00:00Z")
        #expect(books.states(.happened) == ["revoked refund"])
        #expect(
            books.churned(from: "2026-02-01", through: "2026-02-09")
                == ["2026-02-01 monthly opening 1 churned 1 refund 1"])
    }

    @Test func `a part of an older period comes back in whole cents`() {
        let refund = Refund(at: instant("2026-02-03T00:00:00Z"), extent: .prorated(percentage: 33_333))
        let life = Paper.life(Paper.january().with { $0.refund = refund }, Paper.february())
        let books = Paper.books(life, at: "2026-02-05T00:00:00Z")
        // 7.99 × 33,333 ÷ 100,000 = 2.6633067
        #expect(books.happened.map(\.refundMicros) == [2_660_000, nil])
        #expect(books.happened.map(\.refundKind) == [.partial, nil])
        #expect(books.derivedRefunds(.happened) == ["100000000000001"])
        #expect(books.states(.happened) == ["active"])
        #expect(
            books.churned(from: "2026-02-02", through: "2026-02-04") == Books.quiet("02-02", "02-03", "02-04"))
    }

    @Test func `half a coin is rounded up, and billions do not overflow`() {
        func refunded(_ price: Int64, _ percentage: Int64, in market: Market = .unitedStates) -> Int64? {
            let refund = Refund(at: instant("2026-01-05T00:00:00Z"), extent: .prorated(percentage: percentage))
            let period = Paper.january().with { ($0.priceMilliunits, $0.refund) = (price, refund) }
            var customers = Paper.customers(Paper.life(period))
            customers[0].market = market
            return Books(customers: customers, apps: [Paper.app], now: instant("2026-01-06T00:00:00Z"))
                .happened.first?.refundMicros
        }
        // 7.99 × 50 % = 3.995; 49.999 % of it, 3.9949201, is nearer to 3.99.
        #expect(refunded(7_990, 50_000) == 4_000_000)
        #expect(refunded(7_990, 49_999) == 3_990_000)
        // 2.49 × 15.015 % = 0.3738735, paid as 37 pence.
        #expect(refunded(2_490, 15_015, in: .unitedKingdom) == 370_000)
        // 1,000 yen × 33.35 % = 333.5 and × 33.333 % = 333.33: there is nothing smaller than a yen.
        #expect(refunded(1_000_000, 33_350, in: .japan) == 334_000_000)
        #expect(refunded(1_000_000, 33_333, in: .japan) == 333_000_000)
        // Of a price that ends within a cent never more than the price.
        #expect(refunded(7_996, 99_999) == 7_996_000)
        // 2,499,000,000,000 × 62,500 ÷ 100,000, whose product is beyond 57 bits; and one beyond 64.
        #expect(refunded(2_499_000_000, 62_500) == 1_561_875_000_000)
        #expect(refunded(9_000_000_000_000_000, 50_000) == 4_500_000_000_000_000_000)
    }

    @Test func `a family that stops sharing gets no money back`() {
        let refund = Refund(at: instant("2026-01-10T15:00:00Z"), extent: .familyRevoke)
        let life = Paper.life(Paper.january().with { $0.refund = refund }, ownership: .familyShared)
        let books = Paper.books(life, at: "2026-01-20T00:00:00Z")
        #expect(books.happened.map(\.refundKind) == [.revoke] && books.happened.map(\.refundMicros) == [nil])
        #expect(books.states(.happened) == ["revoked revoke"])
    }

    @Test func `who is refunded on the day of the purchase came and went`() {
        let refund = Refund(at: instant("2026-01-01T20:00:00Z"), extent: .full)
        let books = Paper.books(Paper.life(Paper.january().with { $0.refund = refund }), at: "2026-01-05T00:00:00Z")
        #expect(books.churned(through: "2026-01-04") == ["2026-01-01 monthly came_and_went 1"])
    }

    @Test func `what starts or ends at midnight moves on the new day`() {
        let life = Paper.life(
            Paper.period(1, "2026-01-01T00:00:00Z", "2026-01-04T00:00:00Z", reason: .purchase).with {
                $0.ending = .expires(.voluntary)
            })
        #expect(
            Paper.books(life, at: "2026-01-06T00:00:00Z").churned(from: "2025-12-31", through: "2026-01-05")
                == Books.quiet("01-02", "01-03") + ["2026-01-04 monthly opening 1 churned 1 voluntary 1"])
    }
}
