// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Pipeline
import Testing
import TestSupport

/// Google Play purchases. The v1 purchase and its answer are ones that were seen; the key that signs is the tests' own.
@Suite(.hangLimit) struct PlayTests {
    private static let sample = "google_in_app_purchase_data"
    private static let applications = "/androidpublisher/v3/applications"
    private static let v1 = applications + "/jp.example.app/purchases/subscriptions/example/tokens/xxx..."
    private static let v2 = applications + "/com.acme.app/purchases/subscriptionsv2/tokens/token-1"
    /// 2018-12-11T08:10:00Z, inside the five minutes of the sample.
    private static let then = Instant(milliseconds: 1_544_515_800_000)

    private static func data(_ package: String = "com.acme.app", product: String = "gold.month") -> String {
        #"{"orderId":"GPA.3300-1111-2222-33333","packageName":"\#(package)","productId":"\#(product)","#
            + #""purchaseTime":1772323200000,"purchaseState":0,"purchaseToken":"token-1","autoRenewing":true}"#
    }

    /// March, running, in the newer interface.
    private static func tell(_ desk: StoreDesk, changing changes: Object = [:]) {
        let item: Object = [
            "productId": "gold.month", "expiryTime": "2026-04-01T00:00:00Z",
            "latestSuccessfulOrderId": "GPA.3300-1111-2222-33333",
            "autoRenewingPlan": ["autoRenewEnabled": true] as Object,
        ]
        let purchase: Object = [
            "regionCode": "DE", "startTime": "2026-03-01T00:00:00Z",
            "subscriptionState": "SUBSCRIPTION_STATE_ACTIVE", "lineItems": [item],
        ]
        let euros: Object = ["currencyCode": "EUR", "units": "9", "nanos": 990_000_000]
        let line: Object = [
            "productId": "gold.month", "total": euros,
            "subscriptionDetails": [
                "servicePeriodStartTime": "2026-03-01T00:00:00Z", "servicePeriodEndTime": "2026-04-01T00:00:00Z",
            ] as Object,
        ]
        let order: Object = [
            "orderId": "GPA.3300-1111-2222-33333", "purchaseToken": "token-1", "state": "PROCESSED",
            "createTime": "2026-03-01T00:00:01Z", "lastEventTime": "2026-03-01T00:00:05Z", "total": euros,
            "lineItems": [line],
        ]
        desk.on(v2, 200, Apple.json(purchase.merging(changes) { $1 }))
        desk.on(applications + "/com.acme.app/orders:batchGet", 200, Apple.json(["orders": [order]]))
    }

    @Test("A5: a signed purchase is verified, asked about, registered and booked, with the product and token it names")
    func signedPurchaseIsBooked() async throws {
        try await IntakeWorld.with { world in
            world.desk.on(Self.v1, 200, try Receipts.text("google_subscription_v1_sandbox"))
            let data = try Receipts.text(Self.sample)
            try await world.handIn(
                "example-android", "play_purchase", data, signature: try PlaySigner.shared.get().sign(data))
            try await world.intake(at: Self.then)
            #expect(try await world.verdicts() == ["accepted|true|true|true|true"])
            // The answer names neither product nor token: both come from the purchase.
            #expect(
                try await world.subscriptions() == ["xxx...|alice|example|sandbox|active|2018-12-11 08:13:50"])
            #expect(try await world.transactions() == ["GPA.1111-1111-1111-11111|example|sandbox|purchase||"])
            let kept = try await world.connection.lines(
                "select product_id, transaction_id from subledger.purchase_inbox")
            #expect(kept == ["example|GPA.1111-1111-1111-11111"])
        }
    }

    @Test("A5: one changed byte, JSON written anew, another key's signature or none: not genuine, and nobody is asked")
    func wrongSignatureIsRefused() async throws {
        try await IntakeWorld.with { world in
            Self.tell(world.desk)
            let (data, signer) = (Self.data(), try PlaySigner.shared.get())
            let signature = try signer.sign(data)
            let foreign = try PlaySigner().sign(data)
            let object = try JSONSerialization.jsonObject(with: Data(data.utf8))
            let anew = String(
                decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys), as: UTF8.self)
            let attempts: [(String, String?)] = [
                (data.replacing("token-1", with: "token-2"), signature), (anew, signature), (data + "\n", signature),
                (data, foreign), (data, nil), (data, ""), (data, "!"),
            ]
            for (data, signature) in attempts {
                try await world.handIn("acme-android", "play_purchase", data, signature: signature)
            }
            try await world.intake()
            #expect(try await world.verdicts() == attempts.map { _ in "refused|false|||" })
            #expect(world.desk.requests.isEmpty)
        }
    }

    @Test("A5: a purchase of another package is genuine and not ours")
    func anotherPackageIsRefused() async throws {
        try await IntakeWorld.with { world in
            let data = Self.data("com.other.app")
            try await world.handIn(
                "acme-android", "play_purchase", data, signature: try PlaySigner.shared.get().sign(data))
            try await world.intake()
            #expect(try await world.verdicts() == ["refused|true|false||"])
            #expect(world.desk.requests.isEmpty)
        }
    }

    @Test(
        "A5: a foreign token's 400 names what disagrees",
        arguments: [
            ("purchaseTokenDoesNotMatchPackageName", "refused|true|false||", "belongs to another package"),
            ("purchaseTokenMismatch", "refused|false|||", "does not belong to this product"),
            ("productNotOwnedByUser", "refused|false|||", "not owned by the purchase's user"),
            ("invalidValue", "refused|false|||", "malformed or not the store's"),
        ])
    func foreignTokenIsExplained(word: String, verdict: String, meaning: String) async throws {
        try await IntakeWorld.with { world in
            let error = #"{"error":{"code":400,"errors":[{"domain":"androidpublisher","reason":"\#(word)"}]}}"#
            world.desk.on("/androidpublisher", 400, error)
            try await world.handIn("acme-android", "play_token", "token-1")
            try await world.intake()
            #expect(try await world.verdicts() == [verdict])
            let reason = try #require(try await world.reasons().first)
            #expect(reason.contains(word) && reason.contains(meaning))
            #expect(try await world.subscriptions().isEmpty)
        }
    }

    @Test("A5: a right signature does not make up for an API that does not know the token, or knows it otherwise")
    func apiMustAnswerForIt() async throws {
        try await IntakeWorld.with { world in
            let signer = try PlaySigner.shared.get()
            let (known, other) = (Self.data(), Self.data(product: "platinum.year"))
            try await world.handIn("acme-android", "play_purchase", known, signature: try signer.sign(known))
            try await world.intake()
            Self.tell(world.desk)
            try await world.handIn("acme-android", "play_purchase", other, signature: try signer.sign(other))
            try await world.handIn("acme-android", "play_token", "token-1", product: "platinum.year")
            try await world.handIn("acme-android", "play_purchase", known, signature: try signer.sign(known))
            try await world.intake(at: IntakeWorld.now + .minutes(5))
            #expect(
                try await world.verdicts() == [
                    "refused|false|||", "refused|false|||", "refused|false|||", "accepted|true|true|true|true",
                ])
            #expect(try await world.entries() == ["GPA.3300-1111-2222-33333|charge|9990000|EUR"])
        }
    }

    @Test("A5: a bare token is asked about; a token that is gone for good is over")
    func bareToken() async throws {
        try await IntakeWorld.with { world in
            Self.tell(world.desk)
            world.desk.on(
                Self.v2.replacing("token-1", with: "gone"), 410,
                #"{"error":{"code":410,"errors":[{"reason":"subscriptionPurchaseNoLongerAvailable"}]}}"#)
            try await world.handIn("acme-android", "play_token", "token-1")
            try await world.handIn("acme-android", "play_token", "gone")
            try await world.handIn("acme-android", "play_token", "two words")
            try await world.intake()
            #expect(
                try await world.verdicts() == ["accepted|true|true|true|true", "refused||||false", "refused|false|||"])
            #expect(
                try await world.subscriptions() == ["token-1|alice|gold.month|production|active|2026-04-01 00:00:00"])
        }
    }

    @Test("A5: the legacy interface takes a bare token with the product beside it, and says so where there is none")
    func legacyInterfaceNeedsTheProduct() async throws {
        try await IntakeWorld.with { world in
            world.desk.on(Self.v1, 200, try Receipts.text("google_subscription_v1_sandbox"))
            try await world.handIn("example-android", "play_token", "xxx...")
            try await world.intake(at: Self.then)
            try await world.handIn("example-android", "play_token", "xxx...", product: "example")
            try await world.intake(at: Self.then + .minutes(1))
            #expect(try await world.verdicts() == ["refused||||", "accepted|true|true|true|true"])
            #expect(try await world.reasons().first?.contains("product_id") == true)
        }
    }

    @Test("A5: the product given at purchase is kept where the backend registered the token without one")
    func productIsAddedToARegistration() async throws {
        try await IntakeWorld.with { world in
            world.desk.on(Self.v1, 200, try Receipts.text("google_subscription_v1_sandbox"))
            _ = try await world.connection.lines("select subledger.register('example-android', 'xxx...') as key")
            let data = try Receipts.text(Self.sample)
            try await world.handIn(
                "example-android", "play_purchase", data, signature: try PlaySigner.shared.get().sign(data))
            try await world.intake(at: Self.then)
            // The order is new, whoever registered its token.
            #expect(try await world.verdicts() == ["accepted|true|true|true|true"])
            #expect(
                try await world.subscriptions() == ["xxx...|alice|example|sandbox|active|2018-12-11 08:13:50"])
            #expect(try await world.transactions() == ["GPA.1111-1111-1111-11111|example|sandbox|purchase||"])
        }
    }

    @Test("A5: without a licence key signed purchases wait, the owner is told, and other purchases are judged")
    func missingLicenceKey() async throws {
        try await IntakeWorld.with(licenceKey: false) { world in
            Self.tell(world.desk)
            try await world.handIn("acme-android", "play_purchase", Self.data(), signature: "AAAA")
            try await world.handIn("acme-android", "play_token", "token-1")
            let summary = try await world.intake()
            #expect(try await world.verdicts() == ["pending||||", "accepted|true|true|true|true"])
            #expect(summary.outcome == .partial)
            #expect(summary.stoppedApps.first?.message.contains("licence_key_file") == true)
        }
    }

    @Test("A5: a rightly signed one-time purchase is genuine, booked under its order, and not followed")
    func oneTimePurchase() async throws {
        try await IntakeWorld.with { world in
            let euros: Object = ["currencyCode": "EUR", "units": "4", "nanos": 990_000_000]
            world.desk.on(
                Self.applications + "/com.acme.app/purchases/productsv2/tokens/token-1", 200,
                Apple.json([
                    "orderId": "GPA.3300-1111-2222-33333", "regionCode": "DE",
                    "purchaseCompletionTime": "2026-03-01T00:00:02Z",
                    "purchaseStateContext": ["purchaseState": "PURCHASED"] as Object,
                    "productLineItem": [["productId": "coins"] as Object],
                ]))
            world.desk.on(
                Self.applications + "/com.acme.app/orders:batchGet", 200,
                Apple.json([
                    "orders": [
                        [
                            "orderId": "GPA.3300-1111-2222-33333", "purchaseToken": "token-1", "state": "PROCESSED",
                            "createTime": "2026-03-01T00:00:01Z", "total": euros,
                            "lineItems": [
                                [
                                    "productId": "coins", "total": euros,
                                    "oneTimePurchaseDetails": ["quantity": 1] as Object,
                                ]
                                    as Object
                            ],
                        ] as Object
                    ]
                ]))
            let (data, other) = (Self.data(product: "coins"), Self.data(product: "gems"))
            let signer = try PlaySigner.shared.get()
            try await world.handIn("acme-android", "play_purchase", data, signature: try signer.sign(data))
            try await world.handIn("acme-android", "play_purchase", other, signature: try signer.sign(other))
            try await world.intake()
            #expect(try await world.verdicts() == ["accepted|true|true|true|true", "refused|false|||"])
            #expect(try await world.subscriptions().isEmpty)
            #expect(
                try await world.transactions() == ["GPA.3300-1111-2222-33333|coins|production|one_time|4990000|EUR"])
            #expect(try await world.entries() == ["GPA.3300-1111-2222-33333|charge|4990000|EUR"])
            // Handed in again, it is known; another account's it is not.
            try await world.handIn("acme-android", "play_token", "token-1")
            try await world.handIn("acme-android", "play_token", "token-1", account: "bob")
            try await world.intake(at: IntakeWorld.now + .minutes(5))
            #expect(
                try await world.verdicts().suffix(2) == [
                    "accepted|true|true|false|true", "refused|true|true|false|true",
                ])
        }
    }

    @Test("A6: a Play test purchase is told apart by either interface, registered, checked, and never in revenue")
    func testPurchasesAreApart() async throws {
        try await IntakeWorld.with { world in
            Self.tell(world.desk, changing: ["testPurchase": [:] as Object])
            try await world.handIn("acme-android", "play_token", "token-1")
            try await world.intake()
            #expect(
                try await world.subscriptions() == ["token-1|alice|gold.month|sandbox|active|2026-04-01 00:00:00"])
            #expect(
                try await world.transactions() == ["GPA.3300-1111-2222-33333|gold.month|sandbox|purchase|9990000|EUR"])
            #expect(try await world.entries().isEmpty)
            #expect(try await world.revenue().isEmpty)
        }
    }
}
