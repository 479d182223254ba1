// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import Testing

@testable import AppStore

@Suite struct ServerReaderTests {
    @Test func `a renewed subscription is read field by field`() throws {
        let reading = try Acme.read(try Rows.statuses())
        let observation = try #require(reading.observations.first)
        #expect(reading.observations.count == 1)
        #expect(observation.storeKey == Secret("2001"))
        #expect(observation.environment == .production)
        #expect(
            observation.status
                == ObservedStatus(
                    state: .active, raw: "1", productID: "gold.month", autoRenew: true,
                    autoRenewProductID: "gold.month", expiresAt: Instant(milliseconds: Rows.april), isCommitted: false,
                    sourceVersion: Instant(milliseconds: Rows.signed)))
        #expect(
            observation.periods == [
                ObservedPeriod(
                    PeriodFacts(
                        transactionID: "2002", periodKey: "9002", productID: "gold.month",
                        purchasedAt: Instant(milliseconds: Rows.march), start: Instant(milliseconds: Rows.march),
                        end: Instant(milliseconds: Rows.april), country: "DE",
                        // 9990 thousandths of a euro are 9,990,000 millionths.
                        priceMicros: 9_990_000, currency: "EUR"),
                    SaleFacts(
                        originalTransactionID: "2001", subscriptionGroup: "77", priceSource: .storePrice,
                        sourceVersion: Instant(milliseconds: Rows.signed)), hint: .renewal)
            ])
        #expect(reading.setAside.isEmpty)
        #expect(reading.unknownValues.isEmpty)
    }

    @Test(
        arguments: [
            (1, nil, .active, nil), (2, 1, .expired, .voluntary), (2, 2, .expired, .involuntary),
            (2, 3, .expired, .price),
            (2, 4, .expired, .product), (2, 5, .expired, .unknown), (2, nil, .expired, .unknown),
            (3, 2, .billingRetry, nil), (4, 2, .grace, nil), (5, nil, .revoked, .refund), (6, nil, nil, nil),
        ] as [(Int, Int?, SubscriptionState?, EndReason?)])
    func `B2: the store's status says whether it runs, may still renew, or has ended, and why`(
        status: Int, intent: Int?, state: SubscriptionState?, reason: EndReason?
    ) throws {
        let renewal = Rows.renewal(["expirationIntent": intent, "gracePeriodExpiresDate": Rows.april + 1_000])
        let reading = try Acme.read(try Rows.statuses(status: status, Rows.transaction(), renewal))
        let observed = try #require(reading.observations.first?.status)
        #expect(observed.state == state)
        #expect(observed.raw == "\(status)")
        #expect(observed.endReason == reason)
        #expect(observed.graceExpiresAt == Instant(milliseconds: Rows.april + 1_000))
        #expect(reading.unknownValues["status=6"] == (status == 6 ? 1 : nil))
    }

    @Test func `B6: a revocation of the current transaction ends the access, whatever the number`() throws {
        let revoked = Rows.transaction([
            "revocationDate": Rows.signed, "revocationReason": 0, "revocationType": "REFUND_PRORATED",
            "revocationPercentage": 40_000,
        ])
        let observation = try #require(try Acme.read(try Rows.statuses(status: 1, revoked)).observations.first)
        #expect(observation.status?.state == .revoked)
        #expect(observation.status?.endReason == .refund)
        #expect(observation.status?.revokedAt == Instant(milliseconds: Rows.signed))
        #expect(
            observation.periods.first?.refund
                == ObservedPeriod.Refund(
                    at: Instant(milliseconds: Rows.signed), kind: .partial, thousandthsOfPercent: 40_000))
    }

    @Test(
        arguments: [
            (["revocationType": "REFUND_FULL", "revocationPercentage": 100_000], .full, 100_000),
            ([:], .full, nil),
            (["revocationPercentage": 99_999], .partial, 99_999),
            (["revocationPercentage": 100_001], .full, nil),
            (["revocationType": "FAMILY_REVOKE"], .revoke, nil),
            (["inAppOwnershipType": "FAMILY_SHARED"], .revoke, nil),
        ] as [([String: any Sendable], RefundKind, Int64?)])
    func `B6: a revocation is a refund of its kind`(
        changes: [String: any Sendable], kind: RefundKind, share: Int64?
    ) throws {
        var row = Rows.transaction(["revocationDate": Rows.signed])
        row.merge(changes) { $1 }
        let observation = try #require(try Acme.read(try Rows.statuses(status: 5, row)).observations.first)
        #expect(observation.periods.first?.refund?.kind == kind)
        #expect(observation.periods.first?.refund?.thousandthsOfPercent == share)
        #expect(observation.status?.endReason == (kind == .revoke ? .revoke : .refund))
    }

    @Test(
        arguments: [
            (["offerType": 1, "offerDiscountType": "FREE_TRIAL", "price": 0], .introductory, true),
            (["offerType": 1, "price": 0], .introductory, true),
            (["offerType": 1, "offerDiscountType": "PAY_AS_YOU_GO", "price": 990], .introductory, false),
            (["offerType": 2, "offerDiscountType": "PAY_UP_FRONT"], .promotional, false),
            (["offerType": 3, "offerDiscountType": "FREE_TRIAL", "price": 0], .code, true),
            (["offerType": 4, "offerDiscountType": "ONE_TIME"], .winBack, false),
            (["offerType": 5, "offerDiscountType": "FREE_TRIAL", "price": 0], .retention, true),
            (["offerType": 5, "offerDiscountType": "PAY_UP_FRONT", "price": 14_970], .retention, false),
            (["offerType": 9], .other, false),
            (["offerIdentifier": "spring"], .other, false),
        ] as [([String: any Sendable], OfferType?, Bool)])
    func `B7: an offer is recognised by its type and its discount`(
        changes: [String: any Sendable], type: OfferType?, isFree: Bool
    ) throws {
        var row = Rows.transaction()
        row.merge(changes) { $1 }
        let reading = try Acme.read(try Rows.statuses(status: 1, row))
        let period = try #require(reading.observations.first?.periods.first)
        #expect(period.offerType == type)
        #expect(period.isFreeOffer == isFree)
        let unknown = changes["offerType"] == nil ? "missing beside an offer" : "=9"
        #expect(
            reading.unknownValues.isEmpty == (type != .other)
                && reading.unknownValues.keys.allSatisfy {
                    $0.hasPrefix("transaction.offerType") && $0.hasSuffix(unknown)
                })
    }

    @Test func `a price of a currency without decimals is in thousandths of its unit too`() throws {
        let row = Rows.transaction(["price": 300_000, "currency": "JPY", "storefront": "JPN"])
        let period = try #require(try Acme.read(try Rows.statuses(status: 1, row)).observations.first?.periods.first)
        // 300 yen.
        #expect(period.priceMicros == 300_000_000)
        #expect(period.country == "JP")
    }

    @Test(arguments: [["price": nil], ["currency": nil], ["price": -1]] as [[String: Int?]])
    func `a price that is not known is nil, never 0`(changes: [String: Int?]) throws {
        let row = Rows.transaction(changes.mapValues { $0 as Any? })
        let period = try #require(try Acme.read(try Rows.statuses(status: 1, row)).observations.first?.periods.first)
        #expect(period.priceMicros == nil)
        #expect(period.currency == nil)
        #expect(period.priceSource == .missing)
    }

    @Test func `unknown fields and values are counted and harm nothing`() throws {
        let plain = try Acme.read(try Rows.statuses())
        let odd = Rows.transaction([
            "moonPhase": "full", "storefront": "ZZZ", "transactionReason": "WHIM", "inAppOwnershipType": "BORROWED",
            "offerDiscountType": "HUGE",
        ])
        let reading = try Acme.read(
            try Rows.statuses(
                [try Rows.entry(odd, Rows.renewal(["mood": ["good": true]]))], ["weather": "rain"]))
        var expected = try #require(plain.observations.first?.periods.first)
        expected.facts.country = nil
        expected.isOfUnknownCountry = true
        expected.hint = nil
        // A discount without the offer's type is one of an unknown kind.
        expected.facts.offerType = .other
        // Its owner is unknown: not the purchaser.
        expected.sale.ownership = .assigned
        #expect(reading.observations.first?.periods == [expected])
        #expect(reading.observations.first?.status == plain.observations.first?.status)
        let counted = [
            "transaction.moonPhase", "transaction.storefront=ZZZ", "transaction.transactionReason=WHIM",
            "transaction.inAppOwnershipType=BORROWED", "transaction.offerDiscountType=HUGE",
            "transaction.offerType missing beside an offer", "renewal.mood", "statuses.weather",
        ]
        #expect(reading.unknownValues == Dictionary(uniqueKeysWithValues: counted.map { ($0, 1) }))
    }

    @Test func `numbers in strings and strings in numbers are read`() throws {
        let row = Rows.transaction([
            "transactionId": 2002, "price": "9990", "quantity": "1", "purchaseDate": "\(Rows.march)",
        ])
        let reading = try Acme.read(try Rows.statuses(status: 1, row))
        #expect(reading.observations.first?.periods == (try Acme.read(try Rows.statuses()).observations.first?.periods))
    }

    @Test func `B7: a superseded row that is revoked without a share was credited, not refunded`() throws {
        let old = Rows.transaction(["transactionId": "2000", "isUpgraded": true, "revocationDate": Rows.signed])
        let reading = try Acme.read(
            try Rows.statuses(), history: [try Rows.history([old], revision: "r1")])
        let period = try #require(reading.observations.first?.periods.first { $0.transactionID == "2000" })
        #expect(period.isUpgraded)
        #expect(period.refund == nil)
        #expect(reading.observations.first?.status?.state == .active)
    }
}
