// SPDX-License-Identifier: Apache-2.0

package import Foundations
package import HTTP
package import Logging
package import Model
import Synchronization

/// All requests of one app in one run go through here: it paces them by endpoint, bounds how many are in flight, asks
/// again what may succeed, and stops when the store is down.
///
/// It knows nothing of what is asked.
///
/// Nothing it logs or throws holds more of a request than its endpoint's name and route.
package final class ThrottledClient: Sendable {
    struct State {
        var breaker: Breaker
        /// The store said anything at all to this app in this run, its events excepted.
        var hasAnswered = false
        /// It answered well of anything of the app in this run, its events excepted.
        var hasAnsweredWell = false
        /// Nothing starts after this instant; nil: no limit.
        var deadline: UInt64?
        /// Why nothing is asked any more.
        var stopped: StoreFailure?
        var counts = RequestCounts()
        /// When it was last said that an endpoint is throttled, by its name.
        var throttleWarnings: [String: WarningPace] = [:]
        /// By the run's other processes.
        var others = Spent()
    }

    let client: HTTPClient
    let appID: AppID
    let backoff: Backoff
    let budget: SharedRetryBudget
    let logger: Logger
    let permits: AsyncSemaphore
    let state: Mutex<State>
    let random: @Sendable () -> Double
    let quota: Quota

    /// A client with full permits and nothing asked yet.
    ///
    /// `quota`: what of the store's rates it may use, alone or with the clients of other apps.
    /// `maxInFlight`: requests under way at once, over all endpoints.
    /// `breaker`: how long a store that is down is waited for; by itself it is not.
    /// `budget`: shared with the run's other clients.
    /// `random`: in 0..<1, for the jitter.
    package init(
        client: HTTPClient, appID: AppID, quota: Quota, maxInFlight: Int, backoff: Backoff = Backoff(),
        breaker: Breaker = Breaker(patience: .zero), budget: SharedRetryBudget, logger: Logger,
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.client = client
        self.appID = appID
        self.quota = quota
        self.backoff = backoff
        self.budget = budget
        self.logger = logger
        self.random = random
        self.permits = AsyncSemaphore(maxInFlight)
        self.state = Mutex(State(breaker: breaker))
    }

    /// From then on nothing starts; what has started is brought to its end.
    package func finish(by deadline: ContinuousClock.Instant) {
        state.withLock { $0.deadline = quota.reading(at: deadline) }
    }

    /// What it cost so far.
    package var counts: RequestCounts { state.withLock { $0.counts } }

    /// Sends a request until the classifier accepts an answer.
    ///
    /// - Throws: the classifier's failure, or why no answer came.
    package func send(
        _ request: HTTPRequest, to endpoint: Endpoint, classify: @Sendable (HTTPResponse) -> ResponseDisposition
    ) async throws(StoreFailure) -> HTTPResponse {
        try await send(to: endpoint, classify: classify) { () async throws(StoreFailure) in request }
    }

    /// Sends what `making` makes, made again for each try: what it carries may have expired while it waited its turn.
    ///
    /// - Throws: the classifier's failure, why no answer came, that it is given up, or what `making` throws.
    package func send(
        to endpoint: Endpoint, classify: @Sendable (HTTPResponse) -> ResponseDisposition,
        making: @Sendable () async throws(StoreFailure) -> HTTPRequest
    ) async throws(StoreFailure) -> HTTPResponse {
        try await LongAnswers.share?.claim()
        var attempt = 1
        while true {
            switch try await exchange(at: endpoint, classify: classify, making: making) {
            case .success(let response): return response
            // While the store is waited for, no tries are used up.
            case .failure(let retryable) where retryable.isSilence && isWaitingForStore(endpoint): continue
            case .failure(let retryable): try await wait(after: retryable, attempt: attempt, endpoint)
            }
            attempt += 1
        }
    }

    /// Monotonic nanoseconds, by the quota's own origin.
    var now: UInt64 { quota.now }

    func sleep(_ nanoseconds: UInt64) async throws(StoreFailure) {
        guard nanoseconds > 0 else { return }
        do {
            try await Task.sleep(for: .nanoseconds(Int64(clamping: nanoseconds)))
        } catch {
            throw .interrupted
        }
    }

    func withPacer<Result>(of endpoint: Endpoint, _ body: (inout Pacer) -> Result) -> Result {
        quota.withPacer(of: endpoint, body)
    }
}
