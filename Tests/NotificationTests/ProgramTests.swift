// SPDX-License-Identifier: Apache-2.0

import Stores
import TestSupport
import Testing

/// The program as a person or a cron runs it.
@Suite struct ProgramTests {
    @Test("C1: the job says what it did, app by app, with its exit codes; nothing of a payload is printed")
    func commandLine() async throws {
        try await NotificationWorld.with { world in
            try await world.put(try Letters.v2("CANARY_TYPE", id: "2001", uuid: "uuid-canary"), .appStoreV2)
            try await world.put(
                Letters.v1(
                    "DID_RENEW", id: "2002", ["password": "password-canary", "latest_receipt": "cmVjZWlwdGNhbmFyeQ=="]),
                .appStoreV1)
            try await world.put("\u{7}broken-canary", .appStoreV2)
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

    @Test("C1: a night reads the inbox before it asks: what was closed is asked about the same night")
    func nightly() async throws {
        try await NotificationWorld.with { world in
            try await world.closed("2001")
            try await world.put(try Letters.v2(id: "2001"), .appStoreV2)
            let result = try await world.subledger(
                "nightly", "--no-reports", "--app", "acme-ios", "--now", "2026-03-10T12:00:00Z")
            #expect(
                world.server.requests.contains { $0.path == "/inApps/v1/subscriptions/2001" }, "\(result.standardError)"
            )
            #expect(try await world.verdicts() == ["applied|DID_RENEW|"])
            #expect(try await world.connection.lines("select handled_run_id from notification_inbox") == ["1"])
        }
    }
}
