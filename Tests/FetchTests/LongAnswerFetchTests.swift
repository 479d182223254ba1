// SPDX-License-Identifier: Apache-2.0

import HTTP
import Logging
import Model
import Stores
import Testing

@testable import Fetch

/// A store whose answers have so many parts of a hundred bytes: it asks nobody.
private struct PartsStore: PartwiseStore {
    let parts: Int
    let appID = AppID("acme")
    let kind = StoreKind.appStore
    let refundWatchDays: [Int64] = []

    func inquiries(for due: [DueSubscription]) -> [Inquiry] { due.map { Inquiry(subscriptions: [$0]) } }

    func ask(
        _ inquiry: Inquiry, through client: ThrottledClient, into buffer: AnswerBuffer.Share
    ) async throws(StoreFailure) -> StoreAnswer {
        guard inquiry.subscriptions[0].storeKey.reveal() != "broken" else {
            buffer.hold(1_000)
            throw StoreFailure(.transient, reason: "broken", message: "It broke off.")
        }
        var documents: [StoreAnswer.Document] = []
        repeat {
            documents.append(StoreAnswer.Document(endpoint: "part", body: Array(repeating: 0x78, count: 100)))
            buffer.hold(100)
        } while documents.count < parts && !buffer.isFull
        return StoreAnswer(
            inquiry: inquiry, environment: .production, documents: documents, answeredAt: nil,
            partsSoFar: documents.count < parts ? documents.count : nil)
    }

    func read(_ answer: StoreAnswer) throws(UnreadableAnswer) -> Reading {
        Reading(observations: [], archive: [])
    }
}

/// 300 bytes may be in flight.
@Suite struct LongAnswerFetchTests {
    private func fetch(_ keys: [String], parts: Int) async -> FetchedChunk {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let client = ThrottledClient(
            client: HTTPClient(HTTPClientConfiguration(version: .http1), logger: logger), appID: AppID("acme"),
            quota: Quota(Pace(requestsPerSecond: 1, published: 1)), maxInFlight: 1, budget: SharedRetryBudget(),
            logger: logger)
        let stage = FetchStage(
            store: PartsStore(parts: parts), client: client, maxInFlight: 1, inFlightLimit: 300, logger: logger)
        return await stage.fetch(
            keys.map { key in
                DueSubscription(
                    key: SubscriptionKey(1), lineageKey: SubscriptionKey(1), appID: AppID("acme"),
                    storeKey: Secret(key),
                    environment: nil, accountID: nil, productID: nil, country: nil, snapshot: SubscriptionSnapshot(),
                    historyCursor: nil, wantsHistory: false, receipt: nil, known: [])
            })
    }

    @Test func `an answer ends with the parts that have room, and says that there are more`() async throws {
        let chunk = await fetch(["a", "b"], parts: 4)
        let parts = try chunk.outcomes.map { try $0.result.get().answer.documents.count }
        // What the first held is released when it is read.
        #expect(parts == [3, 3])
        #expect(chunk.unfinished.map { $0.inquiry.subscriptions[0].storeKey.reveal() } == ["a", "b"])
        #expect(chunk.unfinished.map(\.partsSoFar) == [3, 3])
    }

    @Test func `one that has room is whole`() async throws {
        let chunk = await fetch(["a", "b"], parts: 3)
        #expect(try chunk.outcomes.map { try $0.result.get().answer.documents.count } == [3, 3])
        #expect(chunk.unfinished.isEmpty)
    }

    @Test func `what a failed inquiry held is released, too`() async throws {
        let chunk = await fetch(["broken", "a"], parts: 3)
        #expect(chunk.unfinished.isEmpty)
        #expect(try chunk.outcomes[1].result.get().answer.documents.count == 3)
    }
}
