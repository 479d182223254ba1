// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Testing

@testable import Transform

/// A purchase and the one that replaced it, answered in one chunk: the second one states whether the first was cut short.
@Suite struct SupersededTests {
    private static func row(isUpgraded: Bool, states: Bool, isSeenIndirectly: Bool) -> CanonicalTransaction {
        var row = CanonicalTransaction(
            key: lineKey, lineageKey: lineKey, appID: app, store: .googlePlay, environment: .production,
            facts: PeriodFacts(
                transactionID: "T0", periodKey: "T0", productID: "monthly", purchasedAt: day(0), start: day(0),
                end: day(30), isUpgraded: isUpgraded, priceMicros: 9_990_000, currency: "USD"),
            sale: SaleFacts(
                originalTransactionID: "T0", priceSource: .storeOrder, sourceVersion: day(isSeenIndirectly ? 9 : 10)),
            kind: .purchase)
        (row.sale.statesUpgrade, row.isSeenIndirectly) = (states, isSeenIndirectly)
        return row
    }

    @Test(arguments: [true, false])
    func `B7: what the later purchase says of it counts, whichever answer came first`(isUpgraded: Bool) {
        let own = Self.row(isUpgraded: !isUpgraded, states: false, isSeenIndirectly: false)
        let seen = Self.row(isUpgraded: isUpgraded, states: true, isSeenIndirectly: true)
        for transactions in [[own, seen], [seen, own]] {
            var rows = ChunkRows()
            rows.transactions = transactions
            rows.deduplicate()
            #expect(rows.transactions.map(\.isUpgraded) == [isUpgraded])
            #expect(rows.transactions.map(\.statesUpgrade) == [true])
            #expect(rows.transactions.map(\.isSeenIndirectly) == [false])
        }
    }
}
