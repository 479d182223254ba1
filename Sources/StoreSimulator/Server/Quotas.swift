// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Counts requests per app and endpoint in a sliding window, and refuses those over the quota.
package final class Quotas: Sendable {
    /// So many requests in so many seconds.
    package struct Limit: Sendable, Hashable {
        package var requests: Int
        package var seconds: Int64

        package init(requests: Int, seconds: Int64) {
            self.requests = requests
            self.seconds = seconds
        }

        /// The App Store's 50 a second, enforced by the hour.
        package static let published = Limit(requests: 180_000, seconds: 3_600)
    }

    /// What the store saw.
    package struct Counters: Sendable, Hashable, Codable {
        package var requests: [String: Int] = [:]
        package var refused = 0
        package var unauthorized = 0
    }

    private struct State {
        var limit: Limit
        var arrivals: [String: [Int64]] = [:]
        var counters = Counters()
    }

    private let state: Mutex<State>

    init(_ limit: Limit) { state = Mutex(State(limit: limit)) }

    package var counters: Counters { state.withLock { $0.counters } }
    package func setLimit(_ limit: Limit) { state.withLock { $0.limit = limit } }
    func countUnauthorized() { state.withLock { $0.counters.unauthorized += 1 } }

    /// Nil when it may pass; else the wall-clock millisecond from which another one may.
    func refusal(of endpoint: String, app: String, at milliseconds: Int64) -> Int64? {
        state.withLock { state in
            state.counters.requests[endpoint, default: 0] += 1
            let window = state.limit.seconds * 1_000
            let key = app + " " + endpoint
            var arrivals = state.arrivals[key, default: []].filter { $0 > milliseconds - window }
            defer { state.arrivals[key] = arrivals }
            if arrivals.count >= state.limit.requests, let first = arrivals.first {
                state.counters.refused += 1
                return first + window + 1
            }
            arrivals.append(milliseconds)
            return nil
        }
    }
}
