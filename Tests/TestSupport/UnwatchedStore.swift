// SPDX-License-Identifier: Apache-2.0

package import Model
package import Stores

/// A store whose charges are not watched: the next check is the one that the state asks for.
package struct UnwatchedStore: Store {
    private let store: any Store
    package var appID: AppID { store.appID }
    package var kind: StoreKind { store.kind }
    package var refundWatchDays: [Int64] { [] }

    package init(store: any Store) { self.store = store }

    package func inquiries(for due: [DueSubscription]) -> [Inquiry] { store.inquiries(for: due) }

    package func ask(_ inquiry: Inquiry, through client: ThrottledClient) async throws(StoreFailure) -> StoreAnswer {
        try await store.ask(inquiry, through: client)
    }

    package func read(_ answer: StoreAnswer) throws(UnreadableAnswer) -> Reading { try store.read(answer) }

    package func examine(_ purchase: SubmittedPurchase) -> Examination { store.examine(purchase) }

    package func refusal(for failure: StoreFailure, afterAttempts attempts: Int) -> PurchaseRefusal? {
        store.refusal(for: failure, afterAttempts: attempts)
    }
}
