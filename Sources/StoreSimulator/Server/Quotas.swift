// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Counts requests per app and endpoint in a sliding window, and refuses those over the quota.
package final class Quotas: Sendable {
    package struct Limit: Sendable, Hashable {
        package var requests: Int
        package var seconds: Int64

        package init(requests: Int, seconds: Int64) {
            self.requests = requests
            self.seconds = seconds
        }

        /// The App Store's sandbox has a tenth of a limit.
        func of(_ environment: StoreEnvironment) -> Limit {
            environment == .production ? self : Limit(requests: max(1, requests / 10), seconds: seconds)
        }

        /// The App Store's 50 a second, enforced by the hour.
        package static let published = Limit(requests: 180_000, seconds: 3_600)

        /// The App Store's endpoints that have a limit of their own: 10 a second.
        package static let appStorePublished: [String: [Limit]] = [
            "refund_history": [Limit(requests: 36_000, seconds: 3_600)]
        ]

        /// Google Play's: 3,000 a minute for each bucket, and few questions about voided purchases.
        package static let playPublished: [String: [Limit]] = [
            "subscriptions": [Limit(requests: 3_000, seconds: 60)],
            "products": [Limit(requests: 3_000, seconds: 60)],
            "orders": [Limit(requests: 3_000, seconds: 60)],
            "voided_purchases": [Limit(requests: 30, seconds: 30), Limit(requests: 6_000, seconds: 86_400)],
            "token": [],
            "pubsub": [],
        ]
    }

    /// What the store saw.
    package struct Counters: Sendable, Hashable, Codable {
        package var requests: [String: Int] = [:]
        package var refused = 0
        package var unauthorized = 0
        /// The most requests of an endpoint that passed within its limit's seconds, as the limit counts them.
        package var most: [String: Int] = [:]
    }

    fileprivate struct State {
        var limit: Limit?
        var special = Limit.playPublished.merging(Limit.appStorePublished) { first, _ in first }
        var arrivals: [String: [Int64]] = [:]
        var counters = Counters()
    }

    private let state: Mutex<State>

    /// Without a limit nothing is refused.
    init(_ limit: Limit?) { state = Mutex(State(limit: limit)) }

    package var counters: Counters { state.withLock { $0.counters } }
    package func setLimit(_ limit: Limit) { state.withLock { $0.limit = limit } }
    /// The limits of one endpoint, all of which hold; none lets everything pass.
    package func setLimits(_ limits: [Limit], at endpoint: String) {
        state.withLock { $0.special[endpoint] = limits }
    }

    func countUnauthorized() { state.withLock { $0.counters.unauthorized += 1 } }

    /// Nil when it may pass; else the wall-clock millisecond from which another one may.
    ///
    /// The sandbox is counted apart and has a tenth of the rate.
    func refusal(
        of endpoint: String, app: String, in environment: StoreEnvironment = .production, at milliseconds: Int64
    ) -> Int64? {
        state.withLock { state in
            state.counters.requests[endpoint, default: 0] += 1
            guard let limit = state.limit else { return nil }
            let limits = (state.special[endpoint] ?? [limit]).map { $0.of(environment) }
            let key = [app, endpoint, environment.rawValue].joined(separator: " ")
            let longest = limits.map(\.seconds).max() ?? 0
            state.forget(key, before: milliseconds - longest * 1_000)
            let arrivals = state.arrivals[key, default: []]
            let refusals = limits.compactMap { limit -> Int64? in
                guard let first = arrivals.dropLast(max(limit.requests, 1) - 1).last, arrivals.count >= limit.requests,
                    first > milliseconds - limit.seconds * 1_000
                else { return nil }
                return first + limit.seconds * 1_000 + 1
            }
            if let until = refusals.max() {
                state.counters.refused += 1
                return until
            }
            state.arrivals[key, default: []].append(milliseconds)
            state.counters.most[endpoint] = max(state.counters.most[endpoint] ?? 0, arrivals.count + 1)
            return nil
        }
    }
}

extension Quotas.State {
    /// Arrivals stand in their order.
    fileprivate mutating func forget(_ key: String, before instant: Int64) {
        let passed = arrivals[key, default: []].prefix { $0 <= instant }.count
        arrivals[key]?.removeFirst(passed)
    }
}
