// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import Stores
import Synchronization
import TestSupport

/// A store of whose every answer five million bytes are archived; all it says is that the subscription has ended.
final class LongAnswerStore: Store {
    let appID = ChunkWorld.app
    let kind = StoreKind.appStore
    let refundWatchDays: [Int64] = []
    private let asked = Mutex<[String]>([])
    /// Runs before an answer, with how many were asked until then.
    private let beforeAnswer: @Sendable (Int) async throws -> Void

    init(beforeAnswer: @escaping @Sendable (Int) async throws -> Void = { _ in }) { self.beforeAnswer = beforeAnswer }

    /// The store keys, in the order in which they were asked.
    var questions: [String] { asked.withLock { $0 } }

    func inquiries(for due: [DueSubscription]) -> [Inquiry] { due.map { Inquiry(subscriptions: [$0]) } }

    func ask(_ inquiry: Inquiry, through client: ThrottledClient) async throws(StoreFailure) -> StoreAnswer {
        let number = asked.withLock {
            $0.append(inquiry.subscriptions[0].storeKey.reveal())
            return $0.count
        }
        do {
            try await beforeAnswer(number)
        } catch {
            throw StoreFailure(.credential, reason: "test", message: "\(error)")
        }
        return StoreAnswer(inquiry: inquiry, environment: .production, documents: [], answeredAt: nil)
    }

    func read(_ answer: StoreAnswer) throws(UnreadableAnswer) -> Reading {
        let document = ArchivedDocument(
            endpoint: "statuses", body: String(repeating: "x", count: 5_000_000),
            answerHash: answer.inquiry.subscriptions[0].storeKey.reveal())
        return .ended(answer.inquiry, archive: [document])
    }
}
