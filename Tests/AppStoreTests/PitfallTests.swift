// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import TestSupport
import Testing

@testable import AppStore

/// What others' users tripped on, where no other test of this room is about it.
@Suite struct PitfallTests {
    private static func period(_ changes: [String: Any?]) throws -> ObservedPeriod? {
        try Acme.read(try Rows.statuses(status: 1, Rows.transaction(changes))).observations.first?.periods.first
    }

    /// 2,500,000 rupiah are 2,500,000,000 thousandths, more than 32 bits hold with a sign.
    @Test func `B7: a price above 32 bits is read whole`() throws {
        let period = try Self.period(["price": 2_500_000_000, "currency": "IDR", "storefront": "IDN"])
        #expect(period?.priceMicros == 2_500_000_000_000)
        #expect(period?.currency == "IDR")
    }

    /// Thousandths of a percent: 15 are 0.015 %.
    @Test func `B6: a percentage is in thousandths of a percent`() throws {
        let period = try Self.period(["revocationDate": Rows.signed, "revocationPercentage": 15])
        #expect(period?.refund?.thousandthsOfPercent == 15)
        #expect(period?.refund?.kind == .partial)
        // 999.00 × 0.00015 = 0.14985, half up to the cent.
        #expect(RefundAmount.micros(of: 999_000_000, thousandthsOfPercent: 15, currency: "EUR") == 150_000)
    }

    /// One in a million that are genuine: set aside in an answer, and kept waiting where a backend hands it in.
    @Test func `A1: a genuine transaction that names no app waits, and is neither refused nor believed`() throws {
        let signed = try SigningStore.shared.get().sign(Rows.transaction(["bundleId": nil]))
        let store = try Acme.configuration().store(clock: { Acme.now })
        guard
            case .undecided(let failure) = store.examine(
                SubmittedPurchase(kind: .signedTransaction, payload: Secret(signed)))
        else {
            Issue.record("decided")
            return
        }
        #expect(failure.kind == .unreadable)
    }

    /// Each kind of payload is read as what it represents, and says nothing as another.
    @Test func `B8: renewal information is no transaction, and a transaction no renewal information`() throws {
        let signing = try SigningStore.shared.get()
        let renewal = try signing.sign(Rows.renewal())
        let row = try signing.sign(Rows.transaction())
        let history = try Rows.json([
            "environment": "Production", "bundleId": "com.acme.app", "hasMore": false, "revision": "r",
            "signedTransactions": [renewal, row],
        ])
        let body = try SigningStoreRows.body(signed: row, renewal: row)
        let reading = try Acme.reading(of: body, history: [history])
        #expect(reading.setAside.map(\.reason) == ["missing_bundle"])
        #expect(reading.observations.map { $0.periods.count } == [1])
        #expect(reading.observations.first?.status?.state == .active)
        #expect(reading.observations.first?.status?.autoRenew == nil)
    }

    /// The customer's own and the family's are side by side, in no promised order.
    @Test(arguments: [false, true])
    func `B7: several subscriptions of one group are distinguished by their original ids`(isReversed: Bool) throws {
        let family = try Rows.entry(
            status: 5,
            Rows.transaction([
                "transactionId": "3001", "originalTransactionId": "3001", "inAppOwnershipType": "FAMILY_SHARED",
                "revocationDate": Rows.signed, "revocationType": "FAMILY_REVOKE",
            ]), Rows.renewal(["originalTransactionId": "3001", "autoRenewStatus": 0]))
        let entries = [try Rows.entry(), family]
        let reading = try Acme.read(try Rows.statuses(isReversed ? entries.reversed() : entries))
        #expect(reading.observations.map(\.storeKey) == ["2001", "3001"].map(Secret.init))
        #expect(reading.observations.first?.status?.state == .active)
        #expect(reading.observations.first?.status?.autoRenew == true)
        #expect(reading.observations.map { $0.periods.map(\.ownership) } == [[.purchased], [.familyShared]])
        #expect(reading.observations.map { $0.periods.first?.refund?.kind } == [nil, .revoke])
    }

    /// Fractions of a millisecond and ids of zero: nothing of it is the store's.
    @Test func `A6: a row as Xcode makes them is refused for its environment, not for its form`() throws {
        let row = Rows.transaction([
            "environment": "Xcode", "transactionId": "0", "originalTransactionId": "0",
            "purchaseDate": 1_697_679_936_049.7297, "signedDate": 1_773_144_000_000.25,
        ])
        let signed = try SigningStore.shared.get().sign(row)
        let failure = #expect(throws: UnreadableAnswer.self) {
            try Acme.reading(of: try SigningStoreRows.body(id: "0", signed: signed, renewal: nil))
        }
        #expect(failure?.reason == "wrong_environment")
    }

    /// The store charges up to a day before the expiry: the next period is there before it begins.
    @Test(arguments: AppleNights.Interface.allCases)
    func `B4: a renewal that begins tomorrow is booked in its own period`(interface: AppleNights.Interface) throws {
        let (march, april) = (
            (id: "2001", start: Int64(0), end: Int64(31)), (id: "2002", start: Int64(31), end: Int64(61))
        )
        var nights = AppleNights(interface)
        try nights.night(1, .init(periods: [march], status: 1))
        try nights.night(30, hours: 6, .init(periods: [march, april], status: 1))
        #expect(nights.booked == ["0 purchase 31", "31 renewal 61"])
        #expect(nights.snapshot.state == .active)
        #expect(nights.snapshot.expiresAt == AppleNights.day(61))
        #expect(nights.nextCheck == NextCheck(at: AppleNights.day(60), reason: .beforeExpiry))
    }

    /// The plan's commitment lasts a year; what was billed is a month.
    @Test func `B7: a month of a commitment is a period of a month`() throws {
        let period = try Self.period([
            "billingPlanType": "MONTHLY",
            "commitmentInfo": [
                "billingPeriodNumber": 3, "totalBillingPeriods": 12, "commitmentPrice": 119_880,
                "commitmentExpiresDate": Rows.april + 23_328_000_000,
            ],
        ])
        #expect(period?.end == Instant(milliseconds: Rows.april))
        #expect(period?.priceMicros == 9_990_000)
    }
}
