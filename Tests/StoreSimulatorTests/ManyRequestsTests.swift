// SPDX-License-Identifier: Apache-2.0

import HTTP
import Testing

@testable import StoreSimulator

/// The length of a whole night on one connection: it is dropped neither for its age nor for its use.
@Suite struct ManyRequestsTests {
    private static let requests = 2_000

    @Test(arguments: [HTTPVersion.http2, .http1])
    func `two thousand requests of one client are all answered`(version: HTTPVersion) async throws {
        try await withStores(Paper.customers(Paper.life(Paper.january())), clock: "2026-01-05T00:00:00Z") {
            stores, first in
            let client = try StoreClient(
                stores, app: Paper.app, directory: first.directory, version: version, maximumConnections: 1)
            let token = try client.token.text()
            let answers = try await withThrowingTaskGroup(of: StoreClient.Answer.self) { group in
                for _ in 0..<Self.requests {
                    group.addTask { try await client.get("/inApps/v1/subscriptions/100000000000001", bearer: token) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count == Self.requests)
            #expect(answers.allSatisfy { $0.status == 200 && $0.version == version && $0.entries.count == 1 })
            #expect(stores.quotas.counters.requests == ["statuses": Self.requests])
            await client.http.shutdown()
        }
    }
}
