// SPDX-License-Identifier: Apache-2.0

import Intake
import Model
import TestSupport
import Testing

/// Tokens of Google Play without a signature: the store alone says what they are.
@Suite(.hangLimit) struct BareTokenTests {
    @Test func `A5: a bare token is asked about; a token that is gone for good is over`() async throws {
        try await IntakeWorld.with { world in
            Google.report(world.desk)
            world.desk.on(
                Google.v2.replacing("token-1", with: "gone-1"), 410,
                #"{"error":{"code":410,"errors":[{"reason":"subscriptionPurchaseNoLongerAvailable"}]}}"#)
            try await world.handIn("acme-android", "play_token", "token-1")
            try await world.handIn("acme-android", "play_token", "gone-1")
            try await world.handIn("acme-android", "play_token", "two words")
            try await world.intake()
            #expect(
                try await world.verdicts() == ["accepted|true|true|true|true", "refused||||false", "refused|false|||"])
            #expect(
                try await world.subscriptions() == ["token-1|alice|gold.month|production|active|2026-04-01 00:00:00"])
        }
    }

    @Test(
        arguments: [
            ("purchaseTokenDoesNotMatchPackageName", "refused|true|false||", "belongs to another package"),
            ("purchaseTokenMismatch", "refused|false|||", "does not belong to this product"),
            ("productNotOwnedByUser", "refused|false|||", "not owned by the purchase's user"),
            ("invalidValue", "refused|false|||", "malformed or not the store's"),
        ])
    func `A5: a foreign token's 400 names what disagrees`(word: String, verdict: String, meaning: String) async throws {
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

    @Test
    func `A5: the legacy interface takes a bare token with its product and says so where there is none`() async throws {
        try await IntakeWorld.with { world in
            world.desk.on(Google.v1, 200, try Receipts.text("google_subscription_v1_sandbox"))
            try await world.handIn("example-android", "play_token", "xxx...")
            try await world.intake(at: Google.then)
            try await world.handIn("example-android", "play_token", "xxx...", product: "example")
            try await world.intake(at: Google.then + .minutes(1))
            #expect(try await world.verdicts() == ["refused||||", "accepted|true|true|true|true"])
            #expect(try await world.reasons().first?.contains("product_id") == true)
        }
    }

    @Test
    func `A6: a Play test purchase is seen by either interface, registered, checked, never in revenue`() async throws {
        try await IntakeWorld.with { world in
            Google.report(world.desk, changing: ["testPurchase": [:] as Object])
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
