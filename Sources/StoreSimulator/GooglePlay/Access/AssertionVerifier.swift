// SPDX-License-Identifier: Apache-2.0

/// Whether a service account's assertion is one Google accepts: its claims, its short life, its signature.
struct AssertionVerifier {
    static let scope = "https://www.googleapis.com/auth/androidpublisher"
    /// What the accounts may do at all.
    static let scopes: Set<String> = [scope, PubSubRequestHandler.scope]
    /// How far the client's clock may be off, in seconds.
    private static let skew: Int64 = 600

    let accounts: [String: PlayKeys]
    let tokenURL: String

    /// The app whose service account signed it, and what it asks for.
    func grant(of assertion: String, now: Int64) throws(TokenRefusal) -> TokenEndpoint.Grant {
        guard let token = UnverifiedToken(assertion[...]), token.header.alg == "RS256",
            let issuedAt = token.claims.iat, let scope = token.claims.scope
        else { throw .invalidGrant("Bad Request") }
        let (header, claims) = (token.header, token.claims)
        guard let (id, keys) = accounts.first(where: { $0.value.clientEmail == claims.iss }),
            header.kid == nil || header.kid == keys.keyID
        else { throw .invalidGrant("Invalid grant: account not found") }
        guard claims.exp > issuedAt, claims.exp - issuedAt <= 3_600, issuedAt <= now + Self.skew,
            claims.exp >= now - Self.skew
        else {
            throw .invalidGrant(
                "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
                    + "Check your iat and exp values in the JWT claim.")
        }
        // Google's own libraries name its endpoint whatever address they were given.
        guard [tokenURL, "https://oauth2.googleapis.com/token"].contains(claims.aud) else {
            throw .invalidGrant("Invalid JWT: invalid audience")
        }
        let scopes = Set(scope.split(separator: " ").map(String.init))
        guard !scopes.isEmpty, scopes.isSubset(of: Self.scopes) else {
            throw TokenRefusal(status: 400, error: "invalid_scope", description: "Invalid OAuth scope.")
        }
        guard keys.verifies(token.signature, over: token.message) else { throw .invalidGrant("Invalid JWT Signature.") }
        return TokenEndpoint.Grant(appID: id, scopes: scopes)
    }
}

/// Why no access token is given.
struct TokenRefusal: Error, Hashable {
    let status: Int
    let error: String
    let description: String

    /// The consent was withdrawn, or is none.
    static let expired = invalidGrant("Token has been expired or revoked.")

    static func invalidGrant(_ description: String) -> TokenRefusal {
        TokenRefusal(status: 400, error: "invalid_grant", description: description)
    }

    static func invalidClient(_ description: String) -> TokenRefusal {
        TokenRefusal(status: 401, error: "invalid_client", description: description)
    }

    var answer: StoreResponse { .refusal(status, ["error": error, "error_description": description]) }
}
