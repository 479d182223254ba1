// SPDX-License-Identifier: Apache-2.0

import Stores
import TestSupport
import Testing

/// Version 1 does not say which purchase of its receipt it is about: of one-time products those are asked for that it can only
/// be about.
@Suite struct VersionOneSaleTests {
    private static func row(_ id: String, bought: String, _ changes: [String: Any?] = [:]) -> SampleNotifications.Object
    {
        SampleNotifications.changed(
            [
                "original_transaction_id": id, "transaction_id": id, "product_id": "coins",
                "purchase_date_ms": bought,
            ], changes)
    }

    /// A notification that names no purchase at its top.
    private static func letter(_ type: String, _ rows: [SampleNotifications.Object]) -> String {
        SampleNotifications.v1(
            type, id: "0",
            [
                "auto_renew_product_id": nil, "original_transaction_id": nil,
                "unified_receipt": ["latest_receipt_info": rows],
            ])
    }

    @Test
    func `C1: a one-time product given back is asked for beside the subscriptions; one not given back is not`()
        async throws
    {
        try await NotificationWorld.with { world in
            let rows = [
                Self.row("41", bought: "1773100000000"),
                Self.row("42", bought: "1773000000000", ["cancellation_date_ms": "1773140000000"]),
                Self.row("43", bought: "1772900000000", ["cancellation_date": "2026-03-10 10:53:20 Etc/GMT"]),
                Self.row("44", bought: "1772323200000", ["product_id": "gold", "expires_date_ms": "1775001600000"]),
            ]
            try await world.insert(Self.letter("REFUND", rows), .appStoreV1)
            try await world.run("acme-ios")
            #expect(
                try await world.subscriptions() == [
                    "42|unverified|-infinity|refund_notified", "43|unverified|-infinity|refund_notified",
                    "44|unverified|-infinity|refund_notified",
                ])
        }
    }

    @Test func `C1: of several one-time products, where there is nothing else, the newest is asked for`() async throws {
        try await NotificationWorld.with { world in
            let rows = [
                Self.row("53", bought: "1773100000000"), Self.row("52", bought: "1773000000000"),
                Self.row("51", bought: "1772900000000"),
            ]
            try await world.insert(Self.letter("CONSUMPTION_REQUEST", rows), .appStoreV1)
            try await world.run("acme-ios")
            #expect(try await world.subscriptions() == ["53|unverified|-infinity|notified"])
            #expect(try await world.verdicts() == ["applied|CONSUMPTION_REQUEST|"])
        }
    }
}
