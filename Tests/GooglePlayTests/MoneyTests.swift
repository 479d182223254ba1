// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import Testing

@testable import GooglePlay

@Suite struct MoneyTests {
    @Test(
        arguments: [
            (#"{"currencyCode":"EUR","units":"9","nanos":990000000}"#, 9_990_000),
            (#"{"currencyCode":"EUR","nanos":990000000}"#, 990_000),
            (#"{"currencyCode":"JPY","units":"1200"}"#, 1_200_000_000),
            (#"{"currencyCode":"EUR"}"#, 0), (#"{"currencyCode":"EUR","units":7}"#, 7_000_000),
            (#"{"currencyCode":"EUR","nanos":1499}"#, 1), (#"{"currencyCode":"EUR","nanos":1500}"#, 2),
            (#"{"currencyCode":"EUR","units":"-1"}"#, nil), (#"{"units":"9"}"#, nil),
            (#"{"currencyCode":"EUR","nanos":1000000000}"#, nil), (#"{"currencyCode":"EUR","units":"nine"}"#, nil),
            (#"{"currencyCode":"EUR","units":"9223372036854775807"}"#, nil),
        ] as [(String, Int64?)])
    func `units and billionths are micros, left out is zero, and what is no amount is none`(
        json: String, micros: Int64?
    ) {
        #expect(PlayMoney(json: Array(json.utf8))?.micros == micros)
    }

    @Test(
        arguments: [
            ("2026-03-01T00:00:00Z", "2026-03-01T00:00:00Z"), ("2026-03-01T00:00:00.5Z", "2026-03-01T00:00:00.5Z"),
            ("2026-03-01T00:00:00.123456789Z", "2026-03-01T00:00:00.123456Z"),
            ("2026-03-01T02:00:00.123456789+02:00", "2026-03-01T00:00:00.123456Z"), ("yesterday", nil),
        ] as [(String, String?)])
    func `times have up to nine digits of a second`(text: String, same: String?) {
        #expect(Instant(playTime: text) == same.flatMap { Instant(iso8601: $0) })
    }

    @Test func `the row of an order says what was charged`() throws {
        let period = try #require(try Play.read(Play.subscription(), orders: [Play.order()]).periods.first)
        #expect(
            period
                == ObservedPeriod(
                    PeriodFacts(
                        transactionID: Play.base, periodKey: Play.base, productID: "gold.month", basePlanID: "monthly",
                        purchasedAt: Play.time("2026-03-01T00:00:02.123456Z"), start: Play.time("2026-03-01T00:00:00Z"),
                        end: Play.time("2026-04-01T00:00:00Z"), country: "AT", priceMicros: 9_990_000, currency: "EUR",
                        proceedsMicros: 7_130_000),
                    SaleFacts(
                        originalTransactionID: Play.base, priceSource: .storeOrder, taxMicros: 1_600_000,
                        sourceVersion: Play.now)))
    }

    @Test func `a renewal's row is dated by itself and belongs to the base order`() throws {
        let order = Play.order(
            Play.base + "..4", ["orderHistory": nil, "lastEventTime": "2026-03-11T00:00:00Z", "buyerAddress": nil])
        let period = try #require(try Play.read(Play.subscription(), orders: [order]).periods.first)
        #expect(period.transactionID == Play.base + "..4")
        #expect(period.periodKey == Play.base + "..4")
        #expect(period.originalTransactionID == Play.base)
        #expect(period.hint == .renewal)
        #expect(period.purchasedAt == Play.time("2026-03-01T00:00:01Z"))
        #expect(period.country == "DE")
        #expect(period.sourceVersion == Play.time("2026-03-11T00:00:00Z"))
    }

    @Test(
        arguments: [
            ("freeTrialDetails", true, .introductory, "welcome"),
            ("introductoryPriceDetails", false, .introductory, "welcome"), ("baseDetails", false, nil, nil),
            ("prorationPeriodDetails", false, nil, nil),
        ] as [(String, Bool, OfferType?, String?)])
    func `B7: the phase determines the offer`(phase: String, isFree: Bool, type: OfferType?, id: String?) throws {
        let order = Play.order(["lineItems": [Play.line(phase: phase, offer: "welcome")]])
        let period = try #require(try Play.read(Play.subscription(), orders: [order]).periods.first)
        #expect(period.isFreeOffer == isFree)
        #expect(period.offerType == type)
        #expect(period.offerID == id)
    }

    @Test(
        arguments: [
            ("prorationPeriodDetails", [:], Play.euros(22), 22_000_000),
            ("prorationPeriodDetails", ["originalOfferPhase": "BASE"], Play.euros(22), 22_000_000),
            ("prorationPeriodDetails", ["originalOfferPhase": "INTRODUCTORY"], Play.euros(22), 22_000_000),
            ("prorationPeriodDetails", ["originalOfferPhase": "FREE_TRIAL"], Play.euros(22), nil),
            ("prorationPeriodDetails", [:], nil, nil), ("prorationPeriodDetails", [:], Play.euros(0), nil),
            ("prorationPeriodDetails", [:], ["currencyCode": "USD", "units": "22"], nil),
            ("baseDetails", [:], Play.euros(22), nil), ("introductoryPriceDetails", [:], Play.euros(22), nil),
            ("freeTrialDetails", [:], Play.euros(22), nil),
        ] as [(String, Object, Object?, Int64?)])
    func `B7: the rest of a period after a change of plan says what the plan costs`(
        phase: String, details: Object, listed: Object?, price: Int64?
    ) throws {
        let subscription: Object = [
            "basePlanId": "monthly", "offerPhaseDetails": [phase: details] as Object,
            "servicePeriodStartTime": "2026-03-01T00:00:00Z", "servicePeriodEndTime": "2026-03-07T00:00:00Z",
        ]
        let order = Play.order([
            "lineItems": [Play.line(["subscriptionDetails": subscription, "listingPrice": listed])]
        ])
        let period = try #require(try Play.read(Play.subscription(), orders: [order]).periods.first)
        #expect(period.recurringPriceMicros == price)
        #expect(period.priceMicros == 9_990_000)
    }

    @Test func `a code is the offer of the first order only, and of no phase that is an offer itself`() throws {
        let item = Play.item(["signupPromotion": ["oneTimeCode": [:] as Object]])
        let trial = try Play.read(
            Play.subscription("ACTIVE", ["lineItems": [item]]),
            orders: [Play.order(["lineItems": [Play.line(phase: "freeTrialDetails")]])])
        #expect(trial.periods.map(\.offerType) == [.introductory])
        let reading = try Play.read(
            Play.subscription("ACTIVE", ["lineItems": [item]]), orders: [Play.order(), Play.order(Play.base + "..0")])
        #expect(reading.periods.map(\.offerType) == [.code, nil])
    }

    @Test func `a free trial costs nothing because the store says so`() throws {
        let line = Play.line(["total": Play.euros(0), "tax": Play.euros(0)], phase: "freeTrialDetails")
        let free = try Play.read(
            Play.subscription(), orders: [Play.order(["total": Play.euros(0), "lineItems": [line]])])
        #expect(free.periods.first?.priceMicros == 0)
        #expect(free.periods.first?.priceSource == .storeOrder)
        let silent = try Play.read(
            Play.subscription(), orders: [Play.order(["lineItems": [Play.line(["total": nil])]])])
        #expect(silent.periods.first?.priceMicros == nil)
        #expect(silent.periods.first?.priceSource == .missing)
        #expect(silent.periods.first?.proceedsMicros == nil)
        #expect(silent.unknownValues == ["order.line without a usable total": 1])
    }

    @Test(arguments: ["PENDING", "CANCELED", "STATE_UNSPECIFIED", "HAUNTED"])
    func `B3: what is not settled is not booked`(state: String) throws {
        let reading = try Play.read(Play.subscription(), orders: [Play.order(state: state)])
        #expect(reading.periods.isEmpty)
        #expect(reading.unknownValues["order.state=\(state)"] == (["PENDING", "CANCELED"].contains(state) ? nil : 1))
    }

    @Test(arguments: ["PROCESSED", "PENDING_REFUND", "PARTIALLY_REFUNDED", "REFUNDED"])
    func `B3: what is settled is booked`(state: String) throws {
        #expect(try Play.read(Play.subscription(), orders: [Play.order(state: state)]).periods.count == 1)
    }

    /// 10.00 EUR of proceeds over 9.99 + 4.99 + 1.01 = 15.99: 6.247654…, 3.120700…, 0.631644…; two micros are left.
    @Test func `proceeds go to the lines in proportion and sum up exactly`() throws {
        let lines = [(9, 99), (4, 99), (1, 1)].enumerated().map { index, price in
            Play.line(["productId": "p\(index)", "total": Play.euros(price.0, cents: price.1), "tax": nil])
        }
        let order = Play.order([
            "total": Play.euros(15, cents: 99), "lineItems": lines,
            "developerRevenueInBuyerCurrency": Play.euros(10),
        ])
        let periods = try Play.read(Play.subscription(), orders: [order]).periods
        #expect(periods.map(\.productID) == ["p0", "p1", "p2"])
        #expect(periods.map(\.proceedsMicros) == [6_247_655, 3_120_701, 631_644])
        #expect(periods.compactMap(\.proceedsMicros).reduce(0, +) == 10_000_000)
        #expect(periods.map(\.taxMicros) == [nil, nil, nil])
    }

    @Test func `a line that cannot be read is set aside and its neighbours are taken`() throws {
        let broken = Play.line(["productId": nil])
        let reading = try Play.read(
            Play.subscription(), orders: [Play.order(["lineItems": [broken, Play.line(["productId": "extra"])]])])
        #expect(reading.periods.map(\.productID) == ["extra"])
        #expect(reading.setAside.map(\.reason) == ["missing_field"])
        #expect(reading.setAside.first?.storeKey == Secret("token-1"))
    }

    @Test func `an order of another purchase is set aside`() throws {
        let reading = try Play.read(Play.subscription(), orders: [Play.order(["purchaseToken": "token-other"])])
        #expect(reading.periods.isEmpty)
        #expect(reading.setAside.map(\.reason) == ["wrong_purchase"])
    }
}
