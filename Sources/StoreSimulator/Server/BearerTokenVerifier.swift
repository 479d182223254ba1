// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signing

/// Whether a request's token is one the App Store accepts: signed by the app's key, for this app, and in force.
struct BearerTokenVerifier: Sendable {
    private struct Header: Decodable {
        let alg: String
        let kid: String
    }

    private struct Claims: Decodable {
        let iss: String
        let aud: String
        let bid: String
        let exp: Int64
        let iat: Int64?
    }

    let apps: [SimulatedApp]
    let keys: [String: StoreKeys.AppKeys]

    /// The app a bearer token speaks for, by the wall clock; nil for a token that is refused.
    func app(of authorization: String?, now: Int64) -> SimulatedApp? {
        guard let text = authorization?.split(separator: " ").last, authorization?.hasPrefix("Bearer ") == true,
            let token = UnverifiedToken<Header, Claims>(text)
        else { return nil }
        let app = apps.first { keys[$0.id]?.keyID == token.header.kid }
        guard let app, let key = keys[app.id], token.header.alg == "ES256", isInForce(token.claims, now) else {
            return nil
        }
        let claims = token.claims
        guard claims.iss == key.issuerID, claims.aud == "appstoreconnect-v1", claims.bid == app.bundleID else {
            return nil
        }
        return key.verifier.verifies(token.signature, over: token.message) ? app : nil
    }

    private func isInForce(_ claims: Claims, _ now: Int64) -> Bool {
        claims.exp > now && claims.exp <= now + 3_600 && (claims.iat ?? now) <= now
    }
}

/// A JSON web token in its parts; nobody has looked at its signature yet.
struct UnverifiedToken<Header: Decodable, Claims: Decodable> {
    let header: Header
    let claims: Claims
    let signature: [UInt8]
    /// What was signed.
    let message: [UInt8]

    /// Nil for a text that is none.
    init?(_ text: Substring) {
        let parts = text.split(separator: ".")
        guard parts.count == 3, let header: Header = Self.decode(parts[0]), let claims: Claims = Self.decode(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { return nil }
        (self.header, self.claims, self.signature) = (header, claims, signature)
        message = Array("\(parts[0]).\(parts[1])".utf8)
    }

    private static func decode<Part: Decodable>(_ text: Substring) -> Part? {
        Base64URL.decode(text).flatMap { try? JSONDecoder().decode(Part.self, from: Data($0)) }
    }
}
