// SPDX-License-Identifier: Apache-2.0

import HTTP
import Logging
import Model
import Pipeline
import Stores
import Synchronization

/// A store that tells news one by one and remembers since when it was asked for them.
final class TellingStore: Store {
    let appID = AppID("acme-ios")
    let kind = StoreKind.googlePlay
    let refundWatchDays: [Int64]
    let tellsRefunds: Bool
    private let state: Mutex<(left: [StoreNews], asked: [Instant?])>

    init(tellings: [StoreNews] = [], refundWatchDays: [Int64] = [], tellsRefunds: Bool = false) {
        self.refundWatchDays = refundWatchDays
        self.tellsRefunds = tellsRefunds
        state = Mutex((tellings, []))
    }

    var asked: [Instant?] { state.withLock { $0.asked } }

    var app: NightlyApp {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let conversation = Conversation(
            client: HTTPClient(HTTPClientConfiguration(version: .http1), logger: logger), appID: appID,
            quota: Quota(Pace(requestsPerSecond: 50, published: 50)), maxInFlight: 1, budget: SharedRetryBudget(),
            logger: logger)
        return NightlyApp(
            id: appID, kind: kind, environment: .production, defaultCountry: nil, store: self,
            conversation: conversation, maxInFlight: 1)
    }

    func news(since: Instant?, through conversation: Conversation) async throws(StoreFailure) -> StoreNews {
        state.withLock { state in
            state.asked.append(since)
            return state.left.removeFirst()
        }
    }

    func inquiries(for due: [DueSubscription]) -> [Inquiry] { [] }

    func ask(_ inquiry: Inquiry, through conversation: Conversation) async throws(StoreFailure) -> StoreAnswer {
        StoreAnswer(inquiry: inquiry, environment: .production, documents: [], answeredAt: nil)
    }

    func read(_ answer: StoreAnswer) throws(UnreadableAnswer) -> Reading {
        throw UnreadableAnswer(reason: "never", message: "Nobody reads here.")
    }
}
