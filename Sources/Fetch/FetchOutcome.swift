// SPDX-License-Identifier: Apache-2.0

package import Stores

/// What became of one inquiry: the store's answer, or why there is none.
package struct FetchOutcome: Sendable {
    package let inquiry: Inquiry
    package let result: Result<StoreAnswer, StoreFailure>

    package init(inquiry: Inquiry, result: Result<StoreAnswer, StoreFailure>) {
        self.inquiry = inquiry
        self.result = result
    }
}

/// What became of a chunk's inquiries.
package typealias FetchedChunk = Fetched<FetchOutcome>

/// What became of a chunk's inquiries, in the form in which each was taken.
package struct Fetched<Taken: Sendable>: Sendable {
    /// In the order of the inquiries; those that `stopped` cut off are not among them.
    package let outcomes: [Taken]
    /// Why the app stopped before all had been asked. Nothing is to be booked for the rest: they stay due.
    package let stopped: StoreFailure?

    package init(outcomes: [Taken], stopped: StoreFailure?) {
        self.outcomes = outcomes
        self.stopped = stopped
    }
}
