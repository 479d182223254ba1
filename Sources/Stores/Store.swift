// SPDX-License-Identifier: Apache-2.0

package import Foundations
package import Model

/// Asks a store: how its subscriptions are asked about, what it answers, and which store events it reports.
package protocol StoreClient: Sendable {
    /// Groups a chunk's subscriptions in the units the store is asked about, each once.
    func inquiries(for due: [DueSubscription]) -> [Inquiry]

    /// Asks; every request goes through the throttled client, which paces, retries and counts.
    func ask(_ inquiry: Inquiry, through client: ThrottledClient) async throws(StoreFailure) -> StoreAnswer

    /// What the store says happened to purchases lately, without being asked about one: they are looked at again.
    ///
    /// - Parameter since: where the last look ended; nil the first time.
    /// - Throws: only what stops the app.
    func events(since: Instant?, through client: ThrottledClient) async throws(StoreFailure) -> StoreEvents
}

/// Reads what a store answered, in words every stage knows. Pure: no clock, no I/O.
package protocol StoreReader: Sendable {
    func read(_ answer: StoreAnswer) throws(UnreadableAnswer) -> Reading
}

/// One app's store: its client, its reader, and what is known of it as a whole.
///
/// No stage knows which store it serves; all knowledge of one store lives in its own target.
package protocol Store: StoreClient, StoreReader, Notifying, Examining {
    /// The app this store is asked about, with its credentials and addresses.
    var appID: AppID { get }
    var kind: StoreKind { get }
    /// The charges of this store that are looked at again for refunds, in days after the charge.
    var refundWatchDays: [Int64] { get }
    /// Its notifications report every refund: while an app's can be fetched, no charge is looked at again.
    var reportsRefunds: Bool { get }

    /// The setting that is wrong where most checks come to nothing for this reason; nil where it says nothing of one.
    func suspect(in reason: String) -> SuspectSetting?
}

/// A store with something that is cheaper to ask for many answers at once: a chunk's answers are kept until all are in.
package protocol CompletingStore: Store {
    /// Each answer comes back complete, or as the failure that it turned into. In the order given.
    ///
    /// - Throws: only what stops the app.
    func complete(
        _ answers: [StoreAnswer], through client: ThrottledClient
    ) async throws(StoreFailure) -> [Result<StoreAnswer, StoreFailure>]
}

extension Store {
    /// Some refunds appear in no notification.
    package var reportsRefunds: Bool { false }

    /// No reason points to a setting.
    package func suspect(in reason: String) -> SuspectSetting? { nil }
}

extension StoreClient {
    /// The store reports no events.
    package func events(
        since: Instant?, through client: ThrottledClient
    ) async throws(StoreFailure) -> StoreEvents { StoreEvents(readUntil: nil, items: []) }
}

/// The events that a store reported: purchases to look at again.
package struct StoreEvents: Sendable {
    /// A purchase to look at again, its money included. One that was never registered is left alone.
    package struct Item: Hashable, Sendable {
        package let storeKey: Secret
        /// The transaction that was given back, where the store names it: no new event where we know that already.
        package let transactionID: String?

        package init(storeKey: Secret, transactionID: String?) {
            self.storeKey = storeKey
            self.transactionID = transactionID
        }
    }

    /// The next look begins here; nil where this store reports no events, or could not be read to the end.
    package let readUntil: Instant?
    package let items: [Item]

    package init(readUntil: Instant?, items: [Item]) {
        self.readUntil = readUntil
        self.items = items
    }
}

/// One thing the store is asked about: a subscription, or a receipt that several subscriptions are read from.
package struct Inquiry: Sendable {
    /// The due subscriptions this inquiry is for; never empty.
    package let subscriptions: [DueSubscription]

    package init(subscriptions: [DueSubscription]) { self.subscriptions = subscriptions }
}

/// What the store answered: documents as received. What is signed in them is verified row by row when they are read,
/// so that one bad row does not lose its neighbours.
package struct StoreAnswer: Sendable {
    /// One document of an answer.
    package struct Document: Sendable {
        /// The endpoint's short name (`statuses`, `history`, `verify_receipt`).
        package let endpoint: String
        package let body: [UInt8]
        /// The content of the body, for all readers; nil where it is no JSON.
        package let json: JSONDocument?

        package init(endpoint: String, body: [UInt8]) {
            self.endpoint = endpoint
            self.body = body
            self.json = JSONDocument(body)
        }

        /// The body as that type; nil where it is none.
        package func read<Body: JSONReadable>() -> Body? { json.flatMap(Body.init) }
    }

    package let inquiry: Inquiry
    package let environment: PurchaseEnvironment
    package let documents: [Document]
    /// The store's clock when it answered, for stores whose documents carry none.
    package let answeredAt: Instant?

    package init(inquiry: Inquiry, environment: PurchaseEnvironment, documents: [Document], answeredAt: Instant?) {
        self.inquiry = inquiry
        self.environment = environment
        self.documents = documents
        self.answeredAt = answeredAt
    }
}
