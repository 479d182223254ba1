// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import TestSupport
import Testing

@testable import GooglePlay

/// What an order says of place and time, and what stands in where it does not.
@Suite("Rows of Google Play's orders")
struct OrderRowTests {
    /// The order's word, the purchase's, and what becomes of both.
    @Test(
        arguments: [
            ("AT", "DE", "AT", []), (nil, "DE", "DE", []), ("419", "DE", "DE", ["country=419"]),
            ("419", nil, nil, ["country=419"]), (nil, "419", nil, ["country=419"]), ("us", nil, nil, ["country=us"]),
            ("UK", "EU", nil, ["country=EU", "country=UK"]), ("XKS", nil, "XK", []), ("XK", nil, "XK", []),
            (nil, nil, nil, []),
        ] as [(String?, String?, String?, [String])])
    func `D4: what is no country is none, counted, and its money is booked`(
        order: String?, purchase: String?, country: String?, counted: [String]
    ) throws {
        let address: Object = order.map { ["buyerCountry": $0] } ?? [:]
        let reading = try Play.read(
            Play.subscription("ACTIVE", ["regionCode": purchase]), orders: [Play.order(["buyerAddress": address])])
        let period = try #require(reading.periods.first)
        #expect(period.country == country && period.priceMicros == 9_990_000)
        #expect(period.isOfUnknownCountry == (country == nil && !counted.isEmpty))
        #expect(reading.unknownValues.keys.filter { $0.hasPrefix("country=") }.sorted() == counted)
    }

    private static func undated(_ id: String, at instant: String, _ changes: [String: (any Sendable)?] = [:]) -> Object
    {
        let line = Play.changed(Play.line(), ["subscriptionDetails": ["basePlanId": "monthly"] as Object])
        return Play.order(
            id,
            [
                "orderHistory": ["processedEvent": ["eventTime": instant]] as Object, "createTime": instant,
                "lineItems": [line],
            ].merging(changes) { $1 })
    }

    /// Processed on the 1st of March and on the 1st of April; the item runs to the 1st of May.
    @Test func `B2: an order without a service period has its item's, or runs up to the next order`() throws {
        let (first, second) = (Play.base, Play.base + "..0")
        let item = Play.item(["expiryTime": "2026-05-01T00:00:00Z", "latestSuccessfulOrderId": second])
        let orders = [
            Self.undated(first, at: "2026-03-01T00:00:00Z"), Self.undated(second, at: "2026-04-01T00:00:00Z"),
        ]
        let reading = try Play.read(Play.subscription("ACTIVE", ["lineItems": [item]]), orders: orders)
        #expect(reading.setAside.isEmpty)
        #expect(
            reading.periods.map { "\($0.start.iso8601) \($0.end?.iso8601 ?? "")" } == [
                "2026-03-01T00:00:00Z 2026-04-01T00:00:00Z", "2026-04-01T00:00:00Z 2026-05-01T00:00:00Z",
            ])
        #expect(reading.periods.map(\.priceMicros) == [9_990_000, 9_990_000])
    }

    @Test func `the booked period of an order stays where the store says nothing of its time`() throws {
        let item = Play.item(["expiryTime": "2026-04-17T00:00:00Z"])
        let reading = try Play.read(
            Play.subscription("ACTIVE", ["lineItems": [item]]),
            orders: [Self.undated(Play.base, at: "2026-03-01T00:00:05Z")],
            due: Play.due(known: [Play.known()]))
        #expect(reading.periods.map(\.end) == [Play.time("2026-04-01T00:00:00Z")])
        #expect(reading.periods.map(\.start) == [Play.time("2026-03-01T00:00:00Z")])
    }

    @Test func `an order in the middle without a period and without a successor is set aside`() throws {
        let item = Play.item(["latestSuccessfulOrderId": Play.base + "..4"])
        let reading = try Play.read(
            Play.subscription("ACTIVE", ["lineItems": [item]]),
            orders: [Self.undated(Play.base + "..1", at: "2026-03-01T00:00:00Z")])
        #expect(reading.periods.isEmpty && reading.setAside.map(\.reason) == ["missing_field"])
    }

    /// WITHOUT_PRORATION within a trial keeps it; a price ends it.
    @Test(arguments: [(0, "FREE_TRIAL", true), (0, "BASE", false), (5, "FREE_TRIAL", false)])
    func `B7: a change of plan within a trial is the trial going on, where it costs nothing`(
        euros: Int, phase: String, isFree: Bool
    ) throws {
        let details: Object = [
            "basePlanId": "monthly",
            "offerPhaseDetails": ["prorationPeriodDetails": ["originalOfferPhase": phase] as Object] as Object,
            "servicePeriodStartTime": "2026-03-01T00:00:00Z", "servicePeriodEndTime": "2026-03-08T00:00:00Z",
        ]
        let line = Play.line([
            "subscriptionDetails": details, "total": Play.euros(euros), "tax": Play.euros(0),
            "listingPrice": Play.euros(22),
        ])
        let reading = try Play.read(Play.subscription(), orders: [Play.order(["lineItems": [line]])])
        #expect(reading.periods.map(\.isFreeOffer) == [isFree])
    }
}
