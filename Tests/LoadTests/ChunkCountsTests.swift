// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Testing

/// What of a chunk's checks was answered: RULINGS §8.
@Suite struct ChunkCountsTests {
    @Test(arguments: [
        (NextCheck.FailureKind.transient, "timed_out", 0), (.refusedForNow, "status_21002", 1),
        (.refusedForNow, "http_500", 0), (.notFound, "not_found", 1),
    ])
    func `a word of the store's own is an answer, a server error without one is none`(
        kind: NextCheck.FailureKind, reason: String, answered: Int64
    ) {
        var rows = ChunkRows()
        rows.failures = [
            FailedCheck(
                key: SubscriptionKey(1), kind: kind, reason: reason, message: "m", failures: 1,
                nextCheck: NextCheck(at: nil, reason: .never))
        ]
        #expect(rows.counts["answered"] == answered && rows.counts["unread"] == 1)
    }
}
