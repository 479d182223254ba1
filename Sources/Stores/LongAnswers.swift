// SPDX-License-Identifier: Apache-2.0

import Foundations
import Synchronization

/// Bounds how many answers of a round are long at once: a history may be of any length, many may be under way, and none is read
/// before it is whole, as periods are placed by what comes before them.
///
/// An answer is long from its fifth request on. Where the round has no room left, those that wait are given up: they are asked
/// for again when what the round came to is loaded.
package final class LongAnswers: Sendable {
    static let limit = 8
    /// What the present state and a few pages of a history take.
    static let shortRequests = 4

    /// What the inquiry of this task takes of it; nil where long answers are not counted.
    @TaskLocal package static var share: Share?

    private let permits = AsyncSemaphore(limit)
    private let isClosed = Atomic<Bool>(false)

    package init() {}

    /// How many wait now.
    var waiting: Int { permits.waiting }

    package func share() -> Share { Share(of: self) }

    /// No answer becomes long from now on.
    package func close() { isClosed.store(true, ordering: .relaxed) }

    /// One inquiry's part in it.
    package final class Share: Sendable {
        private let all: LongAnswers
        private let requests = Atomic<Int>(0)
        private let isLong = Atomic<Bool>(false)

        fileprivate init(of all: LongAnswers) { self.all = all }

        /// Before each request: waits where too many answers are long.
        ///
        /// - Throws: `.givenUp`, or that the run was interrupted.
        func claim() async throws(StoreFailure) {
            let number = requests.add(1, ordering: .relaxed).newValue
            guard number > LongAnswers.shortRequests, !isLong.load(ordering: .relaxed) else { return }
            guard await all.permits.acquire() else { throw .interrupted }
            guard !all.isClosed.load(ordering: .relaxed) else {
                all.permits.release()
                throw .givenUp
            }
            isLong.store(true, ordering: .relaxed)
        }

        /// The answer is read, or given up.
        package func release() {
            if isLong.exchange(false, ordering: .relaxed) { all.permits.release() }
        }
    }
}

extension StoreFailure {
    private static let reasonGivenUp = "no_room_for_answer"

    fileprivate static let givenUp = StoreFailure(
        .transient, reason: reasonGivenUp, message: "There was no room left for the rest of the answer.")

    /// Nothing came of the inquiry, and nothing is wrong with it: it is to be made again.
    package var isGivenUp: Bool { reason == Self.reasonGivenUp }
}
