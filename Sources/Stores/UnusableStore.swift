// SPDX-License-Identifier: Apache-2.0

package import Model

/// Stands in for the store of an app that cannot be asked about, because one of its files cannot be used.
///
/// Jobs stop the app by its refusal before they ask; whoever asks all the same gets that, too.
package struct UnusableStore: Store {
    package let appID: AppID
    package let kind: StoreKind
    package let failure: StoreFailure

    package init(of appID: AppID, at kind: StoreKind, because failure: StoreFailure) {
        (self.appID, self.kind, self.failure) = (appID, kind, failure)
    }

    package var refusal: StoreFailure? { failure }

    package var refundWatchDays: [Int64] { [] }

    package func inquiries(for due: [DueSubscription]) -> [Inquiry] { due.map { Inquiry(subscriptions: [$0]) } }

    package func ask(_ inquiry: Inquiry, through client: ThrottledClient) async throws(StoreFailure) -> StoreAnswer {
        throw failure
    }

    package func events(
        since: Instant?, through client: ThrottledClient
    ) async throws(StoreFailure) -> StoreEvents { throw failure }

    package func read(_ answer: StoreAnswer) throws(UnreadableAnswer) -> Reading {
        throw UnreadableAnswer(reason: failure.reason, message: failure.message)
    }

    package func examine(_ purchase: SubmittedPurchase) -> Examination { .undecided(failure) }
}
