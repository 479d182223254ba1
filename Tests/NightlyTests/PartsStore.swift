// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Synchronization
import TestSupport

/// A store whose every answer has so many parts, each longer than there is room for; all it says is that the subscription has
/// ended, and how far it was read.
final class PartsStore: PartwiseStore {
    let appID = ChunkWorld.app
    let kind = StoreKind.appStore
    let refundWatchDays: [Int64] = []
    private let parts: Int
    private let asked = Mutex<[String]>([])
    /// Runs before an answer, with how many were asked until then.
    private let beforeAnswer: @Sendable (Int) async throws -> Void

    init(parts: Int, beforeAnswer: @escaping @Sendable (Int) async throws -> Void = { _ in }) {
        self.parts = parts
        self.beforeAnswer = beforeAnswer
    }

    /// The store keys, from where they were asked, and after how many parts of the run: in the order in which they were.
    var questions: [String] { asked.withLock { $0 } }

    func inquiries(for due: [DueSubscription]) -> [Inquiry] { due.map { Inquiry(subscriptions: [$0]) } }

    func ask(
        _ inquiry: Inquiry, through client: ThrottledClient, into buffer: AnswerBuffer.Share
    ) async throws(StoreFailure) -> StoreAnswer {
        let due = inquiry.subscriptions[0]
        let number = asked.withLock {
            $0.append("\(due.storeKey.reveal()) from \(due.historyCursor ?? "the beginning"), after \(due.partsLoaded)")
            return $0.count
        }
        do {
            try await beforeAnswer(number)
        } catch {
            throw StoreFailure(.credential, reason: "test", message: "\(error)")
        }
        buffer.hold(10_000_000)
        let part = (due.historyCursor.flatMap { Int($0) } ?? 0) + 1
        return StoreAnswer(
            inquiry: inquiry, environment: .production,
            documents: [StoreAnswer.Document(endpoint: "part", body: Array("\(part)".utf8))], answeredAt: nil,
            partsSoFar: part < parts && buffer.isFull ? due.partsLoaded + 1 : nil)
    }

    func read(_ answer: StoreAnswer) throws(UnreadableAnswer) -> Reading {
        var reading = Reading.ended(answer.inquiry)
        reading.observations = reading.observations.map {
            Observation(
                storeKey: $0.storeKey, environment: $0.environment, status: $0.status, periods: [],
                historyCursor: String(decoding: answer.documents[0].body, as: UTF8.self))
        }
        return reading
    }
}
