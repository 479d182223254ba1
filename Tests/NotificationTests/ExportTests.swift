// SPDX-License-Identifier: Apache-2.0

import Foundation
import Notifications
import Stores
import Testing
import TestSupport

/// The flat table of notifications.
@Suite struct ExportTests {
    /// The fields of each line; none of the tests' values holds a comma or a quotation mark.
    private static func table(_ text: String) -> [[String]] {
        text.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }

    private static func columns(_ paths: [String], in world: NotificationWorld) throws -> String {
        let file = world.directory + "/columns.txt"
        try paths.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
        return file
    }

    @Test
    func `C4: the default columns are those of the well-known spreadsheet, and a missing path is blank`() async throws {
        let header = try SampleNotifications.fixture("notification_v1_spreadsheet_columns.txt")
            .split(whereSeparator: \.isNewline).map(String.init)
        try await NotificationWorld.with { world in
            try await world.insert(try SampleNotifications.sampleText(), .appStoreV1, app: "acme-receipts")
            let result = try await world.subledger("notifications", "export")
            #expect(result.exitCode == 0, "\(result.standardError)")
            let table = Self.table(result.standardOutput)
            #expect(table.count == 2 && table[0] == header && table[1].count == header.count)
            let row = Dictionary(uniqueKeysWithValues: zip(header, table[1]))
            #expect(row["notification_type"] == "DID_RENEW" && row["environment"] == "PROD")
            #expect(row["auto_renew_status"] == "true")
            #expect(row["auto_renew_product_id"] == "basic_subscription_1_month")
            #expect(row["date"]?.hasPrefix("20") == true && row["mimeType"] == "application/json")
            #expect(row["length"] == "\(try SampleNotifications.sampleText().utf8.count)")
            // The sample of 2021 has its rows one level deeper: these paths lead nowhere in it.
            #expect(row["latest_receipt_info.product_id"] == "" && row["original_transaction_id"] == "")
            #expect(row["password"] == "" && row["latest_receipt"] == "")
        }
    }

    @Test func `C4: dotted paths go through objects and arrays, by first element or by number`() async throws {
        let old = SampleNotifications.v1(
            "CANCEL", id: "1",
            [
                "original_transaction_id": nil, "auto_renew_status_change_date_ms": 7,
                "latest_receipt_info": [
                    "product_id": "old.gold", "unique_identifier": "device-canary", "expires_date": "9",
                ],
            ])
        let wanted: [(path: String, sample: String, old: String)] = [
            ("app_id", "acme-receipts", "acme-ios"), ("state", "pending", "pending"),
            ("unified_receipt.latest_receipt_info.transaction_id", "230001020690335", ""),
            ("unified_receipt.latest_receipt_info.1.transaction_id", "230001017218955", ""),
            ("unified_receipt.latest_receipt_info.2.transaction_id", "", ""),
            ("unified_receipt.status", "0", ""), ("unified_receipt.pending_renewal_info.auto_renew_status", "1", ""),
            ("unified_receipt.status.deeper", "", ""), ("unified_receipt..status", "", ""),
            ("latest_receipt_info.product_id", "", "old.gold"), ("latest_receipt_info.0.product_id", "", ""),
            ("latest_receipt_info.unique_identifier", "", ""), ("auto_renew_status_change_date_ms", "", "7"),
            ("bid", "com.adapty.sample_app", "com.acme.app"), ("password", "", ""),
            ("unified_receipt.latest_receipt", "", ""),
        ]
        try await NotificationWorld.with { world in
            try await world.insert(try SampleNotifications.sampleText(), .appStoreV1, app: "acme-receipts")
            try await world.insert(old, .appStoreV1)
            let columns = try Self.columns(wanted.map(\.path), in: world)
            let result = try await world.subledger("notifications", "export", "--columns", columns)
            let table = Self.table(result.standardOutput)
            #expect(table == [wanted.map(\.path), wanted.map(\.sample), wanted.map(\.old)])
        }
    }

    @Test
    func `C4: version 2 and Play's are exported decoded, by their own paths; what was refused is left out`()
        async throws
    {
        let wanted: [(path: String, v2: String, play: String)] = [
            ("source", "app_store_v2", "play_rtdn"), ("state", "applied", "applied"),
            ("notification_type", "DID_RENEW/BILLING_RECOVERY", "SUBSCRIPTION_RENEWED"),
            ("notificationType", "DID_RENEW", ""), ("subtype", "BILLING_RECOVERY", ""),
            ("data.bundleId", "com.acme.app", ""), ("data.transaction.productId", "gold.month", ""),
            ("data.transaction.price", "9990", ""), ("data.renewal.autoRenewStatus", "1", ""),
            ("data.signedTransactionInfo", "", ""), ("signedPayload", "", ""),
            ("packageName", "", "com.acme.app"), ("subscriptionNotification.notificationType", "", "2"),
            ("subscriptionNotification.purchaseToken", "", ""), ("message.messageId", "", "m-1"),
            ("message.data", "", ""), ("handled_at", "2026-03-10T12:00:00Z", "2026-03-10T12:00:00Z"),
        ]
        try await NotificationWorld.with { world in
            try await world.insert(try SampleNotifications.v2("DID_RENEW", "BILLING_RECOVERY"), .appStoreV2)
            try await world.insert(SampleNotifications.v1("DID_RENEW", id: "1", ["password": "wrong"]), .appStoreV1)
            try await world.insert(
                SampleNotifications.pushed(SampleNotifications.subscription(2, token: "token-canary"), id: "m-1"),
                .playRTDN,
                app: "acme-android")
            try await world.run()
            let columns = try Self.columns(wanted.map(\.path), in: world)
            let out = world.directory + "/out.csv"
            let result = try await world.subledger("notifications", "export", "--columns", columns, "--out", out)
            #expect(result.exitCode == 0 && result.standardOutput == "2 notifications written to \(out)\n")
            let table = Self.table(try String(contentsOfFile: out, encoding: .utf8))
            #expect(table == [wanted.map(\.path), wanted.map(\.v2), wanted.map(\.play)])
            #expect(!FileManager.default.fileExists(atPath: out + ".part"))
        }
    }

    @Test func `C4: nothing secret or personal is written, in whatever column it is asked for`() async throws {
        let sample = try SampleNotifications.sample()
        var unified = try #require(sample["unified_receipt"] as? SampleNotifications.Object)
        unified["latest_receipt"] = "receipt-canary"
        let letter = SampleNotifications.json(
            SampleNotifications.changed(
                sample,
                [
                    "unified_receipt": unified, "latest_receipt": "receipt-canary", "password": "password-canary",
                    "latest_receipt_info": [
                        "unique_vendor_identifier": "device-canary", "unique_identifier": "device-canary",
                    ],
                ]))
        try await NotificationWorld.with { world in
            try await world.insert(letter, .appStoreV1, app: "acme-receipts")
            try await world.insert(
                SampleNotifications.subscription(2, token: "token-canary"), .playRTDN, app: "acme-android")
            let columns = try Self.columns(
                [
                    "password", "latest_receipt", "unified_receipt", "latest_receipt_info", "subscriptionNotification",
                    "unified_receipt.latest_receipt", "payload",
                ], in: world)
            for options in [["--columns", columns], []] {
                let result = try await CommandLineRun(
                    product: "subledger", arguments: ["notifications", "export", "--config", world.file] + options
                ).run()
                #expect(result.exitCode == 0 && result.standardOutput.split(separator: "\n").count == 3)
                #expect(!result.standardOutput.contains("canary"))
            }
        }
    }

    @Test func `C4: --since and --source choose, and a wrong option ends with 64`() async throws {
        try await NotificationWorld.with { world in
            try await world.insert(SampleNotifications.v1("DID_RENEW", id: "1"), .appStoreV1)
            try await world.insert(try SampleNotifications.v2(), .appStoreV2)
            try await world.connection.script(
                "update notification_inbox set received_at = ('2026-03-0' || notification_id)::timestamptz")
            let columns = try Self.columns(["# a comment is a path that leads nowhere", "", "source"], in: world)
            func sources(_ options: String...) async throws -> [String] {
                let result = try await CommandLineRun(
                    product: "subledger",
                    arguments: ["notifications", "export", "--config", world.file, "--columns", columns] + options
                ).run()
                return Self.table(result.standardOutput).dropFirst().compactMap(\.last)
            }
            #expect(try await sources() == ["app_store_v1", "app_store_v2"])
            #expect(try await sources("--since", "2026-03-02T00:00:00Z") == ["app_store_v2"])
            #expect(try await sources("--source", "app_store_v1") == ["app_store_v1"])
            #expect(try await world.subledger("notifications", "export", "--columns", "/nowhere").exitCode == 64)
            #expect(try await world.subledger("notifications", "export", "--source", "pigeon").exitCode == 64)
        }
    }
}
