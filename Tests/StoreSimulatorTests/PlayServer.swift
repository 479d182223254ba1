// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Logging
import Signing
import SimulatorServer

@testable import StoreSimulator

/// A simulated Google Play on a port, and a client that knows what its owner's files say.
struct PlayServer: Sendable {
    let stores: SimulatedStores
    let http: HTTPClient
    let directory: String

    /// Serves hand-written purchases for the time of a test.
    static func with(
        _ customers: [PlayCustomer], apps: [SimulatedApp] = [PlayPaper.app], clock: String,
        _ body: (PlayServer) async throws -> Void
    ) async throws {
        let directory = NSTemporaryDirectory() + "play-door-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: directory) }
        var configuration = SimulatorConfiguration(
            seed: 1, customersPerApp: 0, apps: apps, startClock: instant(clock), directory: directory)
        configuration.keyStock = .shared
        configuration.playCustomers = customers
        let stores = try await SimulatedStores.start(configuration)
        defer { stores.stop() }
        let client = HTTPClient(
            HTTPClientConfiguration(limits: .ofASlowMachine, certificateAuthorityFile: directory + "/ca.pem"),
            logger: Logger(label: "play-door"))
        try await body(PlayServer(stores: stores, http: client, directory: directory))
        await client.shutdown()
    }

    /// One customer with a running month.
    static func month(of app: SimulatedApp = PlayPaper.app) -> PlayCustomer {
        PlayCustomer(
            appID: app.id, accountID: "account-1", market: .germany,
            tokens: [
                PlayPaper.token(
                    "token-\(app.id)", [PlayPaper.january, PlayPaper.february],
                    [
                        PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z"),
                        PlayPaper.moment(
                            .active, "2026-02-01T08:00:00Z", until: "2026-03-01T10:00:00Z", order: PlayPaper.february),
                    ])
            ])
    }

    func keys(_ app: SimulatedApp = PlayPaper.app) throws -> PlayKeys {
        guard let keys = stores.backend.keys.play[app.id] else { throw SimulatorError("no such app") }
        return keys
    }

    /// Asks below the app's part of the interface.
    func get(_ path: String, bearer: String?, package: String = "com.acme.app") async throws -> StoreResponse {
        let url = "\(stores.baseURL)/androidpublisher/v3/applications/\(package)/\(path)"
        let headers = bearer.map { [(name: "Authorization", value: "Bearer \($0)")] } ?? []
        return StoreResponse(try await http.send(HTTPRequest(url: url, route: "/", headers: headers)))
    }

    func post(_ fields: [(String, String)]) async throws -> StoreResponse {
        var allowed = CharacterSet.alphanumerics
        allowed.insert(charactersIn: "-._~")
        let form = fields.map { "\($0.0)=\($0.1.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")" }
        let request = HTTPRequest(
            method: .post, url: stores.baseURL + "/token", route: "/token",
            headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: Array(form.joined(separator: "&").utf8))
        return StoreResponse(try await http.send(request))
    }

    /// An access token by the person's consent.
    func consent(_ app: SimulatedApp = PlayPaper.app) async throws -> String {
        let keys = try keys(app)
        let answer = try await post([
            ("grant_type", "refresh_token"), ("client_id", keys.clientID), ("client_secret", keys.clientSecret),
            ("refresh_token", keys.refreshToken),
        ])
        return answer.object["access_token"] as? String ?? ""
    }

    func assert(_ assertion: String) async throws -> StoreResponse {
        try await post([("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"), ("assertion", assertion)])
    }

    /// A service account's assertion, to be spoiled one part at a time.
    struct Assertion {
        var issuer: String
        var scope = "https://www.googleapis.com/auth/androidpublisher"
        var audience: String
        var issuedAt = Int64(Date().timeIntervalSince1970)
        var life: Int64 = 3_600
        var keyID: String
        var privateKey: String

        func text() throws -> String {
            let claims =
                "{\"iss\":\"\(issuer)\",\"scope\":\"\(scope)\",\"aud\":\"\(audience)\",\"iat\":\(issuedAt),"
                + "\"exp\":\(issuedAt + life)}"
            return try JSONWebToken.encode(
                header: ["typ": "JWT", "kid": keyID], payload: Array(claims.utf8),
                signer: RS256Signer(pem: Array(privateKey.utf8)))
        }
    }

    /// The assertion that the service account's file makes.
    func assertion(_ app: SimulatedApp = PlayPaper.app) throws -> Assertion {
        let data = try Data(contentsOf: URL(fileURLWithPath: try keys(app).serviceAccountFile))
        let file = try JSONSerialization.jsonObject(with: data) as? [String: String] ?? [:]
        return Assertion(
            issuer: file["client_email"] ?? "", audience: file["token_uri"] ?? "", keyID: file["private_key_id"] ?? "",
            privateKey: file["private_key"] ?? "")
    }
}

extension StoreResponse {
    fileprivate init(_ response: HTTPResponse) {
        self.init(status: response.status, body: response.body)
        headers["WWW-Authenticate"] = response.headers["WWW-Authenticate"]
    }

    /// The first reason of an error.
    var reason: String? {
        ((object["error"] as? [String: Any])?["errors"] as? [[String: Any]])?.first?["reason"] as? String
    }
}
