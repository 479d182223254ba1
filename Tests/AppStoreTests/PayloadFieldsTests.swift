// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import Testing

@testable import AppStore

/// The table of the signed rows' fields, compared with what the store documents and with what the decoders do.
@Suite struct PayloadFieldsTests {
    /// As Apple documents them at version 1.23 of the API; where a bundle is described, by the names of version 2.16 of its
    /// notifications.
    private static let transaction = """
        originalTransactionId transactionId webOrderLineItemId appTransactionId bundleId productId
        subscriptionGroupIdentifier purchaseDate originalPurchaseDate expiresDate quantity type appAccountToken
        inAppOwnershipType signedDate revocationDate revocationReason revocationType revocationPercentage isUpgraded
        offerType offerIdentifier offerPeriod offerDiscountType environment storefront storefrontId transactionReason
        currency price advancedCommerceInfo billingPlanType commitmentInfo multiSeatInfo additionalTransactionReason
        previousOriginalTransactionId
        """
    private static let renewal = """
        originalTransactionId autoRenewProductId productId autoRenewStatus isInBillingRetryPeriod expirationIntent
        priceIncreaseStatus gracePeriodExpiresDate offerType offerIdentifier offerDiscountType offerPeriod signedDate
        environment recentSubscriptionStartDate renewalDate renewalPrice currency eligibleWinBackOfferIds
        appAccountToken appTransactionId advancedCommerceInfo renewalBillingPlanType commitmentInfo multiSeatInfo
        renewalQuantity
        """

    /// A refunded period at a promotional price: every kept field has a value whose change can be seen.
    private static var refunded: [String: Any] {
        Rows.transaction([
            "offerType": 2, "offerIdentifier": "back", "offerDiscountType": "PAY_AS_YOU_GO",
            "revocationDate": Rows.signed - 1_000, "revocationType": "REFUND_PRORATED", "revocationPercentage": 40_000,
            "isUpgraded": false, "revocationReason": 1,
        ])
    }
    private static let changedTransaction: [String: any Sendable] = [
        "originalTransactionId": "2000", "transactionId": "2999", "webOrderLineItemId": "9999",
        "bundleId": "com.other.app", "environment": "Sandbox", "productId": "silver.month",
        "subscriptionGroupIdentifier": "78", "purchaseDate": Rows.march + 1_000, "expiresDate": Rows.april + 1_000,
        "quantity": 2, "type": "Consumable", "inAppOwnershipType": "FAMILY_SHARED", "signedDate": Rows.signed + 1_000,
        "revocationDate": Rows.signed, "revocationType": "FAMILY_REVOKE", "revocationPercentage": 50_000,
        "isUpgraded": true, "offerType": 4, "offerIdentifier": "again", "offerDiscountType": "FREE_TRIAL",
        "storefront": "FRA", "transactionReason": "PURCHASE", "currency": "USD", "price": 4_990,
        "revocationReason": 9, "advancedCommerceInfo": ["items": [["SKU": "math"]]],
        "multiSeatInfo": ["priceTiers": [["tierPrice": 1_000, "tierQuantity": 2]]],
        "additionalTransactionReason": "SEAT_ADDITION", "previousOriginalTransactionId": "1999",
        // Dropped ones: other values, and none of them matters.
        "appTransactionId": "7", "originalPurchaseDate": 1, "storefrontId": "1", "appAccountToken": "x",
        "offerPeriod": "P1Y",
        // Kept again: a month of twelve, of which more are owed.
        "billingPlanType": "MONTHLY",
        "commitmentInfo": ["billingPeriodNumber": 3, "totalBillingPeriods": 12],
    ]

    /// Expired, so that the intent counts, with a grace behind it.
    private static var ended: [String: Any] {
        Rows.renewal([
            "autoRenewStatus": 1, "expirationIntent": 2, "gracePeriodExpiresDate": Rows.april + 1_000,
            "commitmentInfo": ["commitmentAutoRenewStatus": 1], "renewalPrice": 9_990, "currency": "EUR",
        ])
    }
    private static let changedRenewal: [String: any Sendable] = [
        "originalTransactionId": "2000", "environment": "Sandbox", "signedDate": Rows.signed + 1_000,
        "autoRenewStatus": 0, "autoRenewProductId": "silver.month", "expirationIntent": 3,
        "gracePeriodExpiresDate": Rows.april + 2_000,
        "commitmentInfo": ["commitmentAutoRenewStatus": 0, "commitmentRenewalDate": Rows.april],
        "productId": "silver.month", "isInBillingRetryPeriod": true, "priceIncreaseStatus": 1, "offerType": 1,
        "offerIdentifier": "x", "offerDiscountType": "FREE_TRIAL", "offerPeriod": "P1Y", "renewalPrice": 1,
        "currency": "USD", "renewalBillingPlanType": "MONTHLY", "renewalDate": Rows.april + 5_000,
        "recentSubscriptionStartDate": 1,
        "eligibleWinBackOfferIds": ["x"], "appAccountToken": "x", "appTransactionId": "7",
        "advancedCommerceInfo": ["items": [["SKU": "math"]]],
        "multiSeatInfo": ["renewalPriceTiers": [["tierPrice": 4_000, "tierQuantity": 2]]],
        "renewalQuantity": 3,
    ]

    @Test func `the table names exactly the documented fields, 36 and 26`() {
        #expect(PayloadFields.transaction.names == Self.words(Self.transaction))
        #expect(PayloadFields.transaction.names.count == 36)
        #expect(PayloadFields.renewal.names == Self.words(Self.renewal))
        #expect(PayloadFields.renewal.names.count == 26)
    }

    @Test func `each field of a transaction that is listed as retained changes the outcome, and no other does`() throws
    {
        let plain = try Self.outcome(Self.refunded, Rows.renewal(), status: 1)
        var changing: Set<String> = []
        for name in PayloadFields.transaction.names {
            // What was taken back owes nothing more.
            let isOwed = name == "commitmentInfo" || name == "billingPlanType"
            let renewal = isOwed ? Rows.renewal(["autoRenewStatus": 0]) : Rows.renewal()
            var row = isOwed ? Rows.transaction() : Self.refunded
            let before = isOwed ? try Self.outcome(row, renewal, status: 1) : plain
            row[name] = Self.changedTransaction[name]
            if try Self.outcome(row, renewal, status: 1) != before { changing.insert(name) }
        }
        #expect(changing == PayloadFields.transaction.used)
    }

    @Test func `each field of a renewal that is listed as retained changes the outcome, and no other does`() throws {
        var changing: Set<String> = []
        for name in PayloadFields.renewal.names {
            // What has ended is extended no more.
            let status = name == "renewalDate" ? 1 : 2
            var row = Self.ended
            row[name] = Self.changedRenewal[name]
            // What the renewal says of a commitment counts where the row is a month of one.
            let month = name == "commitmentInfo" ? Rows.transaction(["billingPlanType": "MONTHLY"]) : Rows.transaction()
            let plain = try Self.outcome(month, Self.ended, status: status)
            if try Self.outcome(month, row, status: status) != plain { changing.insert(name) }
        }
        #expect(changing == PayloadFields.renewal.used)
    }

    @Test func `no documented field is counted as unknown`() throws {
        var transaction = Self.refunded
        var renewal = Self.ended
        for (name, value) in Self.changedTransaction where transaction[name] == nil { transaction[name] = value }
        for (name, value) in Self.changedRenewal where renewal[name] == nil { renewal[name] = value }
        #expect(try Acme.read(try Rows.statuses(status: 2, transaction, renewal)).unknownValues.isEmpty)
    }

    @Test(arguments: [
        (["autoRenewStatus": 7], "renewal.autoRenewStatus=7"), (["expirationIntent": 9], "renewal.expirationIntent=9"),
    ])
    func `a renewal's unknown number is counted and decides nothing`(change: [String: Int], counted: String) throws {
        let row = Rows.renewal(change.mapValues { $0 as Any? })
        let reading = try Acme.read(try Rows.statuses(status: 2, Rows.transaction(), row))
        #expect(reading.unknownValues == [counted: 1])
        let status = try #require(reading.observations.first?.status)
        #expect(status.autoRenew == (change["autoRenewStatus"] == nil ? true : nil))
        #expect(status.endReason == .unknown)
    }

    @Test func `an unknown status stays as it came, and the state is the last one`() throws {
        let reading = try Acme.read(try Rows.statuses(status: 6))
        #expect(reading.observations.first?.status?.state == nil)
        #expect(reading.observations.first?.status?.raw == "6")
        #expect(reading.unknownValues == ["status=6": 1])
    }

    private static func words(_ text: String) -> Set<String> {
        Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    /// What the answer leads to, without its archive.
    private static func outcome(
        _ transaction: [String: Any], _ renewal: [String: Any], status: Int
    ) throws -> String {
        // The entry keeps its own id: only the row changes.
        let store = try SigningStoreRows.entry(status: status, id: "2001", transaction, renewal)
        do throws(UnreadableAnswer) {
            let reading = try Acme.reading(of: store)
            return
                "\(reading.observations.map { ($0.storeKey.reveal(), $0.status, $0.periods, $0.linkedTo?.reveal()) }) \(reading.setAside)"
        } catch {
            return "\(error.reason)"
        }
    }
}
