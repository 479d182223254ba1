// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing

@testable import AppStore

/// What the App Store takes back, and for which reason: only a customer's refund moves money.
@Suite struct RevocationTests {
    /// 2026-03-09T12:00:00Z, a day before the row was signed.
    private static let taken = Rows.signed - 86_400_000

    private static func reading(_ changes: [String: Any?], status: Int = 5) throws -> Reading {
        var row = Rows.transaction(["revocationDate": taken])
        for (name, value) in changes { row[name] = value }
        return try Acme.read(try Rows.statuses(status: status, row))
    }

    @Test(
        arguments: [
            // A customer's refund: for other reasons, for an issue within the app, of a share, and of old, without a reason.
            (["revocationReason": 0, "revocationType": "REFUND_FULL"], RefundKind.full, EndReason.refund, []),
            (["revocationReason": 1], .full, .refund, []), ([:], .full, .refund, []),
            (
                ["revocationReason": 1, "revocationType": "REFUND_PRORATED", "revocationPercentage": 40_000],
                .partial, .refund, []
            ),
            // Withdrawn from a family or a group: no money was paid back.
            (["revocationType": "FAMILY_REVOKE", "inAppOwnershipType": "FAMILY_SHARED"], .revoke, .revoke, []),
            (["revocationReason": 0, "inAppOwnershipType": "FAMILY_SHARED"], .revoke, .revoke, []),
            (["revocationReason": 0, "inAppOwnershipType": "ASSIGNED"], .revoke, .revoke, []),
            (["revocationType": "ASSIGNMENT_REVOKE", "inAppOwnershipType": "ASSIGNED"], .revoke, .revoke, []),
            // An unknown value ends the access, books nothing and is counted.
            (["revocationReason": 9], .revoke, .revoke, ["transaction.revocationReason=9"]),
            (["revocationType": "CHARGE_REVERSED"], .revoke, .revoke, ["transaction.revocationType=CHARGE_REVERSED"]),
            (
                ["revocationReason": 9, "revocationType": "REFUND_FULL"], .revoke, .revoke,
                ["transaction.revocationReason=9"]
            ),
        ] as [([String: any Sendable], RefundKind, EndReason, [String])])
    func `only a customer's refund moves money`(
        changes: [String: any Sendable], kind: RefundKind, reason: EndReason, counted: [String]
    ) throws {
        let reading = try Self.reading(changes.mapValues { $0 as Any? })
        let observation = try #require(reading.observations.first)
        #expect(observation.periods.map { $0.refund?.kind } == [kind])
        #expect(observation.periods.map { $0.refund?.at } == [Instant(milliseconds: Self.taken)])
        #expect(observation.status?.state == .revoked)
        #expect(observation.status?.endReason == reason)
        #expect(observation.status?.revokedAt == Instant(milliseconds: Self.taken))
        #expect(reading.unknownValues.keys.sorted() == counted)
    }

    @Test(arguments: ["upgradedToBundle", "UPGRADED_TO_BUNDLE", "2"])
    func `a subscription that gave way to a bundle was replaced, and nothing was given back`(word: String) throws {
        let reason: any Sendable = Int(word) ?? word
        let observation = try #require(try Self.reading(["revocationReason": reason]).observations.first)
        #expect(observation.periods.map { $0.refund?.kind } == [.revoke])
        #expect(observation.status?.state == .expired)
        #expect(observation.status?.endReason == .replaced)
        #expect(observation.status?.revokedAt == Instant(milliseconds: Self.taken))
    }

    @Test func `the bundle names what the customer had before`() throws {
        let bundle = Rows.transaction([
            "originalTransactionId": "3001", "transactionId": "3001", "webOrderLineItemId": "9101",
            "productId": "bundle.month", "previousOriginalTransactionId": "2001", "purchaseDate": Self.taken,
        ])
        let renewal = Rows.renewal(["originalTransactionId": "3001"])
        let reading = try Acme.read(try Rows.statuses(bundle, renewal), due: Acme.due("3001"))
        #expect(reading.observations.map(\.linkedTo) == [Secret("2001")])
        #expect(reading.unknownValues.isEmpty)
        // Its own id is no link.
        let own = Rows.transaction(["previousOriginalTransactionId": "2001"])
        #expect(try Acme.read(try Rows.statuses(own)).observations.map(\.linkedTo) == [nil])
    }

    @Test(
        arguments: [
            (nil, Ownership.purchased), ("PURCHASED", .purchased), ("FAMILY_SHARED", .familyShared),
            ("ASSIGNED", .assigned),
            ("LENT", .assigned),
        ] as [(String?, Ownership)])
    func `an unknown ownership is no purchase`(word: String?, ownership: Ownership) throws {
        let reading = try Acme.read(try Rows.statuses(status: 1, Rows.transaction(["inAppOwnershipType": word])))
        #expect(reading.observations.first?.periods.map(\.ownership) == [ownership])
        #expect(reading.observations.first?.status?.state == .active)
        #expect(reading.unknownValues == (word == "LENT" ? ["transaction.inAppOwnershipType=LENT": 1] : [:]))
    }

    @Test func `a receipt's cancellation for an unknown reason books nothing`() throws {
        for (reason, kind) in [("0", .full), ("1", .full), ("7", .revoke)] as [(String, RefundKind)] {
            let row = try Sample.production.object { row in
                row["cancellation_date_ms"] = row["purchase_date_ms"]
                row["cancellation_reason"] = reason
            }
            let reading = try Sample.production.read(row)
            #expect(reading.observations.flatMap(\.periods).allSatisfy { $0.refund?.kind == kind })
            #expect(reading.unknownValues.keys.contains("receipt_row.cancellation_reason=7") == (reason == "7"))
        }
    }
}
