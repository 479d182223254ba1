// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreSimulator

/// Access that ends without money going back.
///
/// January, 7.99, is taken away on the eleventh.
@Suite struct RevocationTests {
    private static let (first, second) = ("100000000000001", "100000000000002")
    private static let at = "2026-01-11T10:00:00Z"

    private static func january(_ extent: Refund.Extent, reason: Int) -> SubscriptionLife {
        Paper.life(
            Paper.january().with { $0.refund = Refund(at: instant(at), extent: extent, reason: reason) })
    }

    /// The bundle includes the premium month, at a price that nobody tells.
    private static var bundle: [SubscriptionLife] {
        var bundle = Paper.life(
            Paper.period(2, at, "2026-02-11T10:00:00Z", product: Paper.premium, price: nil, reason: .purchase))
        bundle.bundle = .init(productID: "com.acme.app.bundle", replaces: first)
        return [january(.upgradedToBundle, reason: Refund.bundleReason), bundle]
    }

    @Test func `a bundle revokes the old, and the new names it`() async throws {
        let customers = Paper.customers(Self.bundle, sales: [])
        try await withStores(customers, clock: "2026-01-15T00:00:00Z") { _, client in
            #expect(try await client.statuses(Self.first).statusByID == [Self.first: 5, Self.second: 1])
            let rows = try await client.history(Self.first).transactions
            let old = try #require(rows.first { $0["transactionId"] as? String == Self.first })
            #expect(old["revocationReason"] as? Int == 2 && old["revocationPercentage"] == nil)
            let new = try #require(rows.first { $0["transactionId"] as? String == Self.second })
            #expect(new["previousOriginalTransactionId"] as? String == Self.first)
            #expect(new["bundleProductId"] as? String == "com.acme.app.bundle" && new["price"] == nil)
            let refunds = try await client.get("/inApps/v2/refund/lookup/\(Self.first)")
            #expect(refunds.transactions.isEmpty)
        }
    }

    /// One line of one customer: what was moves out, what is has no price, and nobody churned.
    @Test func `a bundle replaces and is no churn`() async throws {
        let customers = Paper.customers(Self.bundle, sales: [])
        try await withStores(customers, clock: "2026-01-15T00:00:00Z") { stores, client in
            for id in [Self.first, Self.second] {
                _ = try await client.statuses(id)
                try await client.wholeHistory(id)
            }
            for column in BookColumn.allCases {
                let (books, metrics) = (stores.books, stores.books.metrics(column))
                #expect(books.states(column) == ["expired replaced", "active"])
                #expect(books.subscriptions(column).compactMap(\.linkedTo) == [Self.first])
                let rows = books.transactions(column).sorted { $0.transactionID < $1.transactionID }
                #expect(rows.map(\.kind) == [.purchase, .crossgrade] && rows.map(\.refundKind) == [.revoke, nil])
                #expect(rows.map(\.refundMicros) == [nil, nil])
                #expect(
                    books.sold(column, through: "2026-01-14") == ["2026-01-01 US USD charges 1 7990000 refunds 0 0"])
                #expect(
                    books.churned(column, from: "2026-01-10", through: "2026-01-13")
                        == Books.quiet("01-10", "01-11")
                        + ["2026-01-12 premium.monthly opening 1", "2026-01-13 premium.monthly opening 1"])
                let bridge = metrics.bridge(through: "2026-01-14").filter { !$0.movements.isEmpty }
                #expect(
                    bridge.sorted { $0.date < $1.date }.map(\.movements)
                        == [["new": 7_990_000], ["moved_out": -7_990_000]])
                #expect(metrics.cohorts(through: "2026-01-31").figures("cohort_size") == [1])
            }
            #expect(stores.books.access().map(\.reason) == [.ended, .active])
        }
    }

    /// Who only ever hears of the old one knows that something took its place, not what.
    @Test func `what was replaced is no churn either`() {
        let books = Paper.books(Self.bundle[0], at: "2026-01-15T00:00:00Z")
        #expect(books.churned(from: "2026-01-11", through: "2026-01-13") == Books.quiet("01-11"))
    }

    /// Taken away in a way, or for a reason, that is in no document: access ends and no money is known to move.
    @Test(arguments: [(Refund.Extent.unheardOf(name: "COURTESY_REVOKE"), 0), (.unheardOf(name: nil), 7)])
    func `what nobody knows ends access and books nothing`(extent: Refund.Extent, reason: Int) async throws {
        let life = Self.january(extent, reason: reason)
        try await withStores(Paper.customers(life), clock: "2026-01-15T00:00:00Z") { stores, client in
            #expect(try await client.statuses(Self.first).statusByID == [Self.first: 5])
            let row = try #require(try await client.history(Self.first).transactions.first)
            #expect(row["revocationReason"] as? Int == reason)
            #expect(row["revocationType"] as? String == (reason == 7 ? nil : "COURTESY_REVOKE"))
            #expect(row["revocationPercentage"] == nil)
            for column in BookColumn.allCases {
                let books = stores.books
                #expect(books.states(column) == ["revoked revoke"])
                #expect(books.transactions(column).map(\.refundKind) == [.revoke])
                #expect(books.transactions(column).map(\.refundedAt) == [instant(Self.at)])
                #expect(
                    books.sold(column, through: "2026-01-14") == ["2026-01-01 US USD charges 1 7990000 refunds 0 0"])
                #expect(
                    books.churned(column, from: "2026-01-11", through: "2026-01-13")
                        == ["2026-01-11 monthly opening 1 churned 1 other 1"])
            }
            let refunds = try await client.get("/inApps/v2/refund/lookup/\(Self.first)")
            #expect(refunds.transactions.isEmpty)
        }
    }
}
