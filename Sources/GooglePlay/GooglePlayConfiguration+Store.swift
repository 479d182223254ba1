// SPDX-License-Identifier: Apache-2.0

package import Model
package import Stores

extension GooglePlayConfiguration {
    /// The rate at which the store answers one project at its common endpoints (3,000 a minute), in requests a second:
    /// what a configured `requests_per_second` is a share of.
    package static let publishedRequestsPerSecond = 50.0

    /// A notification as people may read it (`Notifying`), whichever of its apps it is about: nothing is verified.
    package static func readable(_ notification: RawNotification) -> [UInt8]? {
        NotificationText.readable(notification)
    }

    /// Keeps this credential's access token fresh; apps that share a credential share it.
    ///
    /// `client`: what tokens are asked through, with pauses and three attempts of its own: it must not be one that a
    /// store is asked through, whose requests wait for these tokens.
    /// `clock`: the wall clock, whatever the logical now is.
    /// Throws `credential`, with what to correct, when the service account's file cannot be used.
    package func tokens(
        through client: ThrottledClient, clock: @escaping @Sendable () -> Instant = { .wallClock }
    ) throws(StoreFailure) -> AccessTokens {
        let endpoint = try TokenEndpoint(self, client: client, clock: clock)
        return AccessTokens(clock: clock) { () async throws(StoreFailure) in try await endpoint.issue() }
    }

    /// The store this app is read through, for one run.
    ///
    /// `readAt`: the run's logical now: by it a purchase is classified as running or over, and answers are dated.
    /// `pubSubTokens`: what notifications are fetched with; nil: they are not.
    /// `clock`: the wall clock: waits live by it.
    package func store(
        readAt: Instant, tokens: AccessTokens, pubSubTokens: AccessTokens? = nil,
        clock: @escaping @Sendable () -> Instant = { .wallClock }
    ) -> any Store {
        PlayStore(
            self, readAt: readAt, tokens: tokens, pubSub: pubSubTokens.flatMap { pubSub(with: $0, clock: clock) },
            clock: clock)
    }
}
