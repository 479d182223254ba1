// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Synchronization

/// A store that reports events one by one and remembers since when it was asked for them.
final class ReportingStore: Store {
    let appID = AppID("acme-ios")
    let kind = StoreKind.googlePlay
    let refundWatchDays: [Int64]
    let reportsRefunds: Bool
    private let state: Mutex<(left: [StoreEvents], asked: [Instant?])>

    init(tellings: [StoreEvents] = [], refundWatchDays: [Int64] = [], reportsRefunds: Bool = false) {
        self.refundWatchDays = refundWatchDays
        self.reportsRefunds = reportsRefunds
        state = Mutex((tellings, []))
    }

    var asked: [Instant?] { state.withLock { $0.asked } }

    func events(since: Instant?, through client: ThrottledClient) async throws(StoreFailure) -> StoreEvents {
        state.withLock { state in
            state.asked.append(since)
            return state.left.removeFirst()
        }
    }

    func inquiries(for due: [DueSubscription]) -> [Inquiry] { [] }

    func ask(_ inquiry: Inquiry, through client: ThrottledClient) async throws(StoreFailure) -> StoreAnswer {
        StoreAnswer(inquiry: inquiry, environment: .production, documents: [], answeredAt: nil)
    }

    func read(_ answer: StoreAnswer) throws(UnreadableAnswer) -> Reading {
        throw UnreadableAnswer(reason: "never", message: "Nobody reads here.")
    }
}
