// SPDX-License-Identifier: Apache-2.0

import HTTP
import Testing

@testable import StoreSimulator

/// Refund history, transaction info, and what a history can be asked for.
@Suite struct ServerLookupTests {
    private static let first = "100000000000001"

    /// January refunded and given back, February refunded; the family's share of another subscription withdrawn.
    private static var customers: [CustomerLife] {
        let refund = Refund(at: instant("2026-02-05T08:00:00Z"), extent: .full)
        let own = Paper.life(
            Paper.january().with {
                $0.refund = refund
                $0.refundChanges = [.init(at: instant("2026-02-09T08:00:00Z"), nil)]
            }, Paper.february().with { $0.refund = refund })
        let shared = Paper.life(
            Paper.period(7, "2026-01-03T10:00:00Z", "2026-02-03T10:00:00Z", reason: .purchase).with {
                $0.refund = Refund(at: instant("2026-01-20T08:00:00Z"), extent: .familyRevoke)
            }, ownership: .familyShared)
        return Paper.customers([own, shared], sales: [Paper.sale(8)])
    }

    @Test func `refund history holds what is given back`() async throws {
        try await withStores(Self.customers, clock: "2026-02-06T00:00:00Z") { stores, client in
            let path = "/inApps/v2/refund/lookup/\(Self.first)"
            let both = try await client.get(path)
            #expect(both.transactionIDs == [Self.first, "100000000000002"] && both.hasMore == false)
            #expect(both.transactions.allSatisfy { $0["revocationDate"] as? Int == 1_770_278_400_000 })
            #expect(stores.books.told.map(\.refundMicros) == [7_990_000, 7_990_000])
            let revision = URLPath.encode(segment: both.revision ?? "")
            #expect(try await client.get(path + "?revision=" + revision).transactionIDs.isEmpty)
            stores.setClock(instant("2026-02-10T00:00:00Z"))
            #expect(try await client.get(path).transactionIDs == ["100000000000002"])
            #expect(try await client.get("/inApps/v2/refund/lookup/999").errorCode == 4_040_010)
            #expect(try await client.get("/inApps/v2/refund/lookup/x").errorCode == 4_000_006)
            #expect(try await client.get(path + "?revision=none").errorCode == 4_000_005)
        }
    }

    @Test func `transaction info is one row`() async throws {
        try await withStores(Self.customers, clock: "2026-02-06T00:00:00Z") { stores, client in
            let answer = try await client.get("/inApps/v1/transactions/100000000000008")
            let row = payload(try #require(answer.json["signedTransactionInfo"] as? String))
            #expect(row["transactionId"] as? String == "100000000000008" && row["price"] as? Int == 4_000)
            #expect(stores.books.told.map(\.kind) == [.oneTime])
            #expect(try await client.get("/inApps/v1/transactions/999").errorCode == 4_040_010)
            #expect(try await client.get("/inApps/v1/transactions/x").errorCode == 4_000_006)
            #expect(stores.quotas.counters.requests["transaction_info"] == 3)
        }
    }

    /// Twenty rows are the most that a page holds; a reader counts on no number.
    @Test func `a page may hold a single row`() async throws {
        var customers = Self.customers
        customers[0].historyPage = 1
        try await withStores(customers, clock: "2026-02-06T00:00:00Z") { stores, client in
            var (revision, pages): (String?, [[String]]) = (nil, [])
            for _ in 0..<4 {
                let page = try await client.history(Self.first, revision: revision)
                #expect(page.hasMore == (pages.count < 3))
                pages.append(page.transactionIDs)
                revision = page.revision
                #expect(stores.books.told.count == pages.count)
            }
            #expect(pages == [8, 7, 1, 2].map { [String(100_000_000_000_000 + $0)] })
        }
    }

    @Test func `a history is sorted and filtered`() async throws {
        try await withStores(Self.customers, clock: "2026-02-06T00:00:00Z") { _, client in
            // By the last change: the sale on 2 January, the withdrawal on the 20th, both refunds on 5 February.
            let ids = [8, 7, 1, 2].map { String(100_000_000_000_000 + $0) }
            let asked: [(String, [String])] = [
                ("sort=ASCENDING", ids), ("sort=DESCENDING", ids.reversed()),
                ("revoked=false", [ids[0]]), ("revoked=true&productType=AUTO_RENEWABLE", Array(ids[1...])),
                ("productType=CONSUMABLE&productType=NON_CONSUMABLE", [ids[0]]),
                ("productId=com.acme.app.monthly", Array(ids[1...])), ("subscriptionGroupIdentifier=21000002", []),
            ]
            for (query, expected) in asked {
                let answer = try await client.get("/inApps/v2/history/\(Self.first)?\(query)")
                #expect(answer.transactionIDs == expected, "\(query)")
            }
            for (query, code) in [("sort=UP", 4_000_021), ("productType=X", 4_000_022), ("revoked=maybe", 4_000_030)] {
                #expect(try await client.get("/inApps/v2/history/\(Self.first)?\(query)").errorCode == code)
            }
        }
    }

    /// Refunds are looked up at a fifth of the rate; the sandbox has a tenth of any.
    @Test func `endpoints have quotas of their own`() async throws {
        #expect(
            Quotas.Limit.appStorePublished["refund_history"]?.map { Int64($0.requests) / $0.seconds } == [10])
        let testers = Paper.customers(Paper.life(Paper.january()), environment: .sandbox)
        try await withStores(
            testers, clock: "2026-01-05T00:00:00Z", { $0.quota = Quotas.Limit(requests: 20, seconds: 600) }
        ) { try await Self.expectTenths($0, $1) }
    }

    private static func expectTenths(_ stores: SimulatedStores, _ client: StoreClient) async throws {
        for expected in [200, 200, 429] {
            #expect(try await client.statuses(first, sandbox: true).status == expected)
        }
        #expect(try await client.statuses(first).status == 404)
        stores.quotas.setLimits([Quotas.Limit(requests: 10, seconds: 600)], at: "refund_history")
        let path = "/sandbox/inApps/v2/refund/lookup/\(first)"
        #expect(try await client.get(path).status == 200)
        #expect(try await client.get(path).status == 429)
    }
}
