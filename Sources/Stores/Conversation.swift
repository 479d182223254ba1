// SPDX-License-Identifier: Apache-2.0

package import HTTP
package import Logging
package import Model
import Synchronization

/// All requests of one app in one run go through here: it paces them by endpoint, bounds how many are in flight, asks
/// again what may succeed, and stops when the store is down. It knows nothing of what is asked.
///
/// Nothing it logs or throws holds more of a request than its endpoint's name and route.
package final class Conversation: Sendable {
    struct State {
        var pacers: [Endpoint: Pacer] = [:]
        var breaker: Breaker
        /// Nobody asks anything before then.
        var pausedUntil: UInt64 = 0
        /// Why nothing is asked any more.
        var stopped: StoreFailure?
        var counts = ConversationCounts()
    }

    let client: HTTPClient
    let appID: AppID
    let backoff: Backoff
    let budget: SharedRetryBudget
    let logger: Logger
    let permits: Permits
    let state: Mutex<State>
    let random: @Sendable () -> Double
    private let pace: Pace
    private let origin = ContinuousClock.now

    /// A conversation with full permits and nothing asked yet.
    ///
    /// - Parameters:
    ///   - pace: the share of the store's published rates that this program takes.
    ///   - maxInFlight: requests under way at once, over all endpoints.
    ///   - budget: shared with the run's other conversations.
    ///   - random: in 0..<1, for the jitter.
    package init(
        client: HTTPClient, appID: AppID, pace: Pace, maxInFlight: Int, backoff: Backoff = Backoff(),
        breaker: Breaker = Breaker(), budget: SharedRetryBudget, logger: Logger,
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.client = client
        self.appID = appID
        self.pace = pace
        self.backoff = backoff
        self.budget = budget
        self.logger = logger
        self.random = random
        self.permits = Permits(maxInFlight)
        self.state = Mutex(State(breaker: breaker))
    }

    /// What it cost so far.
    package var counts: ConversationCounts { state.withLock { $0.counts } }

    /// Sends a request until the judge accepts an answer.
    ///
    /// - Throws: the judge's failure, or why no answer came.
    package func send(
        _ request: HTTPRequest, to endpoint: Endpoint, judge: @Sendable (HTTPResponse) -> Verdict
    ) async throws(StoreFailure) -> HTTPResponse {
        try await send(to: endpoint, judge: judge) { () async throws(StoreFailure) in request }
    }

    /// Sends what `making` makes, anew for each try: what it carries may have expired while it waited its turn.
    ///
    /// - Throws: the judge's failure, why no answer came, or what `making` throws.
    package func send(
        to endpoint: Endpoint, judge: @Sendable (HTTPResponse) -> Verdict,
        making: @Sendable () async throws(StoreFailure) -> HTTPRequest
    ) async throws(StoreFailure) -> HTTPResponse {
        var attempt = 1
        while true {
            switch try await exchange(at: endpoint, judge: judge, making: making) {
            case .success(let response): return response
            case .failure(let setback): try await wait(after: setback, attempt: attempt, endpoint)
            }
            attempt += 1
        }
    }

    /// Monotonic nanoseconds. They do not begin at 0, so that an endpoint's first burst has a past to draw on.
    var now: UInt64 { origin.duration(to: .now).nanoseconds + 3_600_000_000_000 }

    func sleep(_ nanoseconds: UInt64) async throws(StoreFailure) {
        guard nanoseconds > 0 else { return }
        do {
            try await Task.sleep(for: .nanoseconds(Int64(clamping: nanoseconds)))
        } catch {
            throw .interrupted
        }
    }

    /// Changes the pacer of an endpoint, which is made when it is first asked.
    func withPacer<Result>(of endpoint: Endpoint, _ body: (inout Pacer) -> Result) -> Result {
        state.withLock { state in
            let fresh = Pacer(requestsPerSecond: pace.rate(of: endpoint), burst: pace.burst)
            return body(&state.pacers[endpoint, default: fresh])
        }
    }
}
