// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Signing
import Stores
import TestSupport
import Testing

@testable import GooglePlay

@Suite(.hangLimit) struct ServiceAccountTests {
    /// An RSA key of 2,048 bits, made by the command line once.
    private static let key = Result { try RSAKey() }

    private static func file(_ changes: [String: (any Sendable)?] = [:]) throws -> Secret {
        Secret(
            Play.json(
                Play.changed(
                    [
                        "type": "service_account", "client_email": "robot-canary@acme.iam.gserviceaccount.com",
                        "private_key_id": "key-7", "private_key": try key.get().pem,
                        "token_uri": "https://oauth2.googleapis.com/token",
                    ], changes)))
    }

    private func account(
        _ changes: [String: (any Sendable)?] = [:], tokenURL: String? = nil
    ) throws -> ServiceAccount {
        try ServiceAccount(json: try Self.file(changes), configuredURL: tokenURL, appID: Play.appID)
    }

    private static func parts(_ token: String) throws -> (header: Object, claims: Object) {
        let parts = token.split(separator: ".").map { Base64URL.decode($0) ?? [] }
        try #require(parts.count == 3)
        func object(_ bytes: [UInt8]) throws -> Object {
            let values = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
            return values.mapValues { "\($0)" }
        }
        return (try object(parts[0]), try object(parts[1]))
    }

    @Test func `B9: an assertion says who asks for what, in seconds, and its signature is the key's`() throws {
        let token = try account().assertion(now: Play.now).reveal()
        let (header, claims) = try Self.parts(token)
        #expect(header as? [String: String] == ["alg": "RS256", "typ": "JWT", "kid": "key-7"])
        // 2026-03-10T12:00:00Z is 1773144000; a minute is taken off for clocks that differ.
        #expect(
            claims as? [String: String] == [
                "iss": "robot-canary@acme.iam.gserviceaccount.com",
                "scope": "https://www.googleapis.com/auth/androidpublisher",
                "aud": "https://oauth2.googleapis.com/token", "iat": "1773143940", "exp": "1773147540",
            ])
        #expect(try Self.key.get().verifies(token))
        #expect(try !Self.key.get().verifies(token.replacing(".", with: ".e", maxReplacements: 1)))
    }

    @Test func `each assertion is dated when it is made`() throws {
        let account = try account()
        let later = try Self.parts(try account.assertion(now: Play.now + .minutes(90)).reveal())
        #expect(later.claims["exp"] as? String == "\(1_773_147_540 + 5_400)")
    }

    @Test func `a configured address is what the assertion is made out to`() async throws {
        let server = try PlayServer { _, _ in .init(200, Play.json(Play.subscription())) }
        let configuration = Play.configuration(url: server.url, credentials: .serviceAccount(try Self.file()))
        let store = try Play.store(configuration)
        _ = try await store.ask(Inquiry(subscriptions: [Play.due()]), through: Play.client())
        let form = URLComponents(
            string: "?" + String(decoding: try #require(server.tokenRequests.first).body, as: UTF8.self))?.queryItems
        #expect(form?.map(\.name) == ["grant_type", "assertion"])
        #expect(form?.first?.value == "urn:ietf:params:oauth:grant-type:jwt-bearer")
        let assertion = try #require(form?.last?.value)
        #expect(try Self.parts(assertion).claims["aud"] as? String == server.url + "/token")
        #expect(try Self.key.get().verifies(assertion))
    }

    @Test(
        arguments: [
            (["token_uri": "https://evil.example/token"], "token_uri"), (["type": "authorized_user"], "another type"),
            (["client_email": nil], "client_email"), (["private_key": nil], "private_key"),
            (["private_key": "-----BEGIN PRIVATE KEY-----\ncanary\n-----END PRIVATE KEY-----\n"], "cannot be used"),
        ] as [([String: (any Sendable)?], String)])
    func `a file that cannot be used is refused with the reason`(
        changes: [String: (any Sendable)?], words: String
    ) throws {
        let failure = #expect(throws: StoreFailure.self) { try account(changes) }
        #expect(failure?.kind == .credential)
        #expect(failure?.message.contains("service_account_file") == true)
        #expect(failure?.message.contains(words) == true)
        #expect(failure?.message.contains("canary") == false && failure?.message.contains("evil") == false)
    }

    @Test func `an address in the file counts where it is the configured one`() throws {
        _ = try account(["token_uri": "https://sim.example/token"], tokenURL: "https://sim.example/token")
        _ = try account(["token_uri": nil])
        #expect(throws: StoreFailure.self) {
            try ServiceAccount(json: Secret("[]"), configuredURL: nil, appID: Play.appID)
        }
    }

    @Test func `B9: an invalid grant of a service account speaks of the clock and the key`() async throws {
        let server = try PlayServer(token: { _, _ in .init(400, #"{"error":"invalid_grant"}"#) }) { _, _ in .init() }
        let store = try Play.store(
            Play.configuration(url: server.url, credentials: .serviceAccount(try Self.file())))
        let failure = await #expect(throws: StoreFailure.self) {
            try await store.ask(Inquiry(subscriptions: [Play.due()]), through: Play.client())
        }
        for word in ["clock", "key was removed", "service_account_file", "deleted"] {
            #expect(failure?.message.contains(word) == true)
        }
        #expect(failure?.message.contains("canary") == false)
    }
}

/// A key pair and its verifier, both by the `openssl` command line.
private struct RSAKey {
    let pem: String
    private let publicKey: [UInt8]

    init() throws {
        let tool = try OpenSSLCommand()
        try tool.run("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", "key.pem")
        pem = String(decoding: try tool.read("key.pem"), as: UTF8.self)
        publicKey = try tool.run("pkey", "-in", "key.pem", "-pubout")
    }

    func verifies(_ token: String) throws -> Bool {
        guard let dot = token.lastIndex(of: ".") else { return false }
        let tool = try OpenSSLCommand()
        return try tool.verifies(
            signature: Base64URL.decode(token[token.index(after: dot)...]) ?? [], of: Array(token[..<dot].utf8),
            publicKey: tool.write(publicKey), hash: "-sha256")
    }
}
