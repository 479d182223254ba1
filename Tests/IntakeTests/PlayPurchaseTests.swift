// SPDX-License-Identifier: Apache-2.0

import Foundation
import Intake
import Model
import Runs
import TestSupport
import Testing

/// Signed purchases of Google Play: the signature is verified, and the store still asked.
@Suite(.hangLimit) struct PlayPurchaseTests {
    @Test
    func `A5: a signed purchase is verified, asked about, registered and booked with product and token`() async throws {
        try await IntakeWorld.with { world in
            world.desk.on(Google.v1, 200, try Receipts.text("google_subscription_v1_sandbox"))
            let data = try Receipts.text(Google.sample)
            try await world.handIn(
                "example-android", "play_purchase", data, signature: try PlaySigner.shared.get().sign(data))
            try await world.intake(at: Google.then)
            #expect(try await world.verdicts() == ["accepted|true|true|true|true"])
            // The answer names neither product nor token: both come from the purchase.
            #expect(
                try await world.subscriptions() == ["xxx...|alice|example|sandbox|active|2018-12-11 08:13:50"])
            #expect(try await world.transactions() == ["GPA.1111-1111-1111-11111|example|sandbox|purchase||"])
            let stored = try await world.connection.lines(
                "select product_id, transaction_id from subledger.purchase_inbox")
            #expect(stored == ["example|GPA.1111-1111-1111-11111"])
        }
    }

    @Test
    func `A5: a changed byte, rewritten JSON, a foreign signature or none: not genuine, and no request is sent`()
        async throws
    {
        try await IntakeWorld.with { world in
            Google.report(world.desk)
            let (data, signer) = (Google.data(), try PlaySigner.shared.get())
            let signature = try signer.sign(data)
            let foreign = try PlaySigner().sign(data)
            let object = try JSONSerialization.jsonObject(with: Data(data.utf8))
            let again = String(
                decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys), as: UTF8.self)
            let attempts: [(String, String?)] = [
                (data.replacing("token-1", with: "token-2"), signature), (again, signature), (data + "\n", signature),
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

    @Test func `A5: a purchase of another package is genuine and not ours`() async throws {
        try await IntakeWorld.with { world in
            let data = Google.data("com.other.app")
            try await world.handIn(
                "acme-android", "play_purchase", data, signature: try PlaySigner.shared.get().sign(data))
            try await world.intake()
            #expect(try await world.verdicts() == ["refused|true|false||"])
            #expect(world.desk.requests.isEmpty)
        }
    }

    @Test
    func `A5: a right signature makes up for no API that knows the token otherwise, or not at all`() async throws {
        try await IntakeWorld.with { world in
            let signer = try PlaySigner.shared.get()
            let (known, other) = (Google.data(), Google.data(product: "platinum.year"))
            try await world.handIn("acme-android", "play_purchase", known, signature: try signer.sign(known))
            try await world.intake()
            Google.report(world.desk)
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

    @Test
    func `A5: the product given at purchase is stored where the backend registered the token without one`() async throws
    {
        try await IntakeWorld.with { world in
            world.desk.on(Google.v1, 200, try Receipts.text("google_subscription_v1_sandbox"))
            _ = try await world.connection.lines("select subledger.register('example-android', 'xxx...') as key")
            let data = try Receipts.text(Google.sample)
            try await world.handIn(
                "example-android", "play_purchase", data, signature: try PlaySigner.shared.get().sign(data))
            try await world.intake(at: Google.then)
            // The order is new, whoever registered its token.
            #expect(try await world.verdicts() == ["accepted|true|true|true|true"])
            #expect(
                try await world.subscriptions() == ["xxx...|alice|example|sandbox|active|2018-12-11 08:13:50"])
            #expect(try await world.transactions() == ["GPA.1111-1111-1111-11111|example|sandbox|purchase||"])
        }
    }

    @Test
    func `A5: without a licence key signed purchases wait, the owner gets a message, and others are assessed`()
        async throws
    {
        try await IntakeWorld.with(licenceKey: false) { world in
            Google.report(world.desk)
            try await world.handIn("acme-android", "play_purchase", Google.data(), signature: "AAAA")
            try await world.handIn("acme-android", "play_token", "token-1")
            let summary = try await world.intake()
            #expect(try await world.verdicts() == ["pending||||", "accepted|true|true|true|true"])
            #expect(summary.outcome == .partial)
            #expect(summary.stoppedApps.first?.message.contains("licence_key_file") == true)
        }
    }

    @Test
    func `A5: a rightly signed one-time purchase is genuine, booked under its order, and not followed`() async throws {
        try await IntakeWorld.with { world in
            let euros: Object = ["currencyCode": "EUR", "units": "4", "nanos": 990_000_000]
            world.desk.on(
                Google.applications + "/com.acme.app/purchases/productsv2/tokens/token-1", 200,
                Apple.json([
                    "orderId": "GPA.3300-1111-2222-33333", "regionCode": "DE",
                    "purchaseCompletionTime": "2026-03-01T00:00:02Z",
                    "purchaseStateContext": ["purchaseState": "PURCHASED"] as Object,
                    "productLineItem": [["productId": "coins"] as Object],
                ]))
            world.desk.on(
                Google.applications + "/com.acme.app/orders:batchGet", 200,
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
            let (data, other) = (Google.data(product: "coins"), Google.data(product: "gems"))
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

    /// One-time products within minutes of their purchase: bought, and the order not settled, or not returned.
    @Test(arguments: [true, false])
    func `A5: what is bought is accepted while its order is not settled; only its money waits`(isPending: Bool)
        async throws
    {
        try await IntakeWorld.with { world in
            Self.sell(world.desk)
            Self.answerOrders(world.desk, state: isPending ? "PENDING" : nil)
            let data = Google.data(product: "coins")
            try await world.handIn(
                "acme-android", "play_purchase", data, signature: try PlaySigner.shared.get().sign(data))
            try await world.intake()
            #expect(try await world.verdicts() == ["accepted|true|true|true|true"])
            #expect(try await world.subscriptions() == ["token-1|alice|coins|production|pending|"])
            #expect(try await world.transactions().isEmpty)
            let next = """
                select to_char(next_check_at at time zone 'UTC', 'MM-DD HH24:MI') from subledger.subscriptions
                """
            // 2026-03-10T12:00:00Z and 18 hours.
            #expect(try await world.connection.lines(next) == ["03-11 06:00"])
            // Handed in again before it is settled, it is known, and still alice's.
            try await world.handIn("acme-android", "play_token", "token-1")
            try await world.handIn("acme-android", "play_token", "token-1", account: "bob")
            try await world.intake(at: IntakeWorld.now + .minutes(5))
            #expect(
                try await world.verdicts().suffix(2) == [
                    "accepted|true|true|false|true", "refused|true|true|false|true",
                ])
            Self.answerOrders(world.desk, state: "PROCESSED")
            try await world.handIn("acme-android", "play_token", "token-1")
            try await world.intake(at: IntakeWorld.now + .minutes(10))
            #expect(try await world.verdicts().last == "accepted|true|true|false|true")
            #expect(
                try await world.transactions() == ["GPA.3300-1111-2222-33333|coins|production|one_time|4990000|EUR"])
            try await world.handIn("acme-android", "play_token", "token-1", account: "bob")
            try await world.intake(at: IntakeWorld.now + .minutes(15))
            #expect(try await world.verdicts().last == "refused|true|true|false|true")
        }
    }

    @Test func `A5: the state of a subscription decides, whatever became of its order`() async throws {
        try await IntakeWorld.with { world in
            Google.report(world.desk)
            Self.answerOrders(world.desk, state: nil)
            try await world.handIn("acme-android", "play_token", "token-1")
            try await world.intake()
            #expect(try await world.verdicts() == ["accepted|true|true|true|true"])
            #expect(
                try await world.subscriptions() == ["token-1|alice|gold.month|production|active|2026-04-01 00:00:00"])
            #expect(try await world.transactions().isEmpty)
            #expect(
                try await world.connection.lines("select transaction_id, nights from subledger.awaited_orders")
                    == ["GPA.3300-1111-2222-33333|0"])
        }
    }

    private static func sell(_ desk: StoreDesk) {
        desk.on(
            Google.applications + "/com.acme.app/purchases/productsv2/tokens/token-1", 200,
            Apple.json([
                "orderId": "GPA.3300-1111-2222-33333", "regionCode": "DE",
                "purchaseCompletionTime": "2026-03-10T11:55:00Z",
                "purchaseStateContext": ["purchaseState": "PURCHASED"] as Object,
                "productLineItem": [["productId": "coins"] as Object],
            ]))
    }

    /// `state`: nil: the store does not return it.
    private static func answerOrders(_ desk: StoreDesk, state: String?) {
        let euros: Object = ["currencyCode": "EUR", "units": "4", "nanos": 990_000_000]
        let order: Object = [
            "orderId": "GPA.3300-1111-2222-33333", "purchaseToken": "token-1", "state": state ?? "",
            "createTime": "2026-03-10T11:55:00Z", "total": euros,
            "lineItems": [
                ["productId": "coins", "total": euros, "oneTimePurchaseDetails": ["quantity": 1] as Object] as Object
            ],
        ]
        let orders: [Object] = state == nil ? [] : [order]
        desk.on(Google.applications + "/com.acme.app/orders:batchGet", 200, Apple.json(["orders": orders]))
    }
}
