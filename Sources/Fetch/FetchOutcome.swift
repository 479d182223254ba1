// SPDX-License-Identifier: Apache-2.0

package import Stores

/// What became of one inquiry: the store's answer as it was read, or why there is none.
package struct FetchOutcome: Sendable {
    package let inquiry: Inquiry
    package let result: Result<ReadAnswer, StoreFailure>

    init(_ received: ReceivedAnswer, readBy reader: any StoreReader) {
        inquiry = received.inquiry
        result = received.result.map { ReadAnswer($0, by: reader) }
    }
}

/// What became of one inquiry before its answer was read.
struct ReceivedAnswer: Sendable {
    let inquiry: Inquiry
    let result: Result<StoreAnswer, StoreFailure>

    /// The length of its documents.
    var byteSize: Int { (try? result.get())?.documents.reduce(0) { $0 + $1.body.count } ?? 0 }
}

/// What became of a chunk's inquiries.
package typealias FetchedChunk = Fetched<FetchOutcome>

/// What became of a chunk's inquiries, in the form in which each was taken.
package struct Fetched<Taken: Sendable>: Sendable {
    /// In the order of the inquiries; those that `stopped` cut off are not among them.
    package let outcomes: [Taken]
    /// Why the app stopped before all had been asked. Nothing is to be booked for the rest: they stay due.
    package let stopped: StoreFailure?
    /// Those of which nothing came because of the limit in bytes; none where the app stopped.
    package let remaining: [Inquiry]

    package init(outcomes: [Taken], stopped: StoreFailure?, remaining: [Inquiry] = []) {
        self.outcomes = outcomes
        self.stopped = stopped
        self.remaining = remaining
    }
}
