// SPDX-License-Identifier: Apache-2.0

package import Model

/// Asks a store: how its subscriptions are asked about, what it answers, and which store events it reports.
package protocol StoreClient: Sendable {
    /// Groups a chunk's subscriptions in the units the store is asked about, each once.
    func inquiries(for due: [DueSubscription]) -> [Inquiry]

    /// Asks; every request goes through the throttled client, which paces, retries and counts.
    func ask(_ inquiry: Inquiry, through client: ThrottledClient) async throws(StoreFailure) -> StoreAnswer

    /// What the store says happened to purchases lately, without being asked about one: they are looked at again.
    ///
    /// `since`: where the last look ended; nil the first time.
    /// Throws only what stops the app.
    func events(since: Instant?, through client: ThrottledClient) async throws(StoreFailure) -> StoreEvents
}

extension StoreClient {
    /// The store reports no events.
    package func events(
        since: Instant?, through client: ThrottledClient
    ) async throws(StoreFailure) -> StoreEvents { StoreEvents(readUntil: nil, items: []) }
}
