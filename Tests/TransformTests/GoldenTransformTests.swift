// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing
import Transform

/// What others got wrong about the stores' rows.
@Suite struct GoldenTransformTests {
    @Test func `Golden: Google's end before its start is set aside, and its neighbours are booked (RevenueCat)`() {
        // Day 30 to day 29: the order says that its service ended the day before it began.
        var wrong = period(30)
        wrong.facts.end = day(29)
        let rows = rows(
            reading(observation([period(0), wrong, period(60)], status(.active, expires: 90, version: day(61)))),
            now: day(61), kind: .googlePlay)
        #expect(rows.setAside.map(\.reason) == ["period_ends_before_start"])
        #expect(
            rows.setAside.map(\.detail) == [
                "Transaction T30 ends (2026-01-30T10:00:00Z) before it starts (2026-01-31T10:00:00Z)."
            ])
        #expect(rows.transactions.map(\.transactionID) == ["T0", "T60"])
        #expect(rows.subscriptions.map(\.snapshot.state) == [.active])
    }
}
