// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Logging
import Model
import Stores
import Synchronization
import TestSupport
import Testing

@testable import Fetch

/// Asks a real server for six pages of whatever is named.
private struct PagesStore: Store {
    static let endpoint = Endpoint(name: "page", publishedRate: 10_000)

    let url: String
    let appID = AppID("acme")
    let kind = StoreKind.appStore
    let refundWatchDays: [Int64] = []

    func inquiries(for due: [DueSubscription]) -> [Inquiry] { due.map { Inquiry(subscriptions: [$0]) } }

    func ask(_ inquiry: Inquiry, through client: ThrottledClient) async throws(StoreFailure) -> StoreAnswer {
        var documents: [StoreAnswer.Document] = []
        for page in 1...6 {
            let name = inquiry.subscriptions[0].storeKey.reveal()
            let request = HTTPRequest(url: "\(url)/\(name)/\(page)", route: "/{id}/{page}")
            let response = try await client.send(request, to: Self.endpoint) { _ in .accept }
            documents.append(StoreAnswer.Document(endpoint: "page", body: response.body))
        }
        return StoreAnswer(inquiry: inquiry, environment: .production, documents: documents, answeredAt: nil)
    }

    func read(_ answer: StoreAnswer) throws(UnreadableAnswer) -> Reading { Reading(observations: [], archive: []) }
}

/// Twenty answers of six pages of a hundred bytes, all under way at once: each is long from its fifth page on.
@Suite(.hangLimit) struct LongAnswerFetchTests {
    /// What a round came to: names with their pages, and the names that remain.
    private struct Round {
        let pages: [String: Int]
        let remaining: [String]
    }

    private func fetch(_ names: [String], from server: LoopbackServer, byteLimit: Int) async throws -> Round {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let client = ThrottledClient(
            client: HTTPClient(HTTPClientConfiguration(version: .http1, maximumConnectionsPerHost: 64), logger: logger),
            appID: AppID("acme"),
            quota: Quota(Pace(requestsPerSecond: 10_000, published: 10_000)), maxInFlight: 64,
            budget: SharedRetryBudget(), logger: logger)
        let stage = FetchStage(
            store: PagesStore(url: server.url), client: client, maxInFlight: 20, byteLimit: byteLimit, logger: logger)
        let fetched = await stage.fetch(
            names.map { name in
                DueSubscription(
                    key: SubscriptionKey(1), lineageKey: SubscriptionKey(1), appID: AppID("acme"),
                    storeKey: Secret(name), environment: nil, accountID: nil, productID: nil, country: nil,
                    snapshot: SubscriptionSnapshot(), historyCursor: nil, receipt: nil, known: [])
            }, taking: { $0 },
            byteSize: { outcome in
                (try? outcome.result.get())?.answer.documents.reduce(0) { $0 + $1.body.count } ?? 0
            })
        #expect(fetched.stopped == nil)
        return Round(
            pages: Dictionary(
                uniqueKeysWithValues: try fetched.outcomes.map { outcome in
                    (
                        outcome.inquiry.subscriptions[0].storeKey.reveal(),
                        try outcome.result.get().answer.documents.count
                    )
                }),
            remaining: fetched.remaining.map { $0.subscriptions[0].storeKey.reveal() })
    }

    private let names = (10..<30).map(String.init)
    private let page = String(repeating: "x", count: 100)

    @Test func `eight of them are long at once, and all become whole`() async throws {
        let long = Mutex((now: 0, most: 0))
        let server = try LoopbackServer { [page] request, _ in
            guard request.path.hasSuffix("/5") || request.path.hasSuffix("/6") else { return .init(200, page) }
            long.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            Thread.sleep(forTimeInterval: 0.02)
            long.withLock { $0.now -= 1 }
            return .init(200, page)
        }
        let round = try await fetch(names, from: server, byteLimit: .max)
        #expect(round.pages == Dictionary(uniqueKeysWithValues: names.map { ($0, 6) }))
        #expect(round.remaining.isEmpty)
        #expect((1...8).contains(long.withLock { $0.most }))
    }

    /// The fourth whole one fills the round: of the others those become whole that are long by then.
    @Test func `an answer is whole or none: those that have no room remain, in their order, and come in a later round`()
        async throws
    {
        let server = try LoopbackServer { [page] request, _ in
            let isLong = request.path.hasSuffix("/5") || request.path.hasSuffix("/6")
            return .init(200, page, delay: .milliseconds(isLong ? 50 : 1))
        }
        var (open, whole, rounds) = (names, Set<String>(), 0)
        while !open.isEmpty {
            let round = try await fetch(open, from: server, byteLimit: 2_400)
            #expect(round.pages.values.allSatisfy { $0 == 6 })
            #expect(round.pages.count >= min(4, open.count))
            #expect(round.remaining == open.filter { round.pages[$0] == nil })
            whole.formUnion(round.pages.keys)
            (open, rounds) = (round.remaining, rounds + 1)
        }
        #expect(whole == Set(names))
        #expect(rounds > 1)
    }
}
