// SPDX-License-Identifier: Apache-2.0

package import Model
package import Stores

extension GooglePlayConfiguration {
    /// Keeps the access token fresh that notifications are fetched with; nil where they are not.
    ///
    /// `tokens`: the store's own. A refresh token's open all that was granted with it, a service account's one scope.
    /// `client`: what further tokens are asked through; see `tokens(through:clock:)`.
    /// Throws `credential`, with what to correct, when the service account's file cannot be used.
    package func pubSubTokens(
        besides tokens: AccessTokens, through client: ThrottledClient,
        clock: @escaping @Sendable () -> Instant = { .wallClock }
    ) throws(StoreFailure) -> AccessTokens? {
        guard pubsubSubscription != nil else { return nil }
        guard case .serviceAccount = credentials else { return tokens }
        let endpoint = try TokenEndpoint(self, scope: PubSub.scope, client: client, clock: clock)
        return AccessTokens(clock: clock) { () async throws(StoreFailure) in try await endpoint.issue() }
    }

    func pubSub(with tokens: AccessTokens, clock: @escaping @Sendable () -> Instant) -> PubSub? {
        pubsubSubscription.map {
            PubSub(
                baseURL: pubsubURL ?? PubSub.baseURL, subscription: $0,
                requests: AuthorizedRequests(tokens: tokens, appID: appID),
                classifier: PubSubResponseClassifier(appID: appID),
                clock: clock)
        }
    }
}
