// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signing

/// Whether a request's token is one the store accepts: signed by the app's key, for this app, and in force.
struct TokenJudge: Sendable {
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
        guard let token = authorization?.split(separator: " ").last, authorization?.hasPrefix("Bearer ") == true else {
            return nil
        }
        let parts = token.split(separator: ".")
        guard parts.count == 3, let header: Header = Self.decode(parts[0]), let claims: Claims = Self.decode(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { return nil }
        let app = apps.first { keys[$0.id]?.keyID == header.kid }
        guard let app, let key = keys[app.id], header.alg == "ES256", isInForce(claims, now) else { return nil }
        guard claims.iss == key.issuerID, claims.aud == "appstoreconnect-v1", claims.bid == app.bundleID else {
            return nil
        }
        let message = Array("\(parts[0]).\(parts[1])".utf8)
        return key.verifier.verifies(signature, over: message) ? app : nil
    }

    private func isInForce(_ claims: Claims, _ now: Int64) -> Bool {
        claims.exp > now && claims.exp <= now + 3_600 && (claims.iat ?? now) <= now
    }

    private static func decode<Part: Decodable>(_ text: Substring) -> Part? {
        Base64URL.decode(text).flatMap { try? JSONDecoder().decode(Part.self, from: Data($0)) }
    }
}
