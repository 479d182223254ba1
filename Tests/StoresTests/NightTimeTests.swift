// SPDX-License-Identifier: Apache-2.0

import HTTP
import TestSupport
import Testing

@testable import Stores

/// What waits for a store, and how long: a night has an end, and a closed endpoint closes no other.
@Suite(.hangLimit) struct NightTimeTests {
    private static let others = Endpoint(name: "others", publishedRate: 100)
    private static let hints = Endpoint(name: "hints", publishedRate: 100, part: .hint)
    private static let rest = Endpoint(name: "rest", publishedRate: 100, part: .completion)

    /// A quota used up for five minutes; the night has an hour.
    @Test func `a long Retry-After pauses the endpoint while the night has time`() async throws {
        let talk = try Talk { request, _ in
            request.path.contains("first") ? .init(429, headers: [("Retry-After", "300")]) : .init()
        }
        talk.client.finish(by: .now + .seconds(3_600))
        let first = Task { await talk.ask("first") }
        try await waitUntil { talk.client.counts.throttled > 0 }
        #expect(await talk.ask("other", at: Self.others) == .success("{}"))
        let client = talk.client
        #expect(client.withPacer(of: Talk.endpoint) { $0.closedFor(now: client.now) } > 200_000_000_000)
        first.cancel()
        #expect(await first.value.failure?.kind == .cancelled)
    }

    @Test func `a Retry-After beyond the night's end stops the app`() async throws {
        let talk = try Talk { _, _ in .init(429, headers: [("Retry-After", "300")]) }
        talk.client.finish(by: .now + .seconds(200))
        #expect(await talk.ask().failure?.reason == "over_quota")
        #expect(await talk.ask("other", at: Self.others).failure?.kind == .storeDown)
        #expect(talk.server.requests.count == 1)
    }

    @Test func `a hint is given up sooner, and nothing else by it`() async throws {
        let talk = try Talk { request, _ in
            request.path.contains("hint") ? .init(429, headers: [("Retry-After", "300")]) : .init()
        }
        talk.client.finish(by: .now + .seconds(3_600))
        #expect(await talk.ask("hint", at: Self.hints).failure?.kind == .transient)
        #expect(await talk.ask("hint", at: Self.hints).failure?.reason == "over_quota")
        #expect(await talk.ask() == .success("{}"))
        // Closed is closed: the second one was not sent.
        #expect(talk.server.requests.count == 2)
    }

    @Test func `nothing starts when the time is over, and what was started is completed`() async throws {
        let talk = try Talk { _, _ in .init() }
        talk.client.finish(by: .now)
        #expect(await talk.ask("1", at: Self.rest) == .success("{}"))
        #expect(await talk.ask().failure?.cause == .outOfTime)
        #expect(talk.server.requests.map(\.path) == ["/things/1"])
    }

    /// One request in a hundred seconds: the second one's turn would come after the end.
    @Test func `who would get no turn before the end does not wait for it`() async throws {
        let talk = try Talk(rate: 0.01) { _, _ in .init() }
        talk.client.finish(by: .now + .seconds(50))
        #expect(await talk.ask() == .success("{}"))
        #expect(await talk.ask().failure?.cause == .outOfTime)
    }

    /// Thirty at once, each asked to wait: more than the budget has retries for, and none of them is lost.
    @Test func `a retry at a time that the store gives takes nothing from the budget`() async throws {
        let talk = try Talk(maxInFlight: 30, budget: RetryBudget(percent: 0, floor: 1)) { _, number in
            number <= 30 ? .init(429, headers: [("Retry-After", "1")], delay: .milliseconds(100)) : .init()
        }
        let answers = await withTaskGroup(of: Result<String, StoreFailure>.self) { group in
            for id in 0..<30 { group.addTask { await talk.ask("\(id)") } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers == Array(repeating: .success("{}"), count: 30))
        #expect(talk.budget.current.retries == 0)
    }

    @Test func `a store that answers nonsense is there`() async throws {
        let talk = try Talk(attempts: 1, breaker: Breaker(threshold: 2, patience: .zero)) { _, _ in .init(200, "<html>")
        }
        let nonsense = StoreFailure(.unreadable, reason: "malformed_json", message: "No JSON.")
        for _ in 0..<5 {
            await #expect(throws: nonsense) {
                _ = try await talk.client.send(
                    HTTPRequest(url: talk.server.url + "/", route: "/"), to: Talk.endpoint,
                    classify: { _ in .retry(after: nil, reason: "malformed_json", finally: nonsense) })
            }
        }
        #expect(talk.server.requests.count == 5)
    }

    /// Two apps of one project, a request in a hundred seconds: the second app's turn comes after the first one's.
    @Test func `apps that share a quota share one pace`() async throws {
        let quota = Quota(Pace(requestsPerSecond: 0.01, published: 100))
        let (first, second) = (try Talk(quota: quota) { _, _ in .init() }, try Talk(quota: quota) { _, _ in .init() })
        #expect(await first.ask() == .success("{}"))
        second.client.finish(by: .now + .seconds(50))
        #expect(await second.ask().failure?.cause == .outOfTime)
        #expect(second.server.requests.isEmpty)
    }
}
