// SPDX-License-Identifier: Apache-2.0

import Foundation
import Intake
import Model
import Postgres
import Testing
import TestSupport

/// Which offers a customer may still be made.
@Suite(.hangLimit) struct EligibilityTests {
    private static let summer = Instant(milliseconds: 1_628_533_800_000)
    private static let free: [String: (any Sendable)?] = [
        "offerType": 1, "offerDiscountType": "FREE_TRIAL", "price": 0,
    ]

    /// Takes a purchase of this row for alice.
    private static func take(
        _ changes: [String: (any Sendable)?], _ body: (IntakeWorld) async throws -> Void
    ) async throws {
        try await IntakeWorld.with { world in
            let row = Apple.transaction(changes)
            try world.desk.report(row)
            try await world.handIn("acme-ios", "signed_transaction", try Apple.sign(row))
            try await world.intake()
            #expect(try await world.verdicts() == ["accepted|true|true|true|true"])
            try await body(world)
        }
    }

    @Test func `A7: a trial used once in a group is used up there; other groups and accounts are free`() async throws {
        try await Self.take(Self.free) { (world) async throws in
            #expect(try await world.offers("alice", "acme-ios", "77") == "false|false")
            #expect(try await world.offers("alice", "acme-ios", "78") == "true|true")
            #expect(try await world.offers("bob", "acme-ios", "77") == "true|true")
            #expect(try await world.offers("alice", "weekly", "77") == "true|true")
            #expect(try await world.offers("alice", "acme-ios", nil) == "false|false")
        }
    }

    @Test func `A7: a paid introductory price is the same offer of the App Store as a trial`() async throws {
        try await Self.take(["offerType": 1, "offerDiscountType": "PAY_AS_YOU_GO"]) { (world) async throws in
            #expect(try await world.offers("alice", "acme-ios", "77") == "false|false")
        }
    }

    @Test(
        arguments: [
            [:], ["offerType": 2, "offerDiscountType": "FREE_TRIAL", "price": 0], ["offerType": 3],
            ["offerType": 4, "offerDiscountType": "PAY_UP_FRONT"],
            ["inAppOwnershipType": "FAMILY_SHARED", "offerType": 1, "offerDiscountType": "FREE_TRIAL", "price": 0],
        ] as [Object])
    func `A7: a plain purchase, a promotional or win-back offer, and what the family shares use nothing up`(
        changes: Object
    ) async throws {
        try await Self.take(changes.mapValues(Optional.some)) { (world) async throws in
            #expect(try await world.offers("alice", "acme-ios", "77") == "true|true")
        }
    }

    @Test func `A7: a trial in the sandbox uses up nothing in production`() async throws {
        try await Self.take(Self.free.merging(["environment": "Sandbox"]) { $1 }) { (world) async throws in
            #expect(try await world.offers("alice", "acme-ios", "77") == "true|true")
            try await world.connection.script("update subledger.apps set environment = 'sandbox'")
            #expect(try await world.offers("alice", "acme-ios", "77") == "false|false")
        }
    }

    @Test func `A7: a trial row that names no group is of the group of its subscription's other rows`() async throws {
        try await IntakeWorld.with { world in
            // The answer's trial is in in_app, without a group; the weeks after it name theirs.
            world.desk.on("/verifyReceipt", 200, try Receipts.text("verify_receipt_production_weekly"))
            try await world.handIn("weekly", "receipt", "TUlJVlFZ")
            try await world.intake(at: Self.summer)
            #expect(try await world.offers("alice", "weekly", "272394410") == "false|false")
            #expect(try await world.offers("alice", "weekly", "1") == "true|true")
        }
    }

    @Test
    func `A7: a group that only the product list names counts; an unknown one counts everywhere`() async throws {
        try await Self.take(Self.free.merging(["subscriptionGroupIdentifier": nil]) { $1 }) { (world) async throws in
            #expect(try await world.offers("alice", "acme-ios", "gold") == "false|false")
            #expect(try await world.offers("alice", "acme-ios", "silver") == "false|false")
            try await world.connection.script(
                """
                insert into subledger.products (app_id, product_id, subscription_group, recorded_run_id)
                values ('acme-ios', 'gold.month', 'gold', 1)
                """)
            #expect(try await world.offers("alice", "acme-ios", "gold") == "false|false")
            #expect(try await world.offers("alice", "acme-ios", "silver") == "true|true")
        }
    }

    @Test func `A7: Play counts a trial and an introductory price each by itself`() async throws {
        try await IntakeWorld.with { world in
            for (account, kind) in [("trialist", "trial"), ("bargainer", "purchase")] {
                try await world.connection.script(
                    """
                    insert into subledger.transactions (
                        subscription_key, transaction_id, product_id, lineage_key, app_id, store, environment, period_key,
                        subscription_group, kind, offer_type, ownership, purchased_at, period_start, period_end,
                        price_source, source_version, recorded_run_id, changed_run_id)
                    select key, '\(account)', 'gold', key, 'acme-android', 'google_play', 'production', '1', '77',
                        '\(kind)', 'introductory', 'purchased', now(), now(), now(), 'missing', now(), 1, 1
                    from subledger.register('acme-android', '\(account)', '\(account)') key
                    """)
            }
            #expect(try await world.offers("trialist", "acme-android", "77") == "false|true")
            #expect(try await world.offers("bargainer", "acme-android", "77") == "true|false")
        }
    }
}

extension IntakeWorld {
    /// Trial and introductory price, each available or not.
    fileprivate func offers(_ account: String, _ app: String, _ group: String?) async throws -> String {
        let lines = try await connection.lines(
            "select trial_available, introductory_available from subledger.offer_eligibility($1, $2, $3)",
            [.text(account), .text(app), PostgresValue(group)])
        #expect(lines.count == 1)
        return lines.first ?? ""
    }
}
