// SPDX-License-Identifier: Apache-2.0

/// Whether a service account's assertion is one Google accepts: its claims, its short life, its signature.
struct AssertionVerifier {
    private struct Header: Decodable {
        let alg: String
        let kid: String?
    }

    private struct Claims: Decodable {
        let iss: String
        let scope: String
        let aud: String
        let iat: Int64
        let exp: Int64
    }

    static let scope = "https://www.googleapis.com/auth/androidpublisher"
    /// What the accounts may do at all.
    static let scopes: Set<String> = [scope, PubSubRequestHandler.scope]
    /// How far the client's clock may be off, in seconds.
    private static let skew: Int64 = 600

    let accounts: [String: PlayKeys]
    let tokenURL: String

    /// The app whose service account signed it and what it asks for, or why it is refused.
    func grant(of assertion: String, now: Int64) -> Result<TokenEndpoint.Grant, TokenRefusal> {
        guard let token = UnverifiedToken<Header, Claims>(assertion[...]), token.header.alg == "RS256" else {
            return .failure(.invalidGrant("Bad Request"))
        }
        let (header, claims) = (token.header, token.claims)
        guard let (id, keys) = accounts.first(where: { $0.value.clientEmail == claims.iss }),
            header.kid == nil || header.kid == keys.keyID
        else { return .failure(.invalidGrant("Invalid grant: account not found")) }
        guard claims.exp > claims.iat, claims.exp - claims.iat <= 3_600, claims.iat <= now + Self.skew,
            claims.exp >= now - Self.skew
        else {
            return .failure(
                .invalidGrant(
                    "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
                        + "Check your iat and exp values in the JWT claim."))
        }
        // Google's own libraries name its endpoint whatever address they were given.
        guard [tokenURL, "https://oauth2.googleapis.com/token"].contains(claims.aud) else {
            return .failure(.invalidGrant("Invalid JWT: invalid audience"))
        }
        let scopes = Set(claims.scope.split(separator: " ").map(String.init))
        guard !scopes.isEmpty, scopes.isSubset(of: Self.scopes) else {
            return .failure(TokenRefusal(status: 400, error: "invalid_scope", description: "Invalid OAuth scope."))
        }
        guard keys.verifies(token.signature, over: token.message) else {
            return .failure(.invalidGrant("Invalid JWT Signature."))
        }
        return .success(TokenEndpoint.Grant(appID: id, scopes: scopes))
    }
}

/// Why no access token is given.
struct TokenRefusal: Error, Hashable {
    let status: Int
    let error: String
    let description: String

    static func invalidGrant(_ description: String) -> TokenRefusal {
        TokenRefusal(status: 400, error: "invalid_grant", description: description)
    }
}
