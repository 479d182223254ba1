// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import Stores
import TestSupport

/// A store that is slow enough for the app's backend: while it is asked about a subscription, that is registered again.
struct RequestingStore: Store {
    let appID = ChunkWorld.app
    let kind = StoreKind.appStore
    let refundWatchDays: [Int64] = []
    let database: PostgresConfiguration
    /// What every question ends in; nil: they are answered.
    let failure: StoreFailure?

    func inquiries(for due: [DueSubscription]) -> [Inquiry] { due.map { Inquiry(subscriptions: [$0]) } }

    func ask(_ inquiry: Inquiry, through client: ThrottledClient) async throws(StoreFailure) -> StoreAnswer {
        do {
            let backend = try await PostgresConnection.connect(database)
            for due in inquiry.subscriptions {
                try await backend.script("select subledger.register('acme-ios', '\(due.storeKey.reveal())')")
            }
            await backend.close()
        } catch {
            throw StoreFailure(.credential, reason: "test", message: "\(error)")
        }
        if let failure { throw failure }
        return StoreAnswer(inquiry: inquiry, environment: .production, documents: [], answeredAt: nil)
    }

    func read(_ answer: StoreAnswer) throws(UnreadableAnswer) -> Reading {
        .ended(answer.inquiry)
    }
}
