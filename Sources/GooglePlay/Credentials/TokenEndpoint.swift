// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Model
import Stores

/// Asks Google for an app's access tokens.
struct TokenEndpoint: Sendable {
    /// A token whose lifetime the issuer does not state is used this long.
    private static let assumedLifetime = Span.minutes(10)

    private let url: String
    private let grant: TokenGrant
    private let classifier: TokenResponseClassifier
    private let client: ThrottledClient
    /// The wall clock.
    private let clock: @Sendable () -> Instant

    /// `scope`: what a service account's tokens open; a refresh token's were granted with it.
    ///
    /// Throws `credential`, when the service account's file cannot be used.
    init(
        _ configuration: GooglePlayConfiguration, scope: String = ServiceAccount.storeScope,
        client: ThrottledClient, clock: @escaping @Sendable () -> Instant
    ) throws(StoreFailure) {
        self.url = configuration.tokenURL ?? ServiceAccount.googleTokenURL
        self.grant =
            switch configuration.credentials {
            case .serviceAccount(let json):
                .serviceAccount(
                    try ServiceAccount(
                        json: json, configuredURL: configuration.tokenURL, scope: scope, appID: configuration.appID))
            case .refreshToken(let clientID, let clientSecret, let refreshToken):
                .refreshToken(clientID: clientID, clientSecret: clientSecret, refreshToken: refreshToken)
            }
        self.classifier = TokenResponseClassifier(grant: grant)
        self.client = client
        self.clock = clock
    }

    /// A new token.
    ///
    /// What is sent is made again for each try: an assertion is dated.
    func issue() async throws(StoreFailure) -> AccessTokens.Issued {
        let (url, grant, classifier, clock) = (url, grant, classifier, clock)
        let response = try await client.send(
            to: PlayEndpoints.token, classify: { classifier.disposition(of: $0, now: clock()) }
        ) { () async throws(StoreFailure) in
            HTTPRequest(
                method: .post, url: url, route: "/token", headers: [("content-type", FormEncoding.contentType)],
                body: FormEncoding.encode(try grant.form(now: clock())))
        }
        guard let answer = TokenAnswer(json: response.body),
            let token = answer.accessToken
        else { throw .noToken }
        if answer.hasNewRefreshToken {
            client.warn("the token endpoint sent a new refresh token; the configured one is used on")
        }
        return AccessTokens.Issued(
            token: token, lifetime: answer.expiresIn.map { .seconds(min(max($0, 1), 86_400)) } ?? Self.assumedLifetime)
    }
}
