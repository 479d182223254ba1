// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Stores
import TestSupport
import Transform

@testable import GooglePlay

/// One purchase night after night, from the store's documents to booked rows: what a night leaves is what the next one
/// knows.
struct PlayNights {
    let api: GooglePlayConfiguration.API
    var token = "token-1"
    private(set) var transactions: [CanonicalTransaction] = []
    private(set) var snapshot = SubscriptionSnapshot()
    private(set) var nextCheck: NextCheck?
    /// Of the last night that reported the purchase's state.
    private(set) var steps: [StateStep] = []
    private(set) var occurredAt: Instant?
    /// What it waits for.
    private(set) var awaited: [AwaitedOrder] = []
    /// What the last night set aside.
    private(set) var setAside: [SetAside] = []
    /// What the last night counted as odd.
    private(set) var unknownValues: [String: Int64] = [:]

    init(_ api: GooglePlayConfiguration.API, token: String = "token-1") {
        self.api = api
        self.token = token
    }

    /// Asks at that instant; the documents are what the store answers.
    mutating func night(
        _ now: String, _ subscription: Object, orders: [Object] = [], linked: [Object] = []
    ) throws {
        let instant = Play.time(now)
        let documents =
            [Play.document("subscription", subscription)] + linked.map { Play.document("linked_subscription", $0) }
            + orders.map { Play.document("order", $0) }
        let store = UnwatchedStore(store: try Play.store(Play.configuration(api: api), readAt: instant))
        let due = Play.due(token, snapshot: snapshot, known: transactions.map(KnownPeriod.init), awaited: awaited)
        var rows = ChunkRows()
        let answer = StoreAnswer(
            inquiry: Inquiry(subscriptions: [due]), environment: .production, documents: documents, answeredAt: instant)
        TransformStage(store: store, now: instant, defaultCountry: nil)
            .rows(for: ReadAnswer(answer, by: store), into: &rows)
        rows.deduplicate()
        persist(rows, of: due)
    }

    private mutating func persist(_ rows: ChunkRows, of due: DueSubscription) {
        for row in rows.transactions where row.key == due.key {
            transactions.removeAll { $0.transactionID == row.transactionID && $0.productID == row.productID }
            transactions.append(row)
        }
        transactions.sort { $0.start < $1.start }
        unknownValues = rows.unknownValues
        setAside = rows.setAside
        awaited = rows.awaited[due.key] ?? awaited
        guard let row = rows.subscriptions.first(where: { $0.key == due.key }) else { return }
        (snapshot, nextCheck, steps, occurredAt) = (row.snapshot, row.nextCheck, row.steps, row.occurredAt)
    }

    /// Begin, kind and end of each row.
    var booked: [String] {
        transactions.map { row in
            "\(row.start.day) \(row.kind) \(row.end?.day ?? "-")"
        }
    }
}

extension Instant {
    /// `2026-03-01`; the time beside it where it is not midnight.
    var day: String { iso8601.replacing("T00:00:00Z", with: "") }
}
