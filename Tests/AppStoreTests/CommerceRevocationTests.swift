// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing

@testable import AppStore

/// When items of the Advanced Commerce API end, and what of their money went back before.
///
/// Two courses for 11.90 EUR, 8.33 and 3.57.
@Suite struct CommerceRevocationTests {
    /// 2026-03-05T00:00:00Z, the 10th and the 11th.
    private static let fifth = Rows.march + 4 * 86_400_000
    private static let tenth = Rows.march + 9 * 86_400_000
    private static let eleventh = Rows.march + 10 * 86_400_000

    private static func item(
        _ sku: String, _ price: Int, refunds: [(amount: Int, date: Int64)] = [], revoked: Int64? = nil
    ) -> [String: Any] {
        var item: [String: Any] = ["displayName": "a course", "price": price, "SKU": sku]
        item["refunds"] = refunds.map { refund -> [String: any Sendable] in
            ["refundReason": "OTHER", "refundType": "CUSTOM", "refundAmount": refund.amount, "refundDate": refund.date]
        }
        item["revocationDate"] = revoked
        return item
    }

    /// The row's parts, the dearer first.
    private static func periods(
        _ items: [[String: Any]], _ changes: [String: Any?] = [:], known: [KnownPeriod] = []
    ) throws -> [ObservedPeriod] {
        var row = Rows.transaction([
            "productId": "generic.sub", "price": 11_900,
            "advancedCommerceInfo": ["items": items, "period": "P1M", "estimatedTax": 1_900] as [String: Any],
        ])
        for (name, value) in changes { row[name] = value }
        let reading = try Acme.read(try Rows.statuses(row), due: Acme.due(known: known))
        return try #require(reading.observations.first).periods.sorted { $0.productID > $1.productID }
    }

    private static func part(_ micros: Int64, at day: Int64, isMoneyOnly: Bool = false) -> RefundPart {
        RefundPart(at: Instant(milliseconds: day), micros: micros, isMoneyOnly: isMoneyOnly)
    }

    private static func takenBack(_ type: String) -> [String: Any?] {
        ["revocationDate": tenth, "revocationType": type, "revocationReason": 0]
    }

    /// The money went back five days before the item was taken back, or a day after.
    @Test(arguments: [fifth, eleventh])
    func `an item ends with its revocation, and its money is of its own day`(paidBackAt: Int64) throws {
        let periods = try Self.periods([
            Self.item("math", 8_330),
            Self.item("art", 3_570, refunds: [(3_570, paidBackAt)], revoked: Self.tenth),
        ])
        #expect(periods[0].refund == nil)
        let art = try #require(periods[1].refund)
        #expect(art.at == Instant(milliseconds: Self.tenth) && !art.leavesPeriod)
        #expect(art.kind == .full && art.micros == 3_570_000)
        #expect(art.parts == [Self.part(3_570_000, at: paidBackAt)])
    }

    @Test func `an item whose whole price was given back is wholly given back, and is owned to its expiry`() throws {
        let periods = try Self.periods([
            Self.item("math", 8_330, refunds: [(5_000, Self.fifth), (3_330, Self.tenth)]), Self.item("art", 3_570),
        ])
        let math = try #require(periods[0].refund)
        #expect(math.kind == .full && math.micros == 8_330_000 && math.leavesPeriod)
        #expect(
            math.parts == [
                Self.part(5_000_000, at: Self.fifth, isMoneyOnly: true),
                Self.part(3_330_000, at: Self.tenth, isMoneyOnly: true),
            ])
        #expect(periods[1].refund == nil)
    }

    /// Nothing is left to give back of the one course; the other's 3.57 go back with the row.
    @Test func `an item whose whole price was given back ends when the row is taken back`() throws {
        let periods = try Self.periods(
            [Self.item("math", 8_330, refunds: [(8_330, Self.fifth)]), Self.item("art", 3_570)],
            Self.takenBack("REFUND_FULL"))
        #expect(periods.compactMap { $0.refund?.micros } == [8_330_000, 3_570_000])
        #expect(periods.allSatisfy { $0.refund?.at == Instant(milliseconds: Self.tenth) })
        #expect(periods.allSatisfy { $0.refund?.leavesPeriod == false && $0.refund?.kind == .full })
        #expect(periods[0].refund?.parts == [Self.part(8_330_000, at: Self.fifth)])
    }

    /// 1.00 of the one course on the 5th; on the 10th both are taken away without money.
    @Test func `a revocation without money ends items as such, and what went back before stays given back`() throws {
        let items = [Self.item("math", 8_330, refunds: [(1_000, Self.fifth)]), Self.item("art", 3_570)]
        let periods = try Self.periods(items, Self.takenBack("FAMILY_REVOKE"))
        #expect(periods.map { $0.refund?.kind } == [.revoke, .revoke])
        #expect(periods.allSatisfy { $0.refund?.at == Instant(milliseconds: Self.tenth) })
        #expect(periods.map { $0.refund?.micros } == [1_000_000, nil])
        #expect(periods[0].refund?.parts == [Self.part(1_000_000, at: Self.fifth, isMoneyOnly: true)])
        let whole = try Self.periods(
            items, Self.takenBack("FAMILY_REVOKE"), known: [Acme.known(product: "generic.sub")])
        #expect(whole.map { $0.refund?.kind } == [.revoke] && whole[0].refund?.micros == 1_000_000)
    }

    @Test func `what was booked as a whole ends without money when all of its items were taken back so`() throws {
        let known = [Acme.known(product: "generic.sub")]
        let items = [Self.item("math", 8_330, revoked: Self.fifth), Self.item("art", 3_570, revoked: Self.eleventh)]
        let refund = try #require(try Self.periods(items, known: known).first?.refund)
        #expect(refund.kind == .revoke && refund.micros == nil)
        #expect(refund.at == Instant(milliseconds: Self.eleventh))
        // One of them is still owned.
        let owned = try Self.periods(
            [Self.item("math", 8_330, revoked: Self.fifth), Self.item("art", 3_570)], known: known)
        #expect(owned.map(\.refund) == [nil])
    }

    @Test func `an item that was taken back has no seats left, the others have theirs`() throws {
        let seats: [String: Any] = ["priceTiers": [["tierPrice": 11_900, "tierQuantity": 10]]]
        let periods = try Self.periods(
            [
                Self.item("math", 8_330),
                Self.item("art", 3_570, refunds: [(1_000, Self.fifth), (2_000, Self.tenth)], revoked: Self.tenth),
            ], ["multiSeatInfo": seats, "quantity": 10])
        #expect(periods.map(\.facts.seats) == [10, 0])
        #expect(periods[1].refund?.kind == .partial && periods[1].refund?.micros == 3_000_000)
        // Its seats were there until the 10th: what went back before is no seat given back.
        #expect(periods[1].refund?.parts.first == Self.part(1_000_000, at: Self.fifth, isMoneyOnly: true))
    }

    /// Booked as a whole, ten seats for 1.19 each: the courses were given back and taken away on the 5th and the 10th.
    @Test func `what was booked as a whole has no seats left when the last of its items was taken back`() throws {
        let seats: [String: Any] = ["priceTiers": [["tierPrice": 1_190, "tierQuantity": 10]]]
        let items = [
            Self.item("math", 8_330, refunds: [(8_330, Self.fifth)], revoked: Self.fifth),
            Self.item("art", 3_570, refunds: [(3_570, Self.tenth)], revoked: Self.tenth),
        ]
        let periods = try Self.periods(
            items, ["multiSeatInfo": seats, "quantity": 10], known: [Acme.known(product: "generic.sub")])
        let refund = try #require(periods.first?.refund)
        #expect(periods.map(\.facts.seats) == [0])
        #expect(refund.at == Instant(milliseconds: Self.tenth) && !refund.leavesPeriod && refund.kind == .full)
    }

    /// 1.00 of a course on the 11th, and on the 10th the row was taken back with all that was left.
    @Test func `a row that was taken back ends all of its items then, whenever money of one went back`() throws {
        let items = [Self.item("math", 8_330, refunds: [(1_000, Self.eleventh)]), Self.item("art", 3_570)]
        let periods = try Self.periods(items, Self.takenBack("REFUND_FULL"))
        #expect(periods.allSatisfy { $0.refund?.at == Instant(milliseconds: Self.tenth) })
        #expect(periods.allSatisfy { $0.refund?.leavesPeriod == false })
    }

    private static func state(_ items: [[String: Any]], _ changes: [String: Any?] = [:]) throws -> ObservedStatus {
        var row = Rows.transaction([
            "productId": "generic.sub", "price": 11_900,
            "advancedCommerceInfo": ["items": items, "period": "P1M"] as [String: Any],
        ])
        for (name, value) in changes { row[name] = value }
        return try #require(try Acme.read(try Rows.statuses(status: 5, row)).observations.first?.status)
    }

    /// As the reports have it: `revoke` is the end without money, and money of one item makes the end of all a refund.
    @Test func `a subscription whose items were all taken back without money was revoked`() throws {
        let math = Self.item("math", 8_330, revoked: Self.fifth)
        let revoked = try Self.state([math, Self.item("art", 3_570, revoked: Self.tenth)])
        #expect(revoked.state == .revoked && revoked.endReason == .revoke)
        let art = Self.item("art", 3_570, refunds: [(3_570, Self.tenth)], revoked: Self.tenth)
        let refunded = try Self.state([math, art])
        #expect(refunded.state == .revoked && refunded.endReason == .refund)
    }

    /// RULINGS §3: `upgradedToBundle` ends as `replaced`, an unknown reason as `revoke`.
    @Test(
        arguments: [
            ("2", nil, .expired, .replaced), ("upgradedToBundle", nil, .expired, .replaced),
            ("1", nil, .revoked, .revoke), (nil, "FAMILY_REVOKE", .revoked, .revoke), ("9", nil, .revoked, .revoke),
        ] as [(String?, String?, SubscriptionState, EndReason)])
    func `of items that were all taken back without money the row says why, where it does`(
        reason: String?, type: String?, state: SubscriptionState, endReason: EndReason
    ) throws {
        let items = [Self.item("math", 8_330, revoked: Self.fifth), Self.item("art", 3_570, revoked: Self.tenth)]
        let status = try Self.state(items, ["revocationReason": reason, "revocationType": type])
        #expect(status.state == state && status.endReason == endReason)
        #expect(status.revokedAt == Instant(milliseconds: Self.tenth))
    }

    /// Two of ten seats were given back, 23.80, then the one course was taken back, and the row says so too.
    @Test func `a revocation of a group's row that is one item's leaves the others their seats`() throws {
        let seats: [String: Any] = [
            "priceTiers": [["tierPrice": 11_900, "tierQuantity": 10]], "revokedSeatQuantity": 2,
        ]
        let items = [Self.item("math", 8_330), Self.item("art", 3_570, revoked: Self.tenth)]
        let changes = Self.takenBack("REFUND_FULL").merging(["multiSeatInfo": seats, "quantity": 10]) { $1 }
        let periods = try Self.periods(items, changes)
        #expect(periods.map(\.facts.seats) == [8, 0])
        #expect(periods[0].refund?.micros == 23_800_000 && periods[0].refund?.leavesPeriod == true)
        #expect(periods[1].refund?.kind == .revoke)
    }
}
