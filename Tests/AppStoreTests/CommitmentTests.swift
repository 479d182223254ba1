// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing

@testable import AppStore

/// A year that is paid by the month, and what the next charge will be.
///
/// Commitments: twelve months from 2026-01-01 on, so that March is the third of them and the year ends on 2027-01-01.
@Suite struct CommitmentTests {
    /// 2027-01-01T00:00:00Z.
    private static let end: Int64 = 1_798_761_600_000

    private static func month(_ number: Int?, of total: Int? = 12, _ changes: [String: Any?] = [:]) -> [String: Any] {
        var info: [String: Any] = ["commitmentExpiresDate": end, "commitmentPrice": 119_880]
        info["billingPeriodNumber"] = number
        info["totalBillingPeriods"] = total
        return Rows.transaction(["commitmentInfo": info, "billingPlanType": "MONTHLY"].merging(changes) { $1 })
    }

    private static func renewal(_ status: Int?, commitment: Int?, _ changes: [String: Any?] = [:]) -> [String: Any] {
        var info: [String: Any] = ["commitmentRenewalDate": end, "commitmentRenewalPrice": 119_880]
        info["commitmentAutoRenewStatus"] = commitment
        return Rows.renewal(["commitmentInfo": info, "autoRenewStatus": status].merging(changes) { $1 })
    }

    private static func status(
        _ row: [String: Any], _ renewal: [String: Any], status: Int = 1
    ) throws -> (status: ObservedStatus, counted: [String]) {
        let reading = try Acme.read(try Rows.statuses(status: status, row, renewal))
        return (try #require(reading.observations.first?.status), reading.unknownValues.keys.sorted())
    }

    /// Month, of so many; the flag of the next month, the commitment's own; whether it renews, and whether it was cancelled.
    @Test(
        arguments: [
            (2, 12, 1, 0, true, true), (11, 12, 1, 0, true, true), (2, 12, 1, 1, true, false),
            // The last month: the commitment's own flag decides.
            (12, 12, 1, 0, false, true), (12, 12, 0, 0, false, true), (12, 12, 1, 1, true, false),
            (12, 12, 0, nil, false, false), (12, 12, 1, nil, true, false),
        ] as [(Int, Int, Int, Int?, Bool, Bool)])
    func `B7: a commitment renews while payments are owed, and its own flag decides in the last month`(
        number: Int, total: Int, next: Int, own: Int?, renews: Bool, isCancelled: Bool
    ) throws {
        let (observed, counted) = try Self.status(
            Self.month(number, of: total), Self.renewal(next, commitment: own))
        #expect(observed.autoRenew == renews)
        #expect(observed.committedUntil == (isCancelled ? Instant(milliseconds: Self.end) : nil))
        #expect(counted.isEmpty)
    }

    @Test func `B7: while payments are owed nothing is set to cancel, whatever the next month's flag says`() throws {
        let (observed, counted) = try Self.status(Self.month(3), Self.renewal(0, commitment: 0))
        #expect(observed.autoRenew == true)
        #expect(counted == ["renewal.autoRenewStatus=0 while payments are committed"])
        let (missing, _) = try Self.status(Self.month(3), Self.renewal(nil, commitment: 0))
        #expect(missing.autoRenew == true)
    }

    /// A month without its number: the year's end says whether another one follows.
    @Test(arguments: [nil, 12] as [Int?])
    func `B7: without its number a month is the last where the year ends with it`(total: Int?) throws {
        let march = try Self.status(Self.month(nil, of: total), Self.renewal(1, commitment: 0)).status
        #expect(march.autoRenew == true && march.committedUntil == Instant(milliseconds: Self.end))
        let last = try Self.status(
            Self.month(nil, of: total, ["expiresDate": Self.end]), Self.renewal(1, commitment: 0)
        ).status
        #expect(last.autoRenew == false && last.committedUntil == Instant(milliseconds: Self.end))
    }

    /// Neither a number nor an end: the flag of the next month is all that is known, and the commitment's own is about its end.
    @Test(arguments: [(1, 0, true), (0, 0, false), (0, 1, false), (nil, 0, nil)] as [(Int?, Int, Bool?)])
    func `B7: where it is unknown whether payments are owed the next month's flag counts`(
        next: Int?, own: Int, renews: Bool?
    ) throws {
        let noEnd: [String: Any?] = ["commitmentInfo": ["commitmentAutoRenewStatus": own]]
        let named = Rows.transaction(["commitmentInfo": ["commitmentPrice": 119_880]])
        for row in [named, Rows.transaction(["billingPlanType": "MONTHLY"])] {
            let (observed, counted) = try Self.status(row, Self.renewal(next, commitment: own, noEnd))
            #expect(observed.autoRenew == renews && observed.isCommitted == true && counted.isEmpty)
        }
        // The renewal's date is an end, whatever the row says.
        let dated = try Self.status(
            Rows.transaction(["billingPlanType": "MONTHLY"]), Self.renewal(0, commitment: 0)
        ).status
        #expect(dated.autoRenew == true && dated.committedUntil == Instant(milliseconds: Self.end))
    }

    /// The year was paid at once; from its end on it would be paid by the month.
    @Test(arguments: [["billingPlanType": "BILLED_UPFRONT"], [:]] as [[String: any Sendable]], [0, 1])
    func `B7: who pays for the year at once is in no commitment, whatever it renews to`(
        plan: [String: any Sendable], next: Int
    ) throws {
        let (observed, counted) = try Self.status(
            Rows.transaction(plan.mapValues { $0 as Any? }), Self.renewal(next, commitment: 0))
        #expect(observed.autoRenew == (next == 1) && observed.committedUntil == nil)
        #expect(observed.isCommitted == false && counted.isEmpty)
    }

    @Test func `B7: a commitment's flag that is neither on nor off is counted, and says nothing`() throws {
        let (observed, counted) = try Self.status(Self.month(12), Self.renewal(1, commitment: 2))
        #expect(observed.autoRenew == true && observed.committedUntil == nil)
        #expect(counted == ["renewal.commitmentAutoRenewStatus=2"])
        let (last, both) = try Self.status(Self.month(12), Self.renewal(7, commitment: 0))
        #expect(last.autoRenew == false && both == ["renewal.autoRenewStatus=7"])
    }

    @Test func `B7: a commitment that was paid no more owes nothing the store has not said`() throws {
        let (ended, _) = try Self.status(
            Self.month(5), Self.renewal(0, commitment: 0, ["expirationIntent": 2]), status: 2)
        #expect(ended.state == .expired && ended.endReason == .involuntary && ended.autoRenew == false)
        let (retried, _) = try Self.status(Self.month(5), Self.renewal(1, commitment: 0), status: 3)
        #expect(retried.state == .billingRetry && retried.autoRenew == true)
    }

    @Test func `where the renewal has no end of the year the row's own counts`() throws {
        let renewal = Rows.renewal(["commitmentInfo": ["commitmentAutoRenewStatus": 0]])
        #expect(
            try Self.status(Self.month(2), renewal).status.committedUntil == Instant(milliseconds: Self.end))
    }

    /// Thousandths of the unit for every currency; seats by their tiers, for the row's own price is the average of one.
    @Test(
        arguments: [
            (["renewalPrice": 9_990, "currency": "EUR"], RenewalPrice(micros: 9_990_000, currency: "EUR")),
            (["renewalPrice": 1_500_000, "currency": "JPY"], RenewalPrice(micros: 1_500_000_000, currency: "JPY")),
            (["renewalPrice": 0, "currency": "USD"], RenewalPrice(micros: 0, currency: "USD")), ([:], nil),
            (["currency": "USD"], nil),
        ] as [([String: any Sendable], RenewalPrice?)])
    func `the price of the renewal is the store's, with its currency`(
        said: [String: any Sendable], price: RenewalPrice?
    ) throws {
        // March was paid at 0.99 on an introductory offer.
        let row = Rows.transaction(["price": 990, "offerType": 1, "offerDiscountType": "PAY_AS_YOU_GO"])
        let (observed, counted) = try Self.status(row, Rows.renewal(said.mapValues { $0 as Any? }))
        #expect(observed.renewalPrice == price)
        #expect(counted.isEmpty)
    }

    @Test func `seats renew at the sum of their tiers`() throws {
        let tiers: [[String: Any]] = [
            ["tierPrice": 10_000, "tierQuantity": 4], ["tierPrice": 8_000, "tierQuantity": 2],
        ]
        let renewal = Rows.renewal([
            "renewalPrice": 9_333, "currency": "USD", "renewalQuantity": 6,
            "multiSeatInfo": ["renewalPriceTiers": tiers],
        ])
        // 4 × 10.00 + 2 × 8.00.
        #expect(
            try Self.status(Rows.transaction(), renewal).status.renewalPrice
                == RenewalPrice(micros: 56_000_000, currency: "USD"))
    }

    @Test(
        arguments: [
            ["renewalPrice": 9_990], ["renewalPrice": -1, "currency": "USD"], ["renewalPrice": 1, "currency": "usd"],
            ["renewalPrice": Int64.max, "currency": "USD"],
            ["renewalPrice": 9_990, "currency": "USD", "multiSeatInfo": ["renewalPriceTiers": [["tierPrice": 1]]]],
        ] as [[String: any Sendable]])
    func `a price of the renewal that means nothing is counted, and is none`(said: [String: any Sendable]) throws {
        let (observed, counted) = try Self.status(Rows.transaction(), Rows.renewal(said.mapValues { $0 as Any? }))
        #expect(observed.renewalPrice == nil)
        #expect(counted == ["renewal.renewalPrice without meaning"])
    }
}
