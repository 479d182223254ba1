// SPDX-License-Identifier: Apache-2.0

import Notifications
import Stores
import Testing
import TestSupport

/// Every word the stores have for a notification, and those that are unknown so far.
@Suite struct TypeTests {
    @Test
    func `C3: every type of version 1 makes its subscription due; an unknown one does and is counted`() async throws {
        let types = [
            "INITIAL_BUY", "CANCEL", "RENEWAL", "INTERACTIVE_RENEWAL", "DID_CHANGE_RENEWAL_PREF",
            "DID_CHANGE_RENEWAL_STATUS", "DID_FAIL_TO_RENEW", "DID_RECOVER", "DID_RENEW", "REFUND",
            "PRICE_INCREASE_CONSENT", "REVOKE", "CONSUMPTION_REQUEST", "A_NEW_ONE",
        ]
        try await NotificationWorld.with { world in
            for (number, type) in types.enumerated() {
                try await world.closed("10\(number)")
                try await world.insert(SampleNotifications.v1(type, id: "10\(number)"), .appStoreV1)
            }
            let counts = try #require(try await world.run().apps.first?.counts)
            #expect(counts.read == 14 && counts.applied == 14 && counts.unknownTypes == ["A_NEW_ONE": 1])
            #expect(try await world.verdicts() == types.map { "applied|\($0)|" }.sorted())
            let expected = types.enumerated().map { number, type in
                "10\(number)|expired|-infinity|\(Self.ofRefunds.contains(type) ? "refund_notified" : "notified")"
            }
            #expect(Set(try await world.subscriptions()) == Set(expected))
            #expect(try await world.bookedRows() == ["0|0|0"])
        }
    }

    /// Money given back or taken again, and what is unknown: there the charges are checked, not the status alone.
    private static let ofRefunds: Set<String> = [
        "REFUND", "REFUND_REVERSED", "REVOKE", "CANCEL", "A_NEW_ONE", "SUBSCRIPTION_REVOKED",
    ]

    /// As the App Store's documents list them.
    private static let versionTwo: [(type: String, subtypes: [String?])] = [
        ("SUBSCRIBED", ["INITIAL_BUY", "RESUBSCRIBE"]), ("DID_RENEW", [nil, "BILLING_RECOVERY"]),
        ("DID_FAIL_TO_RENEW", [nil, "GRACE_PERIOD"]), ("GRACE_PERIOD_EXPIRED", [nil]),
        ("EXPIRED", ["VOLUNTARY", "BILLING_RETRY", "PRICE_INCREASE", "PRODUCT_NOT_FOR_SALE"]),
        ("DID_CHANGE_RENEWAL_PREF", ["UPGRADE", "DOWNGRADE", nil]),
        ("DID_CHANGE_RENEWAL_STATUS", ["AUTO_RENEW_ENABLED", "AUTO_RENEW_DISABLED"]),
        ("OFFER_REDEEMED", [nil, "UPGRADE", "DOWNGRADE", "INITIAL_BUY", "RESUBSCRIBE"]),
        ("PRICE_INCREASE", ["PENDING", "ACCEPTED"]), ("REFUND", [nil]), ("REFUND_DECLINED", [nil]),
        ("REFUND_REVERSED", [nil]), ("REVOKE", [nil]), ("CONSUMPTION_REQUEST", [nil]), ("RENEWAL_EXTENDED", [nil]),
        ("RENEWAL_EXTENSION", ["FAILURE"]), ("METADATA_UPDATE", [nil]), ("MIGRATION", [nil]), ("PRICE_CHANGE", [nil]),
    ]

    @Test func `C3: every type and subtype of version 2 makes its subscription due, unknown ones too`() async throws {
        let unknown: [(type: String, subtypes: [String?])] = [
            ("DID_RENEW", ["ON_MARS"]), ("A_NEW_ONE", [nil, "OF_ITS_KIND"]),
        ]
        try await NotificationWorld.with { world in
            var (expected, due, number) = ([String](), [String](), 0)
            for (type, subtypes) in Self.versionTwo + unknown {
                for subtype in subtypes {
                    number += 1
                    try await world.closed("\(1_000 + number)")
                    let letter = try SampleNotifications.v2(
                        type, subtype, id: "\(1_000 + number)", uuid: "uuid-\(number)")
                    try await world.insert(letter, .appStoreV2)
                    expected.append("applied|\(type)\(subtype.map { "/" + $0 } ?? "")|")
                    let reason = Self.ofRefunds.contains(type) ? "refund_notified" : "notified"
                    due.append("\(1_000 + number)|expired|-infinity|\(reason)")
                }
            }
            let counts = try #require(try await world.run().apps.first?.counts)
            #expect(counts.applied == number && number == 36)
            #expect(counts.unknownTypes == ["DID_RENEW/ON_MARS": 1, "A_NEW_ONE": 1, "A_NEW_ONE/OF_ITS_KIND": 1])
            #expect(try await world.verdicts() == expected.sorted())
            #expect(Set(try await world.subscriptions()) == Set(due))
        }
    }

    @Test
    func `C3: types of version 2 that are about no single subscription are stored and make nothing due`() async throws {
        let origin: SampleNotifications.Object = [
            "environment": "Production", "appAppleId": 1_234_567_890, "bundleId": "com.acme.app",
        ]
        let token: SampleNotifications.Object = [
            "externalPurchaseId": "b2158121", "tokenCreationDate": 1, "appAppleId": 1_234_567_890,
            "bundleId": "com.acme.app",
        ]
        let letters: [(type: String, subtype: String?, member: String, content: SampleNotifications.Object)] = [
            ("TEST", nil, "data", origin), ("RENEWAL_EXTENSION", "SUMMARY", "summary", origin),
            ("RESCIND_CONSENT", nil, "appData", origin),
            ("EXTERNAL_PURCHASE_TOKEN", "UNREPORTED", "externalPurchaseToken", token),
            ("EXTERNAL_PURCHASE_TOKEN", "CREATED", "externalPurchaseToken", token),
            ("EXTERNAL_PURCHASE_TOKEN", "ACTIVE_TOKEN_REMINDER", "externalPurchaseToken", token),
        ]
        try await NotificationWorld.with { world in
            for (number, letter) in letters.enumerated() {
                var payload = SampleNotifications.payload(
                    letter.type, letter.subtype, uuid: "uuid-\(number)", data: nil)
                payload[letter.member] = letter.content
                try await world.insert(try SampleNotifications.envelope(payload), .appStoreV2)
            }
            let counts = try #require(try await world.run().apps.first?.counts)
            #expect(counts.ignored == letters.count && counts.unknownTypes.isEmpty)
            #expect(try await world.subscriptions() == [])
            #expect(
                try await world.verdicts()
                    == [
                        "ignored|EXTERNAL_PURCHASE_TOKEN/ACTIVE_TOKEN_REMINDER|about no single subscription",
                        "ignored|EXTERNAL_PURCHASE_TOKEN/CREATED|about no single subscription",
                        "ignored|EXTERNAL_PURCHASE_TOKEN/UNREPORTED|about no single subscription",
                        "ignored|RENEWAL_EXTENSION/SUMMARY|about no single subscription",
                        "ignored|RESCIND_CONSENT|about no single subscription", "ignored|TEST|a test notification",
                    ].sorted())
        }
    }

    /// A member that no document names, an empty one, and none at all.
    @Test func `C3: what is about no app in particular is ignored and stored, and counted where unknown`() async throws
    {
        let unclaimed: SampleNotifications.Object = ["unclaimSeatIds": ["seat-1", "seat-2"]]
        let letters: [(type: String, member: String?, content: SampleNotifications.Object)] = [
            ("UNCLAIM_SEATS", "unclaimInfo", unclaimed), ("A_NEW_ONE", "groupInfo", ["groupId": "g1"]),
            ("METADATA_UPDATE", "groupInfo", ["bundleId": "com.acme.app"]), ("TEST", nil, [:]),
        ]
        try await NotificationWorld.with { world in
            for (number, letter) in letters.enumerated() {
                var payload = SampleNotifications.payload(letter.type, nil, uuid: "uuid-\(number)", data: nil)
                if let member = letter.member { payload[member] = letter.content }
                try await world.insert(try SampleNotifications.envelope(payload), .appStoreV2)
            }
            let counts = try #require(try await world.run().apps.first?.counts)
            #expect(counts.ignored == letters.count)
            #expect(counts.unknownTypes == ["A_NEW_ONE": 1, "METADATA_UPDATE": 1])
            #expect(
                try await world.verdicts()
                    == [
                        "ignored|A_NEW_ONE|about no single subscription",
                        "ignored|METADATA_UPDATE|about no single subscription", "ignored|TEST|a test notification",
                        "ignored|UNCLAIM_SEATS|about no single subscription",
                    ])
            #expect(try await world.subscriptions() == [])
        }
    }

    @Test
    func `C3: a one-time product in a notification is asked about, also of a customer without a subscription`()
        async throws
    {
        try await NotificationWorld.with { world in
            let coins: [String: Any?] = ["type": "Consumable", "expiresDate": nil, "productId": "coins"]
            for (type, id) in [("ONE_TIME_CHARGE", "7"), ("REFUND", "8"), ("CONSUMPTION_REQUEST", "9")] {
                let payload = SampleNotifications.payload(
                    type, uuid: "uuid-\(id)",
                    data: try SampleNotifications.data(SampleNotifications.transaction(id, coins)))
                try await world.insert(try SampleNotifications.envelope(payload), .appStoreV2)
            }
            let counts = try #require(try await world.run().apps.first?.counts)
            #expect(counts.applied == 3 && counts.registered == 3)
            #expect(
                try await world.subscriptions() == [
                    "7|unverified|-infinity|notified", "8|unverified|-infinity|refund_notified",
                    "9|unverified|-infinity|notified",
                ])
        }
    }

    /// Google's table; the rest are gaps in it.
    private static let numbers: [Int: String] = [
        1: "SUBSCRIPTION_RECOVERED", 2: "SUBSCRIPTION_RENEWED", 3: "SUBSCRIPTION_CANCELED",
        4: "SUBSCRIPTION_PURCHASED", 5: "SUBSCRIPTION_ON_HOLD", 6: "SUBSCRIPTION_IN_GRACE_PERIOD",
        7: "SUBSCRIPTION_RESTARTED", 8: "SUBSCRIPTION_PRICE_CHANGE_CONFIRMED", 9: "SUBSCRIPTION_DEFERRED",
        10: "SUBSCRIPTION_PAUSED", 11: "SUBSCRIPTION_PAUSE_SCHEDULE_CHANGED", 12: "SUBSCRIPTION_REVOKED",
        13: "SUBSCRIPTION_EXPIRED", 17: "SUBSCRIPTION_ITEMS_CHANGED", 18: "SUBSCRIPTION_CANCELLATION_SCHEDULED",
        19: "SUBSCRIPTION_PRICE_CHANGE_UPDATED", 20: "SUBSCRIPTION_PENDING_PURCHASE_CANCELED",
        22: "SUBSCRIPTION_PRICE_STEP_UP_CONSENT_UPDATED",
    ]

    @Test
    func `C3: every number of Play's subscription notifications makes its purchase due, gaps included`() async throws {
        try await NotificationWorld.with { world in
            let all = Array(1...23) + [99]
            for number in all {
                try await world.closed("token-\(number)", app: "acme-android")
                try await world.insert(
                    SampleNotifications.subscription(number, token: "token-\(number)"), .playRTDN, app: "acme-android")
            }
            let counts = try #require(try await world.run("acme-android").apps.first?.counts)
            let unknown = [14, 15, 16, 21, 23, 99].map { "subscriptionNotification/\($0)" }
            #expect(counts.applied == all.count)
            #expect(counts.unknownTypes == Dictionary(uniqueKeysWithValues: unknown.map { ($0, 1) }))
            let expected = all.map { "applied|\(Self.numbers[$0] ?? "subscriptionNotification/\($0)")|" }
            #expect(Set(try await world.verdicts()) == Set(expected))
            let due = all.map { number in
                let isOfRefund = Self.numbers[number].map(Self.ofRefunds.contains) ?? true
                return "token-\(number)|expired|-infinity|\(isOfRefund ? "refund_notified" : "notified")"
            }
            #expect(Set(try await world.subscriptions()) == Set(due))
        }
    }

    @Test
    func `C3: Play's voided purchases, one-time products and unknown notifications request checks, tests do not`()
        async throws
    {
        let voided: (Int) -> SampleNotifications.Object = {
            ["purchaseToken": "token-\($0)", "orderId": "GPA.1", "productType": $0, "refundType": 1]
        }
        let letters = [
            SampleNotifications.rtdn("voidedPurchaseNotification", voided(1)),
            SampleNotifications.rtdn("voidedPurchaseNotification", voided(2)),
            SampleNotifications.rtdn(
                "oneTimeProductNotification", ["notificationType": 1, "purchaseToken": "token-2", "sku": "a"]),
            SampleNotifications.rtdn(
                "oneTimeProductNotification", ["notificationType": 2, "purchaseToken": "token-2", "sku": "b"]),
            SampleNotifications.rtdn("testNotification", ["version": "1.0"]),
            SampleNotifications.rtdn("futureNotification", ["notificationType": 3, "purchaseToken": "token-1"]),
            SampleNotifications.rtdn(
                "futureNotification", ["notificationType": 3, "purchaseToken": "never-registered"]),
            SampleNotifications.rtdn(
                "pendingRefundReviewNotification", ["pendingRefundToken": "secret", "orderId": "GPA.7..2"]),
            SampleNotifications.rtdn(
                "pendingRefundReviewNotification", ["pendingRefundToken": "secret", "orderId": "GPA.8"]),
        ]
        try await NotificationWorld.with { world in
            for token in ["token-1", "token-2", "token-7"] { try await world.closed(token, app: "acme-android") }
            try await world.know(transaction: "GPA.7..2", of: "token-7", app: "acme-android")
            for letter in letters { try await world.insert(letter, .playRTDN, app: "acme-android") }
            let counts = try #require(try await world.run("acme-android").apps.first?.counts)
            #expect(counts.unknownTypes == ["futureNotification/3": 2] && counts.registered == 0)
            #expect(
                try await world.verdicts()
                    == [
                        "applied|PENDING_REFUND_REVIEW|", "applied|VOIDED_PURCHASE|", "applied|futureNotification/3|",
                        "applied|ONE_TIME_PRODUCT_CANCELED|", "applied|ONE_TIME_PRODUCT_PURCHASED|",
                        "ignored|PENDING_REFUND_REVIEW|about no subscription that is known",
                        "ignored|TEST|a test notification", "applied|VOIDED_PURCHASE|",
                        "ignored|futureNotification/3|about no subscription that is known",
                    ].sorted())
            #expect(
                try await world.subscriptions() == [
                    "token-1|expired|-infinity|refund_notified", "token-2|expired|-infinity|refund_notified",
                    "token-7|expired|-infinity|notified",
                ])
        }
    }
}
