// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing

@testable import AppStore

/// The money of Advanced Commerce transactions: what an item cost while its offer lasts, the tax, and what was given
/// back where the store reports less of it, or more, than usual.
///
/// Two courses for 11.90 EUR, 7 to 3; reckoned by hand.
@Suite struct CommerceMoneyTests {
    /// 2026-03-05T00:00:00Z, the 10th and the 11th.
    private static let fifth = Rows.march + 4 * 86_400_000
    private static let tenth = Rows.march + 9 * 86_400_000
    private static let eleventh = Rows.march + 10 * 86_400_000

    private static func item(
        _ sku: String?, _ price: Int, offer: Int? = nil, refunds: [[String: any Sendable]] = [], revoked: Int64? = nil
    ) -> [String: Any] {
        var item: [String: Any] = ["displayName": "a course", "price": price, "refunds": refunds]
        item["SKU"] = sku
        item["revocationDate"] = revoked
        item["offer"] = offer.map { ["period": "P1M", "periodCount": 1, "price": $0, "reason": "ACQUISITION"] }
        return item
    }

    private static func refund(_ type: String, _ amount: Int? = nil, at date: Int64? = nil) -> [String: any Sendable] {
        var refund: [String: any Sendable] = ["refundReason": "OTHER", "refundType": type]
        refund["refundAmount"] = amount
        refund["refundDate"] = date
        return refund
    }

    /// `tax`: what the store says of the tax in it; 19 % where nothing else is given.
    private static func read(
        _ items: [[String: Any]], _ changes: [String: Any?] = [:], status: Int = 1, known: [KnownPeriod] = [],
        tax: [String: Int] = ["estimatedTax": 1_900, "taxExclusivePrice": 10_000]
    ) throws -> Reading {
        var row = Rows.transaction([
            "productId": "generic.sub", "price": 11_900,
            "advancedCommerceInfo": (["items": items, "period": "P1M"] as [String: Any]).merging(tax) { $1 },
        ])
        for (name, value) in changes { row[name] = value }
        return try Acme.read(try Rows.statuses(status: status, row), due: Acme.due(known: known))
    }

    private static func prices(_ items: [[String: Any]]) throws -> [String: Int64?] {
        let periods = try read(items).observations.first?.periods ?? []
        return Dictionary(uniqueKeysWithValues: periods.map { ($0.productID, $0.priceMicros) })
    }

    @Test func `while an offer lasts, its price is the item's share of what was paid`() throws {
        let paid: [String: Int64?] = ["math": 8_330_000, "art": 3_570_000]
        #expect(try Self.prices([Self.item("math", 14_000, offer: 8_330), Self.item("art", 3_570)]) == paid)
        // 7.00 and 3.00 without the tax.
        #expect(
            try Self.prices([Self.item("math", 14_000, offer: 7_000), Self.item("art", 9_000, offer: 3_000)]) == paid)
        // The first month of one is free.
        #expect(
            try Self.prices([Self.item("math", 5_000, offer: 0), Self.item("art", 11_900)])
                == ["math": 0, "art": 11_900_000])
    }

    @Test func `an offer that is over, or is not what was paid, says nothing of the shares`() throws {
        #expect(
            try Self.prices([Self.item("math", 8_330, offer: 1_000), Self.item("art", 3_570)])
                == ["math": 8_330_000, "art": 3_570_000])
        // Neither sum is what was paid: 14 to 6 as well.
        #expect(
            try Self.prices([Self.item("math", 14_000, offer: 100), Self.item("art", 6_000, offer: 100)])
                == ["math": 8_330_000, "art": 3_570_000])
    }

    @Test(
        arguments: [
            (["estimatedTax": 1_900], 1_900_000), (["estimatedTax": 0], 0), ([:], nil),
            // What the price is above the one without tax comes before the estimate.
            (["estimatedTax": 1_900, "taxExclusivePrice": 10_500], 1_400_000),
            // More tax than price: the tax is unknown.
            (["estimatedTax": 11_901], nil), (["estimatedTax": -1], nil), (["taxExclusivePrice": 12_000], nil),
        ] as [([String: Int], Int64?)])
    func `the tax is the store's estimate where it states no price without tax`(reported: [String: Int], micros: Int64?)
        throws
    {
        let reading = try Self.read([Self.item("math", 11_900)], tax: reported)
        #expect(reading.observations.first?.periods.map(\.taxMicros) == [micros])
    }

    @Test func `a full refund without an amount gives back what is left of the item's price`() throws {
        let items = [
            Self.item("math", 8_330),
            Self.item(
                "art", 3_570,
                refunds: [Self.refund("FULL", at: Self.tenth), Self.refund("CUSTOM", 1_000, at: Self.fifth)],
                revoked: Self.tenth),
        ]
        let reading = try Self.read(items)
        #expect(reading.unknownValues.isEmpty)
        let art = try #require(reading.observations.first?.periods.first { $0.productID == "art" }?.refund)
        #expect(art.micros == 3_570_000 && art.kind == .full)
        #expect(
            art.parts == [
                RefundPart(at: Instant(milliseconds: Self.fifth), micros: 1_000_000),
                RefundPart(at: Instant(milliseconds: Self.tenth), micros: 2_570_000),
            ])
    }

    @Test func `a refund without a day is of the day on which the item was taken back`() throws {
        let reading = try Self.read([
            Self.item("math", 8_330),
            Self.item("art", 3_570, refunds: [Self.refund("FULL")], revoked: Self.fifth),
        ])
        let art = try #require(reading.observations.first?.periods.first { $0.productID == "art" }?.refund)
        #expect(art.micros == 3_570_000 && art.at == Instant(milliseconds: Self.fifth))
        #expect(reading.unknownValues.isEmpty)
    }

    @Test func `an item without a name has no row of its own, is counted, and no money is lost with it`() throws {
        let reading = try Self.read([Self.item("math", 8_330), Self.item(nil, 3_570)])
        let periods = reading.observations.first?.periods ?? []
        #expect(periods.map(\.productID) == ["math"])
        #expect(periods.map(\.priceMicros) == [11_900_000] && periods.map(\.taxMicros) == [1_900_000])
        #expect(reading.unknownValues == ["transaction.items without a name of their own": 1])
        // Where none has a name, the transaction is what it is called.
        let nameless = try Self.read([Self.item(nil, 11_900)]).observations.first?.periods ?? []
        #expect(nameless.map(\.productID) == ["generic.sub"])
        #expect(nameless.map(\.priceMicros) == [11_900_000])
    }

    private static var takenBack: [String: Any?] {
        ["revocationDate": tenth, "revocationType": "REFUND_FULL", "revocationReason": 0]
    }

    @Test func `where an item states its own refund, the row's revocation is no refund of the others`() throws {
        let reported = try #require(
            try Self.read(
                [
                    Self.item(
                        "math", 8_330, refunds: [Self.refund("FULL", 8_330, at: Self.fifth)], revoked: Self.fifth),
                    Self.item("art", 3_570),
                ], Self.takenBack, status: 5
            ).observations.first)
        let math = try #require(reported.periods.first { $0.productID == "math" }?.refund)
        #expect(math.micros == 8_330_000 && math.at == Instant(milliseconds: Self.fifth))
        // No item is revoked because another was; the subscription is, by the row and its status.
        let art = try #require(reported.periods.first { $0.productID == "art" })
        #expect(art.refund == nil)
        #expect(reported.status?.state == .revoked)
    }

    @Test func `where no item states a refund, the row's revocation is the refund of each`() throws {
        let reported = try #require(
            try Self.read([Self.item("math", 8_330), Self.item("art", 3_570)], Self.takenBack, status: 5)
                .observations.first)
        #expect(reported.periods.count == 2)
        for period in reported.periods {
            let refund = try #require(period.refund)
            // No amount, no share: the whole price.
            #expect(refund.kind == .full && refund.micros == period.priceMicros && refund.thousandthsOfPercent == nil)
            #expect(refund.at == Instant(milliseconds: Self.tenth))
        }
    }

    /// 1.00 of the one course went back on the 5th, then all of the row on the 10th: 7.33 more of it, and 3.57 of the other.
    @Test func `a refund of the row comes on top of what its items were given back before`() throws {
        let part = Self.item("math", 8_330, refunds: [Self.refund("CUSTOM", 1_000, at: Self.fifth)])
        let periods = try #require(
            try Self.read([part, Self.item("art", 3_570)], Self.takenBack, status: 5).observations.first
        ).periods.sorted { $0.productID > $1.productID }
        #expect(periods.compactMap { $0.refund?.micros } == [8_330_000, 3_570_000])
        #expect(
            periods.first?.refund?.parts == [
                RefundPart(at: Instant(milliseconds: Self.fifth), micros: 1_000_000, isMoneyOnly: true),
                RefundPart(at: Instant(milliseconds: Self.tenth), micros: 7_330_000),
            ])
        #expect(periods.allSatisfy { $0.refund?.kind == .full && $0.refund?.leavesPeriod == false })
    }

    /// 40 % of 11.90 are 4.76: 3.332 of the one and 1.428 of the other.
    ///
    /// Of 11.89 they are 4.756, paid back as 4.76.
    @Test func `a share of the row is rounded once, and shared among its items`() throws {
        let prorated = Self.takenBack.merging(
            ["revocationType": "REFUND_PRORATED", "revocationPercentage": 40_000]) { $1 }
        let items = [Self.item("math", 8_330), Self.item("art", 3_570)]
        for (price, sum) in [(11_900, Int64(4_760_000)), (11_890, 4_760_000)] {
            let periods = try #require(
                try Self.read(items, prorated.merging(["price": price]) { $1 }, status: 5).observations.first
            ).periods
            #expect(periods.compactMap { $0.refund?.micros }.reduce(0, +) == sum)
            #expect(periods.allSatisfy { $0.refund?.kind == .partial && $0.refund?.source == .derived })
        }
    }

    /// Ten seats for 11.90 each, two of them given back: 23.80, 16.66 of the one course and 7.14 of the other.
    ///
    /// Of each seat 1.90 are tax.
    @Test func `seats given back are shared among the items once, and the tax is that of all seats`() throws {
        let seats: [String: Any] = [
            "priceTiers": [["tierPrice": 11_900, "tierQuantity": 10]], "revokedSeatQuantity": 2,
        ]
        let reading = try Self.read(
            [Self.item("math", 8_330), Self.item("art", 3_570)], ["multiSeatInfo": seats, "quantity": 10])
        let periods = try #require(reading.observations.first).periods
        #expect(periods.compactMap(\.priceMicros).reduce(0, +) == 119_000_000)
        #expect(periods.compactMap(\.taxMicros).reduce(0, +) == 19_000_000)
        let refunds = periods.sorted { $0.productID > $1.productID }.compactMap(\.refund)
        #expect(refunds.map(\.micros) == [16_660_000, 7_140_000])
        #expect(refunds.allSatisfy { $0.leavesPeriod && $0.isGrowing && $0.kind == .partial })
    }

    /// Ten seats for 11.90 each; 1.00 of the one course on the 5th, 40 % of the row, 47.60, on the 10th: 33.32 of it are that course's.
    @Test func `what an item was given back before has its own day beside the row's refund of seats`() throws {
        let seats: [String: Any] = [
            "priceTiers": [["tierPrice": 11_900, "tierQuantity": 10]], "revokedSeatQuantity": 10,
        ]
        let prorated = Self.takenBack.merging(
            [
                "revocationType": "REFUND_PRORATED", "revocationPercentage": 40_000, "multiSeatInfo": seats,
                "quantity": 10,
            ]) { $1 }
        let part = Self.item("math", 8_330, refunds: [Self.refund("CUSTOM", 1_000, at: Self.fifth)])
        let periods = try #require(
            try Self.read([part, Self.item("art", 3_570)], prorated, status: 5).observations.first
        ).periods.sorted { $0.productID > $1.productID }
        #expect(periods.compactMap { $0.refund?.micros } == [34_320_000, 14_280_000])
        #expect(
            periods.map { $0.refund?.parts ?? [] } == [
                [RefundPart(at: Instant(milliseconds: Self.fifth), micros: 1_000_000, isMoneyOnly: true)], [],
            ])
        #expect(periods.allSatisfy { $0.refund?.isGrowing == true && $0.refund?.leavesPeriod == false })
    }

    @Test(arguments: [nil, eleventh])
    func `what was booked as a whole ends when the last of its items was taken back`(second: Int64?) throws {
        let items = [
            Self.item("math", 8_330, refunds: [Self.refund("CUSTOM", 2_000, at: Self.fifth)], revoked: Self.fifth),
            Self.item("art", 3_570, refunds: [Self.refund("CUSTOM", 1_000, at: Self.tenth)], revoked: second),
        ]
        let reported = try #require(
            try Self.read(items, known: [Acme.known(product: "generic.sub")]).observations.first)
        #expect(reported.periods.map(\.productID) == ["generic.sub"])
        let refund = try #require(reported.periods.first?.refund)
        #expect(refund.parts.map(\.micros) == [2_000_000, 1_000_000] && refund.micros == 3_000_000)
        #expect(refund.at == Instant(milliseconds: second ?? Self.tenth))
        #expect(refund.kind == .partial && refund.leavesPeriod == (second == nil))
        #expect(reported.status?.state == (second == nil ? .active : .revoked))
        #expect(reported.status?.revokedAt == second.map { Instant(milliseconds: $0) })
    }

    @Test func `what was given back of one item before another comes first, whichever is named first`() throws {
        let items = [
            Self.item("math", 8_330, refunds: [Self.refund("CUSTOM", 2_000, at: Self.tenth)]),
            Self.item("art", 3_570, refunds: [Self.refund("CUSTOM", 1_000, at: Self.fifth)]),
        ]
        let reported = try Self.read(items, known: [Acme.known(product: "generic.sub")]).observations.first
        let refund = try #require(reported?.periods.first?.refund)
        #expect(refund.parts.map(\.micros) == [1_000_000, 2_000_000])
        #expect(refund.at == Instant(milliseconds: Self.tenth))
    }
}
