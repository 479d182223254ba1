// SPDX-License-Identifier: Apache-2.0

import Foundation
import Notifications
import Stores
import Testing
import TestSupport

/// Only what the store sent, and about this app, is believed.
@Suite struct OriginTests {
    /// Inserts the letters, each beside a closed subscription 2001 that it claims to be about; none may make it due.
    private func expectRefused(
        _ letters: [(text: String, reason: String)], _ source: NotificationSource, app: String = "acme-ios"
    ) async throws {
        try await NotificationWorld.with { world in
            try await world.closed("2001", app: app)
            for letter in letters { try await world.insert(letter.text, source, app: app) }
            let counts = try #require(try await world.run(app).apps.first?.counts)
            #expect(counts.refused == letters.count && counts.applied == 0 && counts.registered == 0)
            let reasons = try await world.connection.lines(
                "select split_part(reason, ':', 1) from notification_inbox order by notification_id")
            #expect(reasons == letters.map(\.reason))
            #expect(try await world.subscriptions() == ["2001|expired||never"])
        }
    }

    @Test func `C1: a version 2 notification of a foreign signer, or with a changed byte, is refused`() async throws {
        let good = try SampleNotifications.v2()
        let payload = SampleNotifications.payload(
            "DID_RENEW", uuid: "u", data: try SampleNotifications.data(SampleNotifications.transaction("2001")))
        let foreigner = try SigningStore()
        let signed = try #require(good.firstMatch(of: /"signedPayload":"([^"]+)"/)).1.split(separator: ".")
        let changed = Data(try Self.payload(of: signed).replacing("DID_RENEW", with: "DID_FAIL_").utf8)
        let tampered = [String(signed[0]), Self.base64URL(changed), String(signed[2])].joined(separator: ".")
        let inner = try SampleNotifications.data(
            nil, nil, ["signedTransactionInfo": try foreigner.sign(SampleNotifications.transaction("2001"))])
        let renewal = try SampleNotifications.data(
            SampleNotifications.transaction("2001"), nil,
            ["signedRenewalInfo": try foreigner.sign(SampleNotifications.renewal("2001"))])
        try await expectRefused(
            [
                (try SampleNotifications.envelope(payload, by: foreigner), "not_verified"),
                (SampleNotifications.json(["signedPayload": tampered]), "not_verified"),
                (SampleNotifications.json(["signedPayload": signed[0] + "." + signed[1] + "."]), "not_verified"),
                (
                    try SampleNotifications.envelope(SampleNotifications.payload("DID_RENEW", uuid: "i", data: inner)),
                    "not_verified"
                ),
                (
                    try SampleNotifications.envelope(
                        SampleNotifications.payload("DID_RENEW", uuid: "r", data: renewal)), "not_verified"
                ),
            ], .appStoreV2)
    }

    @Test
    func `C1: a version 2 notification about another app or environment is refused, its rows included`() async throws {
        func letter(_ changes: [String: Any?], row: [String: Any?] = [:]) throws -> String {
            try SampleNotifications.envelope(
                SampleNotifications.payload(
                    "DID_RENEW", uuid: "u",
                    data: try SampleNotifications.data(SampleNotifications.transaction("2001", row), nil, changes)))
        }
        func stranger(_ member: SampleNotifications.Object) throws -> String {
            var payload = SampleNotifications.payload("A_NEW_ONE", uuid: "s", data: nil)
            payload["groupInfo"] = member
            return try SampleNotifications.envelope(payload)
        }
        try await expectRefused(
            [
                (try letter(["bundleId": "com.other.app"]), "wrong_app"),
                (try letter(["appAppleId": 99]), "wrong_app"),
                (try letter(["environment": "Xcode"]), "wrong_environment"),
                (try letter(["environment": "Sandbox", "appAppleId": nil]), "wrong_environment"),
                (try letter([:], row: ["bundleId": "com.other.app"]), "wrong_bundle"),
                (try letter([:], row: ["environment": "Sandbox"]), "wrong_environment"),
                (try stranger(["bundleId": "com.other.app"]), "wrong_app"),
                (try stranger(["appAppleId": 99]), "wrong_app"),
            ], .appStoreV2)
    }

    @Test
    func `C1: the sandbox's notifications of a production app are believed, and register as sandbox`() async throws {
        try await NotificationWorld.with { world in
            let data = try SampleNotifications.data(
                SampleNotifications.transaction("2002", ["environment": "Sandbox"]), nil,
                ["environment": "Sandbox", "appAppleId": nil])
            try await world.insert(
                try SampleNotifications.envelope(
                    SampleNotifications.payload("SUBSCRIBED", "INITIAL_BUY", uuid: "u", data: data)), .appStoreV2)
            #expect(try await world.run("acme-ios").apps.first?.counts?.registered == 1)
            let rows = try await world.connection.lines("select store_key, environment from subledger.subscriptions")
            #expect(rows == ["2002|sandbox"])
        }
    }

    @Test
    func `C1: a version 1 notification with a wrong password, of another app or environment is refused`() async throws {
        try await expectRefused(
            [
                (
                    SampleNotifications.v1("DID_RENEW", id: "2001", ["password": "shared-secret-canarz"]),
                    "wrong_password"
                ),
                (SampleNotifications.v1("DID_RENEW", id: "2001", ["password": ""]), "wrong_password"),
                (SampleNotifications.v1("DID_RENEW", id: "2001", ["password": nil]), "wrong_password"),
                (SampleNotifications.v1("DID_RENEW", id: "2001", ["bid": "com.other.app"]), "wrong_app"),
                (SampleNotifications.v1("DID_RENEW", id: "2001", ["bid": nil]), "wrong_app"),
                (SampleNotifications.v1("DID_RENEW", id: "2001", ["environment": "Xcode"]), "wrong_environment"),
            ], .appStoreV1)
    }

    @Test
    func `C1: without a shared secret version 1 is not believed, and the reason says what to configure`() async throws {
        try await NotificationWorld.with { world in
            let yaml = try String(contentsOfFile: world.file, encoding: .utf8)
            try yaml.replacing("    shared_secret_file: secret\n", with: "")
                .write(toFile: world.file, atomically: true, encoding: .utf8)
            try await world.insert(SampleNotifications.v1("DID_RENEW", id: "2001", ["password": ""]), .appStoreV1)
            try await world.run("acme-ios")
            let reason = try await world.connection.lines("select reason from notification_inbox").first
            #expect(reason?.hasPrefix("no_shared_secret:") == true && reason?.contains("shared_secret_file") == true)
        }
    }

    @Test
    func `C1: a Play notification of another package, and a source of the other store, are refused`() async throws {
        let event = ["notificationType": 2, "purchaseToken": "token-2001"] as SampleNotifications.Object
        try await expectRefused(
            [
                (
                    SampleNotifications.rtdn("subscriptionNotification", event, ["packageName": "com.other.app"]),
                    "wrong_app"
                ),
                (SampleNotifications.rtdn("subscriptionNotification", event, ["packageName": nil]), "wrong_app"),
            ], .playRTDN, app: "acme-android")
        try await expectRefused([(try SampleNotifications.v2(), "wrong_source")], .appStoreV2, app: "acme-android")
        try await expectRefused([(SampleNotifications.subscription(2, token: "2001"), "wrong_source")], .playRTDN)
    }

    @Test(arguments: NotificationSource.allCases)
    func `C1: what is empty, no JSON or not the store's JSON is refused`(source: NotificationSource) async throws {
        let deep = String(repeating: "[", count: 20_000)
        let isPlay = source == .playRTDN
        // Version 1 proves itself first: a document without its password has no other fault that matters.
        let strange = source == .appStoreV1 ? "wrong_password" : isPlay ? "wrong_app" : "malformed_json"
        try await expectRefused(
            [
                ("", "empty_payload"), (" \n", "empty_payload"), ("{", "malformed_json"), ("[]", "malformed_json"),
                ("null", "malformed_json"), ("hello", "malformed_json"), (deep, "malformed_json"), ("{}", strange),
                (
                    #"{"signedPayload":7,"message":{"data":"%%%"},"password":{}}"#,
                    source == .appStoreV2 ? "not_verified" : isPlay ? "malformed_json" : strange
                ),
            ], source, app: isPlay ? "acme-android" : "acme-ios")
    }

    @Test func `C1: a forgery with a genuine notification's id does not block the genuine one`() async throws {
        try await NotificationWorld.with { world in
            try await world.closed("2001")
            let forged = SampleNotifications.payload(
                "DID_RENEW", uuid: "uuid-1", data: try SampleNotifications.data(SampleNotifications.transaction("2001"))
            )
            try await world.insert(try SampleNotifications.envelope(forged, by: try SigningStore()), .appStoreV2)
            try await world.insert(try SampleNotifications.v2(uuid: "uuid-1"), .appStoreV2)
            try await world.run("acme-ios")
            #expect(try await world.verdicts() == ["applied|DID_RENEW|", "refused||not_verified"])
        }
    }

    private static func payload(of parts: [Substring]) throws -> String {
        let padded = parts[1].replacing("-", with: "+").replacing("_", with: "/")
        let data = try #require(Data(base64Encoded: padded + String(repeating: "=", count: (4 - padded.count % 4) % 4)))
        return String(decoding: data, as: UTF8.self)
    }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
