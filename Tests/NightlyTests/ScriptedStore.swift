// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Synchronization
import TestSupport

/// A store that answers as the test says: by subscription, and how often it was asked before.
final class ScriptedStore: Store {
    typealias Script = @Sendable (DueSubscription, Int) -> Result<Reading, StoreFailure>

    let appID = ChunkWorld.app
    let kind = StoreKind.appStore
    let refundWatchDays: [Int64] = []
    private let asked = Mutex<[String: Int]>([:])
    private let answers = Mutex<[String: Reading]>([:])
    private let script: Script
    private let settings: [String: SuspectSetting]

    /// `settings`: which each reason of a failure points to.
    init(suspecting settings: [String: SuspectSetting] = [:], script: @escaping Script) {
        self.settings = settings
        self.script = script
    }

    func suspect(in reason: String) -> SuspectSetting? { settings[reason] }

    /// How often each was asked, by its store key.
    var questions: [String: Int] { asked.withLock { $0 } }

    func inquiries(for due: [DueSubscription]) -> [Inquiry] { due.map { Inquiry(subscriptions: [$0]) } }

    func ask(_ inquiry: Inquiry, through client: ThrottledClient) async throws(StoreFailure) -> StoreAnswer {
        let due = inquiry.subscriptions[0]
        let name = due.storeKey.reveal()
        let number = asked.withLock { asked in
            asked[name, default: 0] += 1
            return asked[name] ?? 0
        }
        switch script(due, number) {
        case .failure(let failure): throw failure
        case .success(let reading): answers.withLock { $0[name] = reading }
        }
        return StoreAnswer(inquiry: inquiry, environment: .production, documents: [], answeredAt: nil)
    }

    func read(_ answer: StoreAnswer) throws(UnreadableAnswer) -> Reading {
        let reading = answers.withLock { $0[answer.inquiry.subscriptions[0].storeKey.reveal()] }
        guard let reading else { throw UnreadableAnswer(reason: "not_asked", message: "It was not asked.") }
        return reading
    }
}
