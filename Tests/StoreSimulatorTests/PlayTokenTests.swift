// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import StoreSimulator

/// The token endpoint over TLS: who gets an access token, who does not, and what it opens.
@Suite struct PlayTokenTests {
    private static let other = SimulatedApp.play(id: "other", packageName: "com.other.app", grant: .refreshToken)

    @Test func `a service account's assertion gives a token that opens its own app`() async throws {
        try await PlayServer.with(
            [PlayServer.month()], apps: [PlayPaper.app, Self.other], clock: "2026-01-05T00:00:00Z"
        ) {
            door in
            let answer = try await door.assert(try door.assertion().text())
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.object["expires_in"] as? Int == 3_599)
            #expect(answer.object["token_type"] as? String == "Bearer")
            let token = answer.object["access_token"] as? String
            let path = "purchases/subscriptionsv2/tokens/token-acme-android"
            let mine = try await door.get(path, bearer: token)
            #expect(mine.status == 200)
            #expect(mine.object["subscriptionState"] as? String == "SUBSCRIPTION_STATE_ACTIVE")
            let foreign = try await door.get(path, bearer: token, package: "com.other.app")
            #expect(foreign.status == 401)
            #expect(foreign.reason == "permissionDenied")
            #expect(foreign.headers["WWW-Authenticate"]?.contains("invalid_token") == true)
        }
    }

    @Test func `an assertion that is wrong in any part is an invalid grant`() async throws {
        try await PlayServer.with([], apps: [PlayPaper.app, Self.other], clock: "2026-01-05T00:00:00Z") { door in
            let good = try door.assertion()
            let spoil: [(String, (inout PlayServer.Assertion) throws -> Void)] = [
                ("Signature", { $0.privateKey = try door.assertion(Self.other).privateKey }),
                ("short-lived", { ($0.issuedAt, $0.life) = ($0.issuedAt * 1_000, 3_600_000) }),
                ("short-lived", { $0.life = 7_200 }),
                ("short-lived", { $0.issuedAt += 1_200 }),
                ("short-lived", { $0.issuedAt -= 6_000 }),
                ("audience", { $0.audience = "https://accounts.example.com/token" }),
                ("account", { $0.issuer = "stranger@example.iam.gserviceaccount.com" }),
                ("account", { $0.keyID = "0123" }),
            ]
            for (words, change) in spoil {
                var assertion = good
                try change(&assertion)
                let answer = try await door.assert(try assertion.text())
                #expect(answer.status == 400)
                #expect(answer.object["error"] as? String == "invalid_grant")
                #expect((answer.object["error_description"] as? String)?.contains(words) == true, "\(answer.text)")
            }
            var narrow = good
            narrow.scope = "https://www.googleapis.com/auth/drive"
            #expect(try await door.assert(try narrow.text()).object["error"] as? String == "invalid_scope")
            var early = good
            early.issuedAt += 300
            #expect(try await door.assert(try early.text()).status == 200)
            var googles = good
            googles.audience = "https://oauth2.googleapis.com/token"
            #expect(try await door.assert(try googles.text()).status == 200)
            #expect(door.stores.quotas.counters.requests["token"] == 11)
            let left = try FileManager.default.contentsOfDirectory(atPath: door.directory)
            #expect(left.filter { $0.hasPrefix("assertion-") } == [])
        }
    }

    @Test func `a consent gives a token, and a withdrawn one does not`() async throws {
        try await PlayServer.with([], clock: "2026-01-05T00:00:00Z") { door in
            let keys = try door.keys()
            let good = [
                ("grant_type", "refresh_token"), ("client_id", keys.clientID), ("client_secret", keys.clientSecret),
                ("refresh_token", keys.refreshToken),
            ]
            #expect(try await door.post(good).status == 200)
            let spoiled: [(Int, Int, String)] = [
                (1, 401, "invalid_client"), (2, 401, "invalid_client"), (3, 400, "invalid_grant"),
            ]
            for (index, status, error) in spoiled {
                var fields = good
                fields[index].1 = "wrong"
                let answer = try await door.post(fields)
                #expect(answer.status == status)
                #expect(answer.object["error"] as? String == error)
            }
            #expect(
                try await door.post([("grant_type", "password")]).object["error"] as? String == "unsupported_grant_type"
            )
            door.stores.faults.plan(.invalidGrant, times: 1, at: "token")
            #expect(try await door.post(good).object["error"] as? String == "invalid_grant")
            #expect(try await door.post(good).status == 200)
        }
    }

    @Test func `a token that is unknown, expired or withdrawn opens nothing`() async throws {
        try await PlayServer.with([PlayServer.month()], clock: "2026-01-05T00:00:00Z") { door in
            let path = "purchases/subscriptionsv2/tokens/token-acme-android"
            let tokens = door.stores.play.tokens
            for bearer in [nil, "ya29.stranger"] {
                let answer = try await door.get(path, bearer: bearer)
                #expect(answer.status == 401)
                #expect(answer.reason == "authError")
            }
            tokens.setLifetime(seconds: 0)
            #expect(try await door.get(path, bearer: try await door.consent()).reason == "authError")
            tokens.setLifetime(seconds: 3_600)
            let good = try await door.consent()
            #expect(try await door.get(path, bearer: good).status == 200)
            tokens.revokeAll()
            #expect(try await door.get(path, bearer: good).reason == "authError")
            let again = try await door.consent()
            door.stores.faults.plan(.expiredToken, times: 1, at: "subscriptions")
            #expect(try await door.get(path, bearer: again).reason == "authError")
            #expect(try await door.get(path, bearer: again).reason == "authError")
            #expect(door.stores.quotas.counters.unauthorized == 5)
        }
    }

    /// What an owner would have on disk: readable by nobody else, and named by the configuration.
    @Test func `the configuration names files that only their owner reads`() async throws {
        try await PlayServer.with([], apps: [PlayPaper.app, Self.other], clock: "2026-01-05T00:00:00Z") { door in
            let text = door.stores.appsConfiguration()
            let (mine, theirs) = (try door.keys(), try door.keys(Self.other))
            for line in [
                "store: google_play", "package_name: com.acme.app", "api: v2",
                "service_account_file: \(mine.serviceAccountFile)", "token_url: \(door.stores.baseURL)/token",
                "client_id: \(theirs.clientID)", "client_secret_file: \(theirs.clientSecretFile)",
                "refresh_token_file: \(theirs.refreshTokenFile)",
            ] { #expect(text.contains(" \(line)\n"), "\(line) is not in:\n\(text)") }
            for file in [mine.serviceAccountFile, theirs.clientSecretFile, theirs.refreshTokenFile] {
                let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
                #expect(mode == 0o600, "\(file)")
            }
        }
    }
}
