// SPDX-License-Identifier: Apache-2.0

import Stores
import TestSupport
import Testing

/// The program as a person or a cron runs it.
@Suite struct ProgramTests {
    @Test func `C1: the job says what it did, app by app, with its exit codes; no payload is printed`() async throws {
        try await NotificationWorld.with { world in
            try await world.insert(
                try SampleNotifications.v2("CANARY_TYPE", id: "2001", uuid: "uuid-canary"), .appStoreV2)
            try await world.insert(
                SampleNotifications.v1(
                    "DID_RENEW", id: "2002", ["password": "password-canary", "latest_receipt": "cmVjZWlwdGNhbmFyeQ=="]),
                .appStoreV1)
            try await world.insert("\u{7}broken-canary", .appStoreV2)
            let result = try await world.subledger(
                "notifications", "--no-pull", "--verbose", "--now", "2026-03-10T12:00:00Z")
            #expect(result.exitCode == 0, "\(result.standardError)")
            #expect(
                result.standardOutput == """
                    acme-ios: 3 read · 0 fetched · 1 applied · 0 ignored (0 duplicates) · 2 refused · \
                    1 new subscriptions · unknown types: CANARY_TYPE (1)
                    acme-receipts: 0 read · 0 fetched · 0 applied · 0 ignored (0 duplicates) · 0 refused · \
                    0 new subscriptions
                    acme-android: 0 read · 0 fetched · 0 applied · 0 ignored (0 duplicates) · 0 refused · \
                    0 new subscriptions

                    """)
            let printed = result.standardOutput + result.standardError
            for canary in [
                "uuid-canary", "password-canary", "cmVjZWlwd", "broken-canary", NotificationWorld.secret, "2001",
            ] {
                #expect(!printed.contains(canary), "\(canary) was printed")
            }
            #expect(world.server.requests.isEmpty)
            let back = try await world.subledger("notifications", "--no-pull", "--now", "2026-03-10T11:00:00Z")
            #expect(back.exitCode == 64 && back.standardError.contains("lies before the last sealed run"))
            #expect(try await world.subledger("notifications", "--app", "nope").exitCode == 64)
        }
    }

    @Test
    func `C1: a night reads the inbox before it asks: what was closed is asked about the same night`() async throws {
        try await NotificationWorld.with { world in
            try await world.closed("2001")
            try await world.insert(try SampleNotifications.v2(id: "2001"), .appStoreV2)
            let result = try await world.subledger(
                "nightly", "--no-reports", "--app", "acme-ios", "--now", "2026-03-10T12:00:00Z")
            #expect(
                world.server.requests.contains { $0.path == "/inApps/v1/subscriptions/2001" }, "\(result.standardError)"
            )
            #expect(try await world.verdicts() == ["applied|DID_RENEW|"])
            #expect(try await world.connection.lines("select handled_run_id from notification_inbox") == ["1"])
        }
    }

    /// A renewal was switched off, the store says.
    ///
    /// The history was read on the first night and has nothing new.
    @Test func `C1: a notification alone costs one status call, and no history`() async throws {
        let statuses = try Self.statuses()
        let page = try Self.history()
        try await NotificationWorld.with({ request in
            if request.path.hasPrefix("/inApps/v1/subscriptions/2001") { return .init(200, statuses) }
            return request.path.hasPrefix("/inApps/v2/history/2001") ? .init(200, page) : nil
        }) { world in
            try await world.connection.script("select subledger.register('acme-ios', '2001')")
            let first = try await Self.nightCalls(world, "2026-03-10T12:00:00Z")
            #expect(first == ["/inApps/v1/subscriptions/2001", "/inApps/v2/history/2001?sort=ASCENDING"])
            // Not due before the expiry of the 1st of April, and not asked.
            #expect(try await Self.nightCalls(world, "2026-03-11T12:00:00Z") == [])
            try await world.insert(
                try SampleNotifications.v2("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", id: "2001", uuid: "u-1"),
                .appStoreV2
            )
            #expect(try await Self.nightCalls(world, "2026-03-12T12:00:00Z") == ["/inApps/v1/subscriptions/2001"])
            // A refund is another thing: its row may be any, and only the history shows it.
            try await world.insert(try SampleNotifications.v2("REFUND", id: "2001", uuid: "u-2"), .appStoreV2)
            #expect(
                try await Self.nightCalls(world, "2026-03-13T12:00:00Z") == [
                    "/inApps/v1/subscriptions/2001", "/inApps/v2/history/2001?sort=ASCENDING&revision=r1",
                ])
        }
    }

    /// What one night asks of subscriptions.
    private static func nightCalls(_ world: NotificationWorld, _ now: String) async throws -> [String] {
        let before = world.server.requests.count
        let night = try await world.subledger("nightly", "--no-reports", "--app", "acme-ios", "--now", now)
        #expect(night.exitCode == 0, "\(night.standardError)")
        return world.server.requests.dropFirst(before).map(\.path).filter { !$0.contains("notifications/history") }
    }

    private static func statuses() throws -> String {
        let store = try SigningStore.shared.get()
        let last: SampleNotifications.Object = [
            "status": 1, "originalTransactionId": "2001",
            "signedTransactionInfo": try store.sign(SampleNotifications.transaction("2001")),
            "signedRenewalInfo": try store.sign(SampleNotifications.renewal("2001")),
        ]
        return SampleNotifications.json([
            "environment": "Production", "bundleId": "com.acme.app", "appAppleId": 1_234_567_890,
            "data": [["subscriptionGroupIdentifier": "77", "lastTransactions": [last]] as SampleNotifications.Object],
        ])
    }

    private static func history() throws -> String {
        SampleNotifications.json([
            "environment": "Production", "bundleId": "com.acme.app", "appAppleId": 1_234_567_890, "revision": "r1",
            "hasMore": false,
            "signedTransactions": [try SigningStore.shared.get().sign(SampleNotifications.transaction("2001"))],
        ])
    }
}
