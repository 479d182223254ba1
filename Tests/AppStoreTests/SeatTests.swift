// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing

@testable import AppStore

/// Multiseat purchases (App Store Server API 1.23): the document of facts §10, 8 seats as 5 at 9.99 and 3 at 7.99.
@Suite struct SeatTests {
    /// 5 × 9.99 + 3 × 7.99 = 49.95 + 23.97 = 73.92; the average of a seat is 9.24.
    static func purchase(_ changes: [String: Any?] = [:], revoked: Int? = nil) -> [String: Any] {
        var info: [String: Any] = [
            "invitationManagement": "APPLE",
            // In no order.
            "priceTiers": [["tierPrice": 7_990, "tierQuantity": 3], ["tierPrice": 9_990, "tierQuantity": 5]],
        ]
        info["revokedSeatQuantity"] = revoked
        var row = Rows.transaction(["quantity": 8, "price": 9_240, "multiSeatInfo": info])
        for (name, value) in changes { row[name] = value }
        return row
    }

    private static func period(_ row: [String: Any]) throws -> ObservedPeriod {
        let reading = try Acme.read(try Rows.statuses(row))
        #expect(reading.setAside.isEmpty)
        return try #require(reading.observations.first?.periods.first)
    }

    @Test func `a multiseat price is the sum of its tiers, and not the average of a seat`() throws {
        let period = try Self.period(Self.purchase())
        #expect(period.priceMicros == 73_920_000)
        #expect(period.quantity == 8)
        #expect(period.seats == 8)
        #expect(period.refund == nil)
        #expect(!period.isAdditional)
        // An ordinary row has no seats.
        #expect(try Self.period(Rows.transaction(["quantity": 2])).seats == nil)
    }

    @Test func `tiers that cannot be reckoned with leave the price unknown`() throws {
        for tiers in [[], [["tierPrice": -1, "tierQuantity": 1]], [["tierQuantity": 3]]] as [[[String: Int]]] {
            let row = Self.purchase(["multiSeatInfo": ["priceTiers": tiers]])
            let reading = try Acme.read(try Rows.statuses(row))
            let period = try #require(reading.observations.first?.periods.first)
            #expect(period.priceMicros == nil && period.priceSource == .missing)
            #expect(reading.unknownValues == ["transaction.price without meaning": 1])
        }
    }

    @Test func `a member of the group has access, and neither seats nor a refund of them`() throws {
        let member = try Self.period(Self.purchase(["inAppOwnershipType": "ASSIGNED"], revoked: 2))
        #expect(member.ownership == .assigned)
        #expect(member.seats == nil)
        #expect(member.refund == nil)
    }

    @Test func `seats that were given back are refunded the dearest first, and the period goes on`() throws {
        let earlier = Self.purchase(["signedDate": Rows.signed - 3_600_000], revoked: 6)
        let reading = try Acme.read(try Rows.statuses(earlier))
        let observation = try #require(reading.observations.first)
        let period = try #require(observation.periods.first)
        // 5 × 9.99 and 1 × 7.99 = 57.94.
        #expect(period.refund?.micros == 57_940_000)
        #expect(period.refund?.kind == .partial)
        #expect(period.refund?.source == .derived)
        // When it was read, an hour after it was signed.
        #expect(period.refund?.at == Acme.now)
        #expect(period.refund?.isGrowing == true && period.refund?.leavesPeriod == true)
        #expect(period.seats == 2)
        #expect(observation.status?.state == .active)
    }

    @Test func `every seat given back is a whole refund, on the day of the revocation`() throws {
        let row = Self.purchase(
            ["revocationDate": Rows.signed - 1_000, "revocationType": "REFUND_FULL", "revocationReason": 0], revoked: 8)
        let reading = try Acme.read(try Rows.statuses(status: 5, row))
        let period = try #require(reading.observations.first?.periods.first)
        #expect(period.refund?.micros == 73_920_000)
        #expect(period.refund?.kind == .full)
        #expect(period.refund?.at == Instant(milliseconds: Rows.signed - 1_000))
        #expect(period.seats == 0)
        #expect(reading.observations.first?.status?.state == .revoked)
    }

    /// A part of the money, or none: the seats are gone, whatever count of them the row shows.
    @Test(
        arguments: [("REFUND_PRORATED", 40_000, 29_570_000), ("ASSIGNMENT_REVOKE", nil, nil)]
            as [(String, Int?, Int64?)])
    func `of a row that was taken back no seat is left`(type: String, share: Int?, refunded: Int64?) throws {
        let row = Self.purchase(
            [
                "additionalTransactionReason": "SEAT_ADDITION", "revocationDate": Rows.signed - 1_000,
                "revocationType": type, "revocationPercentage": share,
            ], revoked: 0)
        let period = try #require(try Acme.read(try Rows.statuses(status: 1, row)).observations.first?.periods.first)
        #expect(period.seats == 0)
        // 73.92 × 40 % = 29.568, to the cent: 29.57.
        #expect(period.refund?.micros == refunded && period.refund?.isGrowing == (refunded != nil))
        #expect(period.refund?.leavesPeriod == false)
        #expect(period.refund?.kind == (refunded == nil ? .revoke : .partial))
    }

    /// Which of a period's transactions the statuses list is not told: one of them may be given back while the others run on.
    @Test(arguments: [(1, .active), (2, .expired), (4, .grace), (5, .revoked)] as [(Int, SubscriptionState)])
    func `of one of several transactions that was given back the status says what became of the period`(
        status: Int, state: SubscriptionState
    ) throws {
        let row = Self.purchase(
            [
                "additionalTransactionReason": "SEAT_ADDITION", "revocationDate": Rows.signed - 1_000,
                "revocationType": "REFUND_FULL", "revocationReason": 0,
            ], revoked: 8)
        let reading = try Acme.read(try Rows.statuses(status: status, row))
        let observed = try #require(reading.observations.first?.status)
        #expect(observed.state == state)
        #expect(observed.endReason == (state == .revoked ? .refund : state == .expired ? .unknown : nil))
        #expect((observed.revokedAt != nil) == (state == .revoked))
        #expect(reading.observations.first?.periods.first?.refund?.kind == .full)
        // The only transaction of its period ends it.
        var alone = row
        alone["additionalTransactionReason"] = nil
        #expect(try Acme.read(try Rows.statuses(status: status, alone)).observations.first?.status?.state == .revoked)
    }

    @Test func `where the statuses list several transactions of a period, one that runs counts, in any order`() throws {
        let added = Self.purchase(
            [
                "transactionId": "2003", "webOrderLineItemId": "9003", "additionalTransactionReason": "SEAT_ADDITION",
                "purchaseDate": Rows.march + 1_000, "revocationDate": Rows.signed - 1_000,
                "revocationType": "REFUND_FULL", "revocationReason": 0,
            ], revoked: 8)
        let entries = [try Rows.entry(status: 5, added), try Rows.entry(status: 1, Self.purchase())]
        for entries in [entries, entries.reversed()] {
            let reading = try Acme.read(try Rows.statuses(entries))
            #expect(reading.observations.first?.status?.state == .active)
            #expect(reading.observations.first?.periods.count == 2)
        }
    }

    @Test(arguments: ["SEAT_ADDITION", "CHANGE_OF_WIND"])
    func `several transactions of a period may exist side by side`(reason: String) throws {
        let reading = try Acme.read(try Rows.statuses(Self.purchase(["additionalTransactionReason": reason])))
        #expect(reading.observations.first?.periods.map(\.isAdditional) == [true])
        let unknown = ["transaction.additionalTransactionReason=CHANGE_OF_WIND": Int64(1)]
        #expect(reading.unknownValues == (reason == "SEAT_ADDITION" ? [:] : unknown))
    }
}
