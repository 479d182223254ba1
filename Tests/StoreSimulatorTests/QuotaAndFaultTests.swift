// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Testing

@testable import StoreSimulator

/// What goes wrong on request or by rule, and that the books count no answer that nobody can use.
@Suite struct QuotaAndFaultTests {
    private static let first = "100000000000001"
    private static let customers = Paper.customers(
        Paper.life(Paper.january().with { $0.ending = .expires(.voluntary) }))

    @Test func `over the quota comes a 429 with an absolute time`() async throws {
        try await withStores(
            Self.customers, clock: "2026-01-05T00:00:00Z", { $0.quota = Quotas.Limit(requests: 2, seconds: 600) }
        ) { stores, client in
            let before = Int64(Date().timeIntervalSince1970 * 1_000)
            #expect(try await client.statuses(Self.first).status == 200)
            #expect(try await client.statuses(Self.first).status == 200)
            let refused = try await client.statuses(Self.first)
            let after = Int64(Date().timeIntervalSince1970 * 1_000)
            #expect(refused.status == 429 && refused.errorCode == 4_290_000)
            // A window after the first of the two that filled it, to the millisecond.
            let retryAt = try #require(Int64(refused.headers["retry-after"] ?? ""))
            #expect((before + 600_001...after + 600_001).contains(retryAt))
            #expect(try await client.history(Self.first).status == 200)
            #expect(stores.quotas.counters.requests == ["statuses": 3, "history": 1])
            #expect(stores.quotas.counters.refused == 1)
            stores.quotas.setLimit(Quotas.Limit(requests: 3, seconds: 600))
            #expect(try await client.statuses(Self.first).status == 200)
            #expect(try await client.statuses(Self.first).status == 429)
        }
    }

    @Test func `answers that nobody can use disclose nothing`() async throws {
        let wrongs: [(Faults.Kind, @Sendable (StoreClient.Answer) -> Bool)] = [
            (.emptyServerError, { $0.status == 500 && $0.body.isEmpty }),
            (.retryableServerError, { $0.status == 500 && $0.errorCode == 5_000_001 }),
            (.tooMany, { $0.status == 429 && $0.headers["retry-after"] != nil }),
            (.unauthorized, { $0.status == 401 && $0.body.isEmpty }),
            (.truncated, { $0.status == 200 && $0.body.count > 1_000 && $0.json.isEmpty }),
            (.malformed, { $0.status == 200 && !$0.body.isEmpty && $0.json.isEmpty }),
        ]
        try await withStores(Self.customers, clock: "2026-01-05T00:00:00Z") { stores, client in
            for (kind, isRight) in wrongs {
                stores.faults.plan(kind, times: 1, at: "statuses")
                stores.faults.plan(kind, times: 1, at: "history")
                for answer in [try await client.statuses(Self.first), try await client.history(Self.first)] {
                    #expect(isRight(answer), "\(kind): \(answer.status), \(answer.body.count) bytes")
                }
                #expect(stores.books.told.isEmpty && stores.books.subscriptions(.disclosed).isEmpty, "\(kind)")
            }
            #expect(stores.quotas.counters.requests == ["statuses": wrongs.count, "history": wrongs.count])
            #expect(try await client.statuses(Self.first).status == 200)
            #expect(stores.books.states(.disclosed) == ["active"])
        }
    }

    @Test func `a status nobody knows leaves the state as it was`() async throws {
        try await withStores(Self.customers, clock: "2026-01-05T00:00:00Z") { stores, client in
            stores.faults.plan(.unknownStatus, times: 1, at: "statuses")
            #expect(try await client.statuses(Self.first).statusByID == [Self.first: 9])
            #expect(stores.books.states(.disclosed) == ["unverified"] && stores.books.told.count == 1)
            _ = try await client.statuses(Self.first)
            #expect(stores.books.states(.disclosed) == ["active"])
            stores.setClock(instant("2026-02-03T00:00:00Z"))
            stores.faults.plan(.unknownStatus, times: 1, at: "statuses")
            _ = try await client.statuses(Self.first)
            #expect(stores.books.states(.disclosed) == ["active"])
            _ = try await client.statuses(Self.first)
            #expect(stores.books.states(.disclosed) == ["expired voluntary"])
        }
    }

    @Test func `planned faults come in their order and are forgotten on demand`() async throws {
        try await withStores(Self.customers, clock: "2026-01-05T00:00:00Z") { stores, client in
            stores.faults.plan(.emptyServerError, times: 2, at: "statuses")
            stores.faults.plan(.unauthorized, times: 5, at: "statuses")
            var seen: [Int] = []
            for _ in 0..<4 { seen.append(try await client.statuses(Self.first).status) }
            stores.faults.clear()
            seen.append(try await client.statuses(Self.first).status)
            #expect(seen == [500, 500, 401, 401, 200])
            #expect(try await client.history(Self.first).status == 200)
        }
    }
}
