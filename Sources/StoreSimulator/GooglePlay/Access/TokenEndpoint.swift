// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Google's token endpoint: gives out access tokens for both grants, and knows which of them are in force.
package final class TokenEndpoint: Sendable {
    /// For which app, and for what.
    struct Grant {
        let appID: String
        let scopes: Set<String>
    }

    private struct Issued {
        let grant: Grant
        let expiresAt: Int64
    }

    private struct State {
        var issued: [String: Issued] = [:]
        var lifetime: Int64 = 3_600
        var tokenURL = ""
    }

    let accounts: [String: PlayKeys]
    private let state = Mutex(State())

    init(accounts: [String: PlayKeys]) { self.accounts = accounts }

    /// How long the access tokens given out from now on are in force, in seconds of the wall clock; 3,600 at first.
    package func setLifetime(seconds: Int64) { state.withLock { $0.lifetime = seconds } }

    /// From now on no token given out so far is in force.
    package func revokeAll() { state.withLock { $0.issued = [:] } }

    func revoke(_ token: String?) {
        guard let token else { return }
        state.withLock { _ = $0.issued.removeValue(forKey: token) }
    }

    /// The address became known: assertions must name it, and the service accounts' files do.
    func opened(at tokenURL: String) throws {
        state.withLock { $0.tokenURL = tokenURL }
        for keys in accounts.values { try keys.writeServiceAccount(tokenURL: tokenURL) }
    }

    /// The app an access token was given out for, while it is in force.
    ///
    /// `now`: wall clock, seconds.
    func app(of token: String?, for scope: String = AssertionVerifier.scope, now: Int64) -> String? {
        guard let token, let issued = state.withLock({ $0.issued[token] }) else { return nil }
        return issued.expiresAt > now && issued.grant.scopes.contains(scope) ? issued.grant.appID : nil
    }

    /// The token of an `Authorization: Bearer` header.
    static func bearer(_ authorization: String?) -> String? {
        guard let authorization, authorization.hasPrefix("Bearer ") else { return nil }
        return String(authorization.dropFirst("Bearer ".count))
    }

    /// Answers a form.
    ///
    /// `now`: wall clock, seconds.
    func answer(_ form: [String: String], now: Int64) throws -> StoreResponse {
        do {
            return try issue(grant(form, now: now), isConsent: form["refresh_token"] != nil, now: now)
        } catch let refusal as TokenRefusal {
            return refusal.answer
        }
    }

    private func grant(_ form: [String: String], now: Int64) throws(TokenRefusal) -> Grant {
        switch form["grant_type"] {
        case "refresh_token": return try consent(form)
        case "urn:ietf:params:oauth:grant-type:jwt-bearer":
            let verifier = AssertionVerifier(accounts: accounts, tokenURL: state.withLock { $0.tokenURL })
            return try verifier.grant(of: form["assertion"] ?? "", now: now)
        default:
            throw TokenRefusal(
                status: 400, error: "unsupported_grant_type",
                description: "Invalid grant_type: \(form["grant_type"] ?? "")")
        }
    }

    /// A person consented to everything.
    private func consent(_ form: [String: String]) throws(TokenRefusal) -> Grant {
        guard let (appID, keys) = accounts.first(where: { $0.value.clientID == form["client_id"] }) else {
            throw .invalidClient("The OAuth client was not found.")
        }
        guard keys.clientSecret == form["client_secret"] else { throw .invalidClient("Unauthorized") }
        guard keys.refreshToken == form["refresh_token"] else { throw .expired }
        return Grant(appID: appID, scopes: AssertionVerifier.scopes)
    }

    private func issue(_ grant: Grant, isConsent: Bool, now: Int64) throws -> StoreResponse {
        let token = "ya29." + (0..<32).map { _ in UInt8.random(in: 0...255) }.hexDigits
        let lifetime = state.withLock { state in
            state.issued[token] = Issued(grant: grant, expiresAt: now + state.lifetime)
            return state.lifetime
        }
        let scope = isConsent ? grant.scopes.sorted().joined(separator: " ") : nil
        return try .json([
            "access_token": token, "expires_in": max(lifetime - 1, 0), "scope": scope, "token_type": "Bearer",
        ])
    }

    /// The fields of an `application/x-www-form-urlencoded` body.
    static func fields(ofForm body: [UInt8]) -> [String: String] {
        let pairs = String(decoding: body, as: UTF8.self).split(separator: "&").map {
            $0.replacing("+", with: " ").split(separator: "=", maxSplits: 1).map { String($0).removingPercentEncoding }
        }
        return pairs.reduce(into: [:]) { fields, pair in
            if pair.count == 2, let name = pair[0], let value = pair[1] { fields[name] = value }
        }
    }
}
