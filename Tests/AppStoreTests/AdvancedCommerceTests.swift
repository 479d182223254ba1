// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing

@testable import AppStore

/// Transactions of the Advanced Commerce API, as its type pages show them: what was sold, and what was given back of it,
/// is in the items.
@Suite struct AdvancedCommerceTests {
    /// 2026-03-05T00:00:00Z and five days later.
    private static let fifth = Rows.march + 4 * 86_400_000
    private static let tenth = Rows.march + 9 * 86_400_000

    private static func item(
        _ sku: String, _ price: Int, refunds: [[String: any Sendable]] = [], revoked: Int64? = nil
    ) -> [String: Any] {
        var item: [String: Any] = [
            "SKU": sku, "description": "a course", "displayName": sku, "price": price, "refunds": refunds,
        ]
        item["revocationDate"] = revoked
        return item
    }

    /// 11.90 EUR with 19 % in it: 10.00 without.
    private static func row(_ items: [[String: Any]], _ changes: [String: Any?] = [:]) -> [String: Any] {
        var row = Rows.transaction([
            "productId": "generic.sub", "price": 11_900,
            "advancedCommerceInfo": [
                "descriptors": ["description": "courses", "displayName": "Courses"], "items": items,
                "estimatedTax": 1_900, "taxExclusivePrice": 10_000, "taxRate": "0.19", "taxCode": "C003-00-1",
                "period": "P1M", "requestReferenceId": "8a3a4ad1-9a0f-4a6a-8f5d-000000000001",
            ] as [String: Any],
        ])
        for (name, value) in changes { row[name] = value }
        return row
    }

    private static func observation(
        _ items: [[String: Any]], _ changes: [String: Any?] = [:], status: Int = 1, known: [KnownPeriod] = []
    ) throws -> Observation {
        let reading = try Acme.read(
            try Rows.statuses(status: status, row(items, changes)), due: Acme.due(known: known))
        return try #require(reading.observations.first)
    }

    @Test func `each item is a row under its own name, with its share of price and tax`() throws {
        let reported = try Self.observation([Self.item("math", 8_330), Self.item("art", 3_570)])
        let rows = reported.periods.sorted { $0.productID > $1.productID }
        #expect(rows.map(\.productID) == ["math", "art"])
        #expect(rows.map(\.priceMicros) == [8_330_000, 3_570_000])
        // 1.90 in the proportion of 7 to 3.
        #expect(rows.map(\.taxMicros) == [1_330_000, 570_000])
        #expect(Set(rows.map(\.transactionID)) == ["2002"])
        #expect(reported.status?.productID == "math")
        #expect(reported.items?.map(\.productID).sorted() == ["art", "math"])
    }

    @Test func `a single item gives the subscription its name`() throws {
        let reported = try Self.observation([Self.item("math", 11_900)])
        #expect(reported.periods.map(\.productID) == ["math"])
        #expect(reported.status?.productID == "math")
        #expect(reported.items == [])
    }

    @Test func `prices of items without tax share the price with it`() throws {
        let reported = try Self.observation([Self.item("math", 7_000), Self.item("art", 3_000)])
        #expect(reported.periods.map(\.priceMicros).sorted { ($0 ?? 0) < ($1 ?? 0) } == [3_570_000, 8_330_000])
    }

    @Test func `refunds of items are booked item by item, each on its day, and the period goes on`() throws {
        let refunds: [[String: any Sendable]] = [
            ["refundAmount": 1_500, "refundDate": Self.tenth, "refundReason": "OTHER", "refundType": "CUSTOM"],
            ["refundAmount": 2_000, "refundDate": Self.fifth, "refundReason": "LEGAL", "refundType": "PRORATED"],
        ]
        let reported = try Self.observation([Self.item("math", 8_330, refunds: refunds), Self.item("art", 3_570)])
        let math = try #require(reported.periods.first { $0.productID == "math" }?.refund)
        #expect(
            math.parts == [
                RefundPart(at: Instant(milliseconds: Self.fifth), micros: 2_000_000, isMoneyOnly: true),
                RefundPart(at: Instant(milliseconds: Self.tenth), micros: 1_500_000, isMoneyOnly: true),
            ])
        #expect(math.micros == 3_500_000 && math.kind == .partial && math.leavesPeriod)
        #expect(math.at == Instant(milliseconds: Self.tenth))
        #expect(reported.periods.first { $0.productID == "art" }?.refund == nil)
        #expect(reported.status?.state == .active)
    }

    @Test func `an item that was taken back is owned to its instant, and the others go on`() throws {
        let full: [[String: any Sendable]] = [
            ["refundAmount": 3_570, "refundDate": Self.fifth, "refundReason": "OTHER", "refundType": "FULL"]
        ]
        let reported = try Self.observation([
            Self.item("math", 8_330), Self.item("art", 3_570, refunds: full, revoked: Self.fifth),
        ])
        let art = try #require(reported.periods.first { $0.productID == "art" }?.refund)
        #expect(art.kind == .full && art.micros == 3_570_000 && !art.leavesPeriod)
        #expect(reported.items?.map(\.productID) == ["math", "art"])
        #expect(reported.items?.map(\.revokedAt) == [nil, Instant(milliseconds: Self.fifth)])
        #expect(reported.status?.state == .active)
        #expect(reported.status?.productID == "math")
    }

    @Test func `a subscription whose every item was taken back is over`() throws {
        let part: [[String: any Sendable]] = [
            ["refundAmount": 5_000, "refundDate": Self.fifth, "refundReason": "OTHER", "refundType": "CUSTOM"]
        ]
        let reported = try Self.observation([Self.item("math", 11_900, refunds: part, revoked: Self.fifth)], status: 1)
        #expect(reported.status?.state == .revoked)
        #expect(reported.status?.revokedAt == Instant(milliseconds: Self.fifth))
        // The amount is the store's, and it ended the period.
        let refund = try #require(reported.periods.first?.refund)
        #expect(refund.kind == .partial && refund.micros == 5_000_000 && !refund.leavesPeriod)
    }

    @Test func `of an item that was taken back none of its refunds was money alone`() throws {
        let refunds: [[String: any Sendable]] = [
            ["refundAmount": 1_000, "refundDate": Self.fifth, "refundReason": "OTHER", "refundType": "CUSTOM"],
            ["refundAmount": 2_000, "refundDate": Self.tenth, "refundReason": "OTHER", "refundType": "PRORATED"],
        ]
        let reported = try Self.observation([Self.item("math", 11_900, refunds: refunds, revoked: Self.tenth)])
        let refund = try #require(reported.periods.first?.refund)
        #expect(refund.kind == .partial && refund.micros == 3_000_000 && !refund.leavesPeriod)
        #expect(refund.parts.map(\.isMoneyOnly) == [false, false])
        let owned = try Self.observation([Self.item("math", 11_900, refunds: refunds)])
        #expect(owned.periods.first?.refund?.parts.map(\.isMoneyOnly) == [true, true])
    }

    @Test func `a refund is never more than the item's price, and one without an amount is counted`() throws {
        let refunds: [[String: any Sendable]] = [
            ["refundAmount": 99_000, "refundDate": Self.fifth, "refundType": "CUSTOM"],
            ["refundDate": Self.tenth, "refundType": "PRORATED"],
        ]
        let reading = try Acme.read(try Rows.statuses(Self.row([Self.item("math", 11_900, refunds: refunds)])))
        #expect(reading.observations.first?.periods.first?.refund?.micros == 11_900_000)
        #expect(reading.unknownValues == ["transaction.refund without amount or date": 1])
    }

    @Test func `a transaction that was booked as a whole stays whole`() throws {
        let known = [Acme.known(product: "generic.sub")]
        let refunds: [[String: any Sendable]] = [
            ["refundAmount": 1_000, "refundDate": Self.fifth, "refundType": "CUSTOM"]
        ]
        let reported = try Self.observation(
            [Self.item("math", 8_330, refunds: refunds), Self.item("art", 3_570)], known: known)
        #expect(reported.periods.map(\.productID) == ["generic.sub"])
        #expect(reported.periods.first?.priceMicros == 11_900_000)
        #expect(reported.periods.first?.refund?.micros == 1_000_000)
    }
}
