// SPDX-License-Identifier: Apache-2.0

import Model

/// How much of a chunk is read at once: a purchase may have years of periods, and what is known of five hundred such
/// would take more memory than their answers.
///
/// A usual chunk is read in three batches, the first one small: it shows how much is known.
struct KnownReading {
    /// Subscriptions of the first batch, and of more where a single receipt fills the room.
    private static let firstBatch = 50
    /// No further batch is read from so many periods on, some 20 MB while they come and six of them afterwards.
    private static let periodLimit = 20_000

    private(set) var due: [DueSubscription] = []
    private(set) var unread: [SubscriptionKey]
    private var read = 0
    private var periods = 0

    init(_ keys: [SubscriptionKey]) { unread = keys }

    /// The keys to read next; nil when there is nothing left, or no room for more.
    mutating func next() -> [SubscriptionKey]? {
        guard !unread.isEmpty, periods < Self.periodLimit || isOfOneReceipt else {
            returnLastReceipt()
            return nil
        }
        let batch = Array(unread.prefix(batchSize))
        unread.removeFirst(batch.count)
        read += batch.count
        return batch
    }

    mutating func add(_ batch: [DueSubscription]) {
        due += batch
        periods += batch.reduce(0) { $0 + $1.known.count + $1.knownEarlier.count }
    }

    /// As many as there is room for, if the others are like those that were read; four times as many as these at most, as new
    /// ones, of which nothing is known, may precede old ones.
    private var batchSize: Int {
        let room = Self.periodLimit - periods
        guard read > 0, room > 0 else { return Self.firstBatch }
        return min(max(room * read / max(periods, 1), 1), 4 * read)
    }

    private var isOfOneReceipt: Bool {
        guard let receipt = due.first?.receipt?.id else { return false }
        return due.allSatisfy { $0.receipt?.id == receipt }
    }

    /// The subscriptions of a receipt are asked together: where not all were read, none is asked yet.
    private mutating func returnLastReceipt() {
        guard !unread.isEmpty, let receipt = due.last?.receipt?.id, !isOfOneReceipt else { return }
        // Those at the end alone: one that was registered with it since the plan may precede others.
        let count = due.reversed().prefix { $0.receipt?.id == receipt }.count
        unread = due.suffix(count).map(\.key) + unread
        due.removeLast(count)
    }
}
