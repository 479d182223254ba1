// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Logging
import Signing

@testable import StoreSimulator

/// Asks a simulated store over TLS, as an app's owner would: with what the configuration and the key files say.
struct StoreClient: Sendable {
    let http: HTTPClient
    let directory: String
    private let baseURL: String
    private let settings: [String: String]
    private let bundleID: String

    init(
        _ stores: SimulatedStores, app: SimulatedApp, directory: String, version: HTTPVersion = .http2,
        maximumConnections: Int = 8
    ) throws {
        self.directory = directory
        baseURL = stores.baseURL
        bundleID = app.bundleID
        http = HTTPClient(
            HTTPClientConfiguration(
                version: version, limits: .ofASlowMachine, certificateAuthorityFile: directory + "/ca.pem",
                maximumConnectionsPerHost: maximumConnections),
            logger: Logger(label: "store-client"))
        settings = Self.settings(of: app.id, in: stores.appsConfiguration())
    }

    /// The `name: value` lines of one app.
    private static func settings(of app: String, in configuration: String) -> [String: String] {
        let block = configuration.components(separatedBy: "  - ").first { $0.hasPrefix("id: \(app)\n") } ?? ""
        return block.split(separator: "\n").reduce(into: [:]) { settings, line in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return }
            let name = parts[0].trimmingCharacters(in: .whitespaces)
            settings[name] = parts[1].trimmingCharacters(in: .whitespaces)
        }
    }

    func setting(_ name: String) -> String { settings[name] ?? "" }

    /// The claims and header of a good token, to be spoiled one at a time.
    var token: Token {
        Token(
            keyID: setting("key_id"), issuer: setting("issuer_id"), bundleID: bundleID,
            keyFile: setting("private_key_file"))
    }

    func get(_ path: String, token: Token? = nil) async throws -> Answer {
        try await get(path, bearer: try (token ?? self.token).text())
    }

    func get(_ path: String, bearer: String) async throws -> Answer {
        try await send(
            HTTPRequest(url: baseURL + path, route: "/", headers: [("Authorization", "Bearer \(bearer)")]))
    }

    func post(_ path: String, _ body: String) async throws -> Answer {
        try await send(HTTPRequest(method: .post, url: baseURL + path, route: "/", body: Array(body.utf8)))
    }

    /// Get Notification History.
    func notifications(_ body: String, page: String? = nil, sandbox: Bool = false) async throws -> Answer {
        let query = page.map { "?paginationToken=" + URLPath.encode(segment: $0) } ?? ""
        return try await send(
            HTTPRequest(
                method: .post,
                url: baseURL + (sandbox ? "/sandbox" : "") + "/inApps/v1/notifications/history" + query, route: "/",
                headers: [("Authorization", "Bearer \(try token.text())")], body: Array(body.utf8)))
    }

    /// verifyReceipt, with the receipt that the simulated store gives an account; of one without subscriptions no
    /// registration speaks.
    func verify(account: String) async throws -> Answer {
        let secret = try String(contentsOfFile: setting("shared_secret_file"), encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let receipt = Data("receipt|\(account)|1".utf8).base64EncodedString()
        return try await post("/verifyReceipt", "{\"receipt-data\":\"\(receipt)\",\"password\":\"\(secret)\"}")
    }

    func statuses(_ id: String, sandbox: Bool = false) async throws -> Answer {
        try await get((sandbox ? "/sandbox" : "") + "/inApps/v1/subscriptions/\(id)")
    }

    func history(_ id: String, revision: String? = nil) async throws -> Answer {
        let query = revision.map { "&revision=" + URLPath.encode(segment: $0) } ?? ""
        return try await get("/inApps/v2/history/\(id)?sort=ASCENDING\(query)")
    }

    /// The pages of a history from its beginning.
    func wholeHistory(_ id: String) async throws {
        var answer = try await history(id)
        while answer.hasMore == true { answer = try await history(id, revision: answer.revision) }
    }

    private func send(_ request: HTTPRequest) async throws -> Answer {
        Answer(try await http.send(request))
    }
}

extension StoreClient {
    /// A bearer token in its parts.
    struct Token {
        var algorithm = "ES256"
        var keyID: String
        var issuer: String
        var audience = "appstoreconnect-v1"
        var bundleID: String
        /// Seconds from now.
        var life: Int64 = 300
        var keyFile: String

        func text() throws -> String {
            let now = Int64(Date().timeIntervalSince1970)
            let header = "{\"alg\":\"\(algorithm)\",\"kid\":\"\(keyID)\",\"typ\":\"JWT\"}"
            let claims =
                "{\"iss\":\"\(issuer)\",\"iat\":\(now - 30),\"exp\":\(now + life),\"aud\":\"\(audience)\","
                + "\"bid\":\"\(bundleID)\"}"
            let signed = "\(Base64URL.encode(Array(header.utf8))).\(Base64URL.encode(Array(claims.utf8)))"
            let signer = try ES256Signer(pem: Array(try Data(contentsOf: URL(fileURLWithPath: keyFile))))
            return "\(signed).\(Base64URL.encode(try signer.sign(Array(signed.utf8))))"
        }
    }

    /// What came back.
    struct Answer {
        let status: Int
        let version: HTTPVersion
        let headers: HTTPHeaders
        let body: [UInt8]

        init(_ response: HTTPResponse) {
            (status, version, headers, body) = (response.status, response.version, response.headers, response.body)
        }

        var json: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]) ?? [:] }
        var errorCode: Int? { json["errorCode"] as? Int }
        var receiptStatus: Int? { json["status"] as? Int }
        var revision: String? { json["revision"] as? String }
        var hasMore: Bool? { json["hasMore"] as? Bool }

        /// The decoded transactions of a history page.
        var transactions: [[String: Any]] { (json["signedTransactions"] as? [String] ?? []).map(payload) }
        var transactionIDs: [String] { transactions.compactMap { $0["transactionId"] as? String } }

        /// The entries of a notification history, and what each signed payload says.
        var notifications: [[String: Any]] { json["notificationHistory"] as? [[String: Any]] ?? [] }
        var notices: [[String: Any]] {
            notifications.compactMap { $0["signedPayload"] as? String }.map(payload)
        }
        /// Type and subtype of each.
        var noticeTypes: [String] {
            notices.map { notice in
                [notice["notificationType"], notice["subtype"]].compactMap { $0 as? String }.joined(separator: "/")
            }
        }

        /// The entries of a status answer, of all groups.
        var entries: [[String: Any]] {
            (json["data"] as? [[String: Any]] ?? []).flatMap { $0["lastTransactions"] as? [[String: Any]] ?? [] }
        }

        /// Status by original transaction id.
        var statusByID: [String: Int] {
            entries.reduce(into: [:]) { $0[$1["originalTransactionId"] as? String ?? ""] = $1["status"] as? Int }
        }
    }
}

/// The payload of a compact JWS, unverified.
func payload(_ jws: String) -> [String: Any] {
    let parts = jws.split(separator: ".")
    guard parts.count == 3, let bytes = Base64URL.decode(parts[1]) else { return [:] }
    return (try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]) ?? [:]
}

extension HTTPLimits {
    /// The server runs in the tests' own process, beside all the other tests: it may be long silent.
    static let ofASlowMachine = HTTPLimits(
        connect: .seconds(300), firstByte: .seconds(300), lowSpeedBytesPerSecond: 0, total: .seconds(600))
}
