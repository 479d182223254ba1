// SPDX-License-Identifier: Apache-2.0

import Foundations
import HTTP
import Logging
import Model
import Stores
import TestSupport

/// A client with a server of the test's own, in a hurry: waits are so short that they are not noticeable.
struct Talk {
    static let endpoint = Endpoint(name: "things", publishedRate: 100)

    let server: LoopbackServer
    let client: ThrottledClient
    let budget: SharedRetryBudget
    let log = RecordedLog()

    init(
        rate: Double = 20_000, quota: Quota? = nil, maxInFlight: Int = 8, attempts: Int = 4,
        breaker: Breaker = Breaker(patience: .zero),
        budget: RetryBudget = RetryBudget(),
        answer: @escaping @Sendable (LoopbackServer.Request, Int) -> LoopbackServer.Answer
    ) throws {
        server = try LoopbackServer(answer)
        self.budget = SharedRetryBudget(budget)
        let httpClient = HTTPClient(
            HTTPClientConfiguration(version: .http1, maximumConnectionsPerHost: 64), logger: log.logger)
        client = ThrottledClient(
            client: httpClient, appID: AppID("acme"),
            quota: quota ?? Quota(Pace(requestsPerSecond: rate, published: 100)),
            maxInFlight: maxInFlight, backoff: Backoff(base: .milliseconds(1), attempts: attempts), breaker: breaker,
            budget: self.budget, logger: log.logger, random: { 0.5 })
    }

    /// Asks for a thing; the verdicts are those of a simple store.
    func ask(_ id: String = "1", at endpoint: Endpoint = endpoint) async -> Result<String, StoreFailure> {
        let request = HTTPRequest(
            url: "\(server.url)/things/\(id)", route: "/things/{id}", headers: [("authorization", "Bearer sesame")])
        do throws(StoreFailure) {
            let response = try await client.send(request, to: endpoint, classify: Self.classify)
            return .success(String(decoding: response.body, as: UTF8.self))
        } catch {
            return .failure(error)
        }
    }

    @Sendable
    static func classify(_ response: HTTPResponse) -> ResponseDisposition {
        switch response.status {
        case 200: .accept
        case 401: .fail(StoreFailure(.credential, reason: "http_401", message: "The key is wrong."))
        case 404: .fail(StoreFailure(.notFound, reason: "http_404", message: "No such thing."))
        case 429:
            .tooMany(
                retryAfter: response.headers["retry-after"].flatMap { RetryAfter.wait($0, nowMilliseconds: 0) })
        default: .retry(after: nil, reason: "http_\(response.status)")
        }
    }
}
