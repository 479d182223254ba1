// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing

@testable import AppStore

/// Bundles and suites (StoreKit 27): what a bundle includes has a row of its own, and the bundle's own row is the
/// subscriber.
///
/// The names are StoreKit's, in any spelling of case.
@Suite struct BundleTests {
    private static func reading(
        _ changes: [String: Any?], status: Int = 1, renewal: [String: Any?] = [:]
    ) throws -> Reading {
        try Acme.read(try Rows.statuses(status: status, Rows.transaction(changes), Rows.renewal(renewal)))
    }

    @Test(arguments: [
        ["bundleTransactionID": "8001"], ["bundleTransactionId": "8001"], ["BUNDLETRANSACTIONID": "8001"],
        ["bundletransactionid": "8001"], ["bundle_transaction_id": "8001"], ["bundleOriginalTransactionID": "8001"],
        ["bundleOriginalTransactionId": "8001"],
        ["bundleOriginalTransactionID": "8001", "bundleTransactionID": "8001"],
        // Two words for one thing: either of them is enough.
        ["bundleTransactionID": "8001", "bundleOriginalTransactionID": "2001"],
    ])
    func `what a bundle includes gives access and has neither money nor subscriber`(named: [String: String]) throws {
        let reading = try Self.reading(
            named.mapValues { $0 as Any? }.merging([
                "bundleProductID": "com.acme.all", "bundleSubscriptionGroupID": "99",
            ]) { $1 })
        let observation = try #require(reading.observations.first)
        let period = try #require(observation.periods.first)
        #expect(observation.status?.state == .active)
        #expect(observation.status?.expiresAt == Instant(milliseconds: Rows.april))
        #expect(period.ownership == .assigned && period.bundleTransactionID == "8001")
        // Its row has a price of 9.99, which was not paid.
        #expect(period.priceMicros == nil && period.currency == nil && period.priceSource == .missing)
        #expect(period.isAutoRenewable)
        #expect(reading.unknownValues.isEmpty && reading.setAside.isEmpty)
        #expect(reading.archive.first?.body.contains("8001") == true)
    }

    @Test(arguments: ["Subscription Bundle", "subscriptionBundle", "SUBSCRIPTION_SUITE", "Subscription Suite"])
    func `a bundle's own row is the subscriber`(type: String) throws {
        let reading = try Self.reading([
            "type": type, "bundleTransactionId": "2002", "bundleOriginalTransactionId": "2001",
        ])
        let period = try #require(reading.observations.first?.periods.first)
        #expect(period.ownership == .purchased && period.bundleTransactionID == nil)
        #expect(period.priceMicros == 9_990_000 && period.priceSource == .storePrice)
        #expect(period.isAutoRenewable)
        #expect(reading.unknownValues.isEmpty)
    }

    @Test func `a row that names no bundle's transaction is a purchase like any other`() throws {
        let reading = try Self.reading(["bundleProductId": "com.acme.all"])
        #expect(reading.observations.first?.periods.map(\.ownership) == [.purchased])
        #expect(reading.observations.first?.periods.map(\.priceMicros) == [9_990_000])
    }

    @Test func `the bundle id of the app is checked as ever`() throws {
        let error = #expect(throws: UnreadableAnswer.self) {
            try Self.reading(["bundleTransactionId": "8001", "bundleId": "com.other.app"])
        }
        #expect(error?.reason == "wrong_bundle")
    }

    /// The customer's money went back for the bundle: the row that it includes had none.
    @Test(
        arguments: [
            ["revocationReason": 0, "revocationType": "REFUND_FULL"], ["revocationReason": 1],
            ["revocationType": "REFUND_PRORATED", "revocationPercentage": 40_000],
        ] as [[String: any Sendable]])
    func `what a bundle includes is withdrawn without money`(revocation: [String: any Sendable]) throws {
        let changes: [String: Any?] = ["bundleTransactionId": "8001", "revocationDate": Rows.signed - 1_000]
        let reading = try Self.reading(changes.merging(revocation.mapValues { $0 as Any? }) { $1 }, status: 5)
        let observation = try #require(reading.observations.first)
        #expect(observation.periods.map { $0.refund?.kind } == [.revoke])
        #expect(observation.periods.map { $0.refund?.micros } == [nil])
        #expect(observation.status?.state == .revoked && observation.status?.endReason == .revoke)
    }

    @Test(arguments: ["unbundled", "Unbundled", "UNBUNDLED"])
    func `who left a bundle and goes on alone was replaced`(word: String) throws {
        let reading = try Self.reading([:], status: 2, renewal: ["expirationIntent": word])
        #expect(reading.observations.first?.status?.state == .expired)
        #expect(reading.observations.first?.status?.endReason == .replaced)
        #expect(reading.unknownValues.isEmpty)
    }

    /// The server numbers five reasons.
    ///
    /// The sixth is taken for StoreKit's where the row names a bundle, and is counted.
    @Test func `the next number is that where the row names a bundle, and counted`() throws {
        for (renewal, reason) in [
            (["expirationIntent": 6, "bundleProductId": "com.acme.all"], .replaced),
            (["expirationIntent": 6, "willUnbundle": true], .replaced), (["expirationIntent": 6], .unknown),
        ] as [([String: Any?], EndReason)] {
            let reading = try Self.reading([:], status: 2, renewal: renewal)
            #expect(reading.observations.first?.status?.endReason == reason)
            #expect(reading.unknownValues == ["renewal.expirationIntent=6": 1])
        }
    }

    private static func receipt(
        _ row: [String: Any], renewal: [String: Any] = [:]
    ) throws -> Reading {
        var whole: [String: Any] = [
            "transaction_id": "2002", "original_transaction_id": "2001", "web_order_line_item_id": "9002",
            "product_id": "gold.month", "quantity": "1", "purchase_date_ms": "\(Rows.march)",
            "expires_date_ms": "\(Rows.april)", "is_trial_period": "false", "in_app_ownership_type": "PURCHASED",
        ]
        whole.merge(row) { $1 }
        let pending = ["original_transaction_id": "2001", "product_id": "gold.month"].merging(renewal) { $1 }
        let body: [String: Any] = [
            "status": 0, "environment": "Production", "latest_receipt_info": [whole], "pending_renewal_info": [pending],
            "receipt": ["bundle_id": "com.acme.app", "request_date_ms": "\(Rows.signed)", "in_app": [Any]()],
        ]
        let due = Acme.due(receipt: Receipt(id: 1, data: Secret("receipt")))
        return try Acme.receipts().store(clock: { Acme.now }).read(
            StoreAnswer(
                inquiry: Inquiry(subscriptions: [due]), environment: .production,
                documents: [StoreAnswer.Document(endpoint: "verify_receipt", body: try Rows.json(body))],
                answeredAt: Acme.now))
    }

    @Test func `a receipt's row says the same in its own spelling`() throws {
        let included = try Self.receipt(["bundle_original_transaction_id": "8001"])
        #expect(included.observations.first?.periods.map(\.ownership) == [.assigned])
        #expect(included.observations.first?.periods.map(\.bundleTransactionID) == ["8001"])
        #expect(included.observations.first?.status?.state == .active)
        #expect(included.unknownValues.isEmpty)
        let own = try Self.receipt(["bundle_transaction_id": "2002"])
        #expect(own.observations.first?.periods.map(\.ownership) == [.purchased])
        let taken: [String: Any] = ["cancellation_date_ms": "\(Rows.signed - 1_000)"]
        let gone = try Self.receipt(
            taken.merging(["cancellation_reason": "0", "bundle_transaction_id": "8001"]) { $1 })
        #expect(gone.observations.first?.periods.map { $0.refund?.kind } == [.revoke])
        #expect(gone.observations.first?.status?.endReason == .revoke)
    }

    @Test func `a receipt's row that gave way to a bundle was replaced, when it was taken back`() throws {
        let reading = try Self.receipt([
            "cancellation_date_ms": "\(Rows.signed - 1_000)", "cancellation_reason": "upgradedToBundle",
        ])
        let status = try #require(reading.observations.first?.status)
        #expect(status.state == .expired && status.endReason == .replaced)
        #expect(status.revokedAt == Instant(milliseconds: Rows.signed - 1_000))
        let alone = try Self.receipt(
            ["expires_date_ms": "\(Rows.signed - 1_000)"], renewal: ["expiration_intent": "unbundled"])
        #expect(alone.observations.first?.status?.endReason == .replaced)
    }
}
