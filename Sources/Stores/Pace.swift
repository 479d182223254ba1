// SPDX-License-Identifier: Apache-2.0

/// How much of a store's published rates this program takes, the same share of every endpoint.
package struct Pace: Hashable, Sendable {
    /// 1 is all of it; more only where the owner configured so.
    package let share: Double
    /// How many requests may leave at once after a pause, at every endpoint.
    private let burst: Int

    /// The share that makes `requestsPerSecond` of an endpoint whose published rate is `published`.
    package init(requestsPerSecond: Double, published: Double, burst: Int = 1) {
        self.share = requestsPerSecond / max(published, 0.01)
        self.burst = burst
    }

    /// Requests a second at this endpoint.
    package func rate(of endpoint: Endpoint) -> Double { endpoint.publishedRate * share }

    /// How many requests may leave at once after a pause: a second's worth, so that what a busy moment lost is made up
    /// for, where a twentieth of the published rate is left to others.
    ///
    /// A store that counts half a minute or more then counts no more than it allows. Elsewhere a millisecond's worth:
    /// timers are no finer.
    package func burst(of endpoint: Endpoint) -> Int {
        let rate = rate(of: endpoint)
        return max(burst, Int(share <= 0.95 ? rate : rate / 1_000))
    }
}
