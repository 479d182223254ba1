// SPDX-License-Identifier: Apache-2.0

import Foundations
import HTTP
import Logging
import Model
import Synchronization
import TestSupport
import Testing

@testable import Stores

@Suite(.hangLimit) struct ThrottledClientTests {
    @Test func `what stumbles twice is asked again and answered`() async throws {
        let talk = try Talk { _, number in number < 3 ? .init(503) : .init(200, "yes") }
        #expect(await talk.ask() == .success("yes"))
        #expect(talk.server.requests.count == 3)
        let counts = talk.client.counts
        #expect(counts.calls == 3)
        #expect(counts.retries == 2)
        #expect(counts.callsByEndpoint == ["things": 3])
        // Twice "{}" and once "yes".
        #expect(counts.bytes == 7)
    }

    @Test func `what never succeeds is given up after the last try`() async throws {
        let talk = try Talk(attempts: 3) { _, _ in .init(500) }
        let failure = try #require(await talk.ask().failure)
        #expect(failure.kind == .transient)
        #expect(failure.reason == "http_500")
        #expect(talk.server.requests.count == 3)
    }

    @Test func `a classifier's own failure is thrown when tries are used up`() async throws {
        let talk = try Talk(attempts: 2) { _, _ in .init(200) }
        let cut = StoreFailure(.unreadable, reason: "cut", message: "Cut short.")
        await #expect(throws: cut) {
            _ = try await talk.client.send(
                HTTPRequest(url: talk.server.url + "/", route: "/"), to: Talk.endpoint,
                classify: { _ in .retry(after: nil, reason: "cut", finally: cut) })
        }
        #expect(talk.server.requests.count == 2)
    }

    @Test func `a server that fails on one id and answers others refuses that id`() async throws {
        let talk = try Talk(attempts: 2) { request, _ in request.path.hasSuffix("/bad") ? .init(500) : .init() }
        #expect(await talk.ask("bad").failure?.kind == .transient)
        #expect(await talk.ask("good") == .success("{}"))
        #expect(await talk.ask("bad").failure?.kind == .refusedForNow)
        // Whatever answered the app, and a failed batch says nothing about one of its ids.
        #expect(
            await talk.ask("bad", at: Endpoint(name: "others", publishedRate: 100)).failure?.kind == .refusedForNow)
        let batches = Endpoint(name: "things", publishedRate: 100, isBatch: true)
        #expect(await talk.ask("bad", at: batches).failure?.kind == .transient)
    }

    @Test func `a word of the store's own refuses the id, whatever else it answered`() async throws {
        let talk = try Talk(attempts: 2) { _, _ in .init(500, "{\"errorCode\":5000000}") }
        let failure = StoreFailure(
            .refusedForNow, reason: "error_5000000",
            message: "Asking the store for things failed (error_5000000); the next run asks again.")
        await #expect(throws: failure) {
            _ = try await talk.client.send(
                HTTPRequest(url: talk.server.url + "/", route: "/"), to: Talk.endpoint,
                classify: { _ in .refuseForNow(after: nil, reason: "error_5000000") })
        }
    }

    @Test func `an id the store does not know is not asked again`() async throws {
        let talk = try Talk { _, _ in .init(404) }
        #expect(await talk.ask().failure?.kind == .notFound)
        #expect(talk.server.requests.count == 1)
    }

    @Test func `what another process of the run has spent is spent`() async throws {
        let talk = try Talk(attempts: 100, budget: RetryBudget(percent: 10, floor: 5)) { _, _ in .init(500) }
        talk.client.learn(ThrottledClient.Spent(calls: 40, retries: 5, waitedMilliseconds: 1_500))
        #expect(await talk.ask().failure?.kind == .transient)
        #expect(talk.server.requests.count == 1)
        #expect(talk.client.spent == ThrottledClient.Spent(calls: 41, retries: 5, waitedMilliseconds: 1_500))
        #expect(talk.client.counts.calls == 1)
    }

    @Test func `retries end with the budget of the run`() async throws {
        let talk = try Talk(attempts: 100, budget: RetryBudget(percent: 10, floor: 5)) { _, _ in .init(500) }
        #expect(await talk.ask().failure?.kind == .transient)
        // The call itself and five retries.
        #expect(talk.server.requests.count == 6)
        #expect(talk.budget.current.retries == 5)
        #expect(await talk.ask().failure?.kind == .transient)
        #expect(talk.server.requests.count == 7)
    }

    @Test func `no more requests are in flight than allowed`() async throws {
        let talk = try Talk(maxInFlight: 3) { _, _ in .init(200, "", delay: .milliseconds(200)) }
        await withTaskGroup(of: Void.self) { group in
            for id in 0..<24 { group.addTask { _ = await talk.ask("\(id)") } }
        }
        #expect(talk.server.requests.count == 24)
        #expect(talk.server.mostInFlight == 3)
    }

    @Test func `too many closes the endpoint until the time is over and is asked again`() async throws {
        let talk = try Talk { _, number in number == 1 ? .init(429, headers: [("Retry-After", "1")]) : .init() }
        #expect(await talk.ask() == .success("{}"))
        #expect(talk.client.counts.throttled == 1)
        #expect(talk.client.counts.retries == 1)
    }

    @Test func `a store that says too many again and again is one warning`() async throws {
        let talk = try Talk { _, number in number < 4 ? .init(429) : .init() }
        #expect(await talk.ask() == .success("{}"))
        #expect(talk.client.counts.throttled == 3)
        #expect(talk.log.lines.count { $0.contains("too many requests") } == 1)
    }

    @Test func `a minute later it is time for another warning`() {
        var pace = WarningPace()
        let minute: UInt64 = 60_000_000_000
        #expect(
            [7, 8, minute + 6, minute + 7, minute + 8].map { pace.isDue(now: $0) } == [true, false, false, true, false])
    }

    @Test func `a closed endpoint is closed for everybody and the others stay open`() async throws {
        let order = Mutex<[String]>([])
        let talk = try Talk { request, number in
            order.withLock { $0.append(request.path) }
            return number == 1 ? .init(429, headers: [("Retry-After", "3")]) : .init()
        }
        let first = Task { await talk.ask("first") }
        try await waitUntil { talk.client.counts.throttled > 0 }
        let second = Task { await talk.ask("second") }
        #expect(await talk.ask("other", at: Endpoint(name: "others", publishedRate: 100)) == .success("{}"))
        #expect(order.withLock { $0 } == ["/things/first", "/things/other"])
        #expect(await first.value == .success("{}"))
        #expect(await second.value == .success("{}"))
    }

    @Test func `who waits for its slot while the endpoint closes waits for it to open`() async throws {
        let talk = try Talk(rate: 2) { _, _ in .init() }
        let client = talk.client
        _ = try await client.takeTurn(at: Talk.endpoint)
        let second = Task { () async throws in
            _ = try await client.takeTurn(at: Talk.endpoint)
            return client.withPacer(of: Talk.endpoint) { $0.closedFor(now: client.now) }
        }
        // It waits for half a second; the endpoint closes meanwhile and for longer.
        try await waitUntil { client.permits.free == 6 }
        let closedUntil = client.now + 1_500_000_000
        client.withPacer(of: Talk.endpoint) { $0.slowDown(now: client.now, until: closedUntil) }
        #expect(try await second.value == 0)
    }

    @Test func `a quota that is used up for longer than a night can wait stops the app at once`() async throws {
        let talk = try Talk { _, _ in .init(429, headers: [("Retry-After", "3600")]) }
        #expect(await talk.ask().failure?.kind == .storeDown)
        #expect(await talk.ask().failure?.reason == "over_quota")
        #expect(talk.server.requests.count == 1)
    }

    @Test func `a store that only fails, and is not waited for, is down and is left alone`() async throws {
        let talk = try Talk(attempts: 1, breaker: Breaker(threshold: 20, patience: .zero)) { _, _ in .init(500) }
        var kinds: [StoreFailure.Kind?] = []
        for _ in 0..<40 { kinds.append(await talk.ask().failure?.kind) }
        #expect(kinds == Array(repeating: .transient, count: 19) + Array(repeating: .storeDown, count: 21))
        #expect(talk.server.requests.count == 20)
    }

    /// Down for 30 requests: at most 20 that were under way, each with one of its two tries, and probes, which use up none.
    @Test func `a store that comes back in time has cost time and nothing else`() async throws {
        let breaker = Breaker(
            threshold: 1, firstPause: .milliseconds(1), longestPause: .milliseconds(2), patience: .seconds(600))
        let talk = try Talk(maxInFlight: 20, attempts: 2, breaker: breaker) { _, number in
            .init((2...31).contains(number) ? 503 : 200)
        }
        #expect(await talk.ask().failure == nil)
        let failures: [StoreFailure] = await withTaskGroup(of: StoreFailure?.self) { group in
            for id in 0..<100 { group.addTask { await talk.ask("\(id)").failure } }
            return await group.reduce(into: []) { if let failure = $1 { $0.append(failure) } }
        }
        #expect(failures == [])
        #expect(talk.log.lines.contains { $0.contains("it is waited for") })
        #expect(talk.log.lines.contains { $0.contains("the store answers again") })
    }

    /// However few are asked: a single one that never got an answer waits for the store as a thousand do.
    @Test func `a store that never answered is waited for, and is down when the time is over`() async throws {
        let breaker = Breaker(threshold: 20, firstPause: .milliseconds(5), patience: .milliseconds(50))
        let talk = try Talk(attempts: 1, breaker: breaker) { _, _ in .init(503) }
        #expect(await talk.ask().failure?.kind == .storeDown)
        // Pauses of 5, 10, 20 and what is left: five requests at most.
        #expect((2...5).contains(talk.server.requests.count))
        #expect(await talk.ask().failure?.kind == .storeDown)
    }

    /// One id of many on which the store fails is that id's own fault.
    @Test func `an endpoint that answers others is not down`() async throws {
        let talk = try Talk(attempts: 1, breaker: Breaker(patience: .seconds(600))) { _, number in
            .init(number == 2 ? 503 : 200)
        }
        #expect(await talk.ask().failure == nil)
        #expect(await talk.ask().failure?.kind == .refusedForNow)
    }

    /// An id on which another endpoint fails, and which is the only one that asks it: it costs its tries and no more.
    @Test func `a store that answered something is not waited for because of one request`() async throws {
        let talk = try Talk(attempts: 2, breaker: Breaker(patience: .seconds(600))) { request, _ in
            .init(request.path == "/things/bad" ? 500 : 200)
        }
        #expect(await talk.ask().failure == nil)
        let other = Endpoint(name: "history", publishedRate: 100)
        #expect(await talk.ask("bad", at: other).failure?.kind == .refusedForNow)
        #expect(talk.server.requests.count == 3)
        #expect(await talk.ask().failure == nil)
    }

    /// Twenty that were under way when it fell silent: the budget has one retry for all, the rest are asked when it is back.
    @Test func `a store that falls silent when the retries are used up is waited for`() async throws {
        let breaker = Breaker(threshold: 50, firstPause: .milliseconds(5), patience: .seconds(600))
        let talk = try Talk(
            maxInFlight: 20, breaker: breaker, budget: RetryBudget(percent: 0, floor: 1)
        ) { _, number in .init((2...24).contains(number) ? 503 : 200, "{}") }
        #expect(await talk.ask().failure == nil)
        let failures = await withTaskGroup(of: StoreFailure?.self, returning: [StoreFailure].self) { group in
            for _ in 0..<20 { group.addTask { await talk.ask().failure } }
            return await group.reduce(into: []) { if let failure = $1 { $0.append(failure) } }
        }
        // One is asked again, and four may be chance.
        #expect(failures.count <= 4)
        #expect(talk.log.lines.contains { $0.contains("it is waited for") })
    }

    /// What completes an answer may be asked beyond the deadline, and waits for no store then.
    @Test func `a store that is down is waited for no longer than the night has time`() async throws {
        let talk = try Talk(attempts: 1, breaker: Breaker(threshold: 1, patience: .seconds(600))) { _, _ in .init(503) }
        talk.client.finish(by: .now)
        let completion = Endpoint(name: "history", publishedRate: 100, part: .completion)
        #expect(await talk.ask(at: completion).failure?.reason == "store_down")
        #expect(talk.server.requests.count == 1)
    }

    @Test func `store events are not asked of a store that is down`() async throws {
        let talk = try Talk(attempts: 1, breaker: Breaker(threshold: 1, patience: .seconds(600))) { _, _ in .init(503) }
        let waiting = Task { await talk.ask() }
        try await waitUntil { talk.server.requests.count == 1 && talk.client.isWaitingForStore(Talk.endpoint) }
        let hint = Endpoint(name: "hints", publishedRate: 100, part: .hint)
        #expect(await talk.ask(at: hint).failure?.reason == "store_down")
        #expect(talk.server.requests.count == 1)
        waiting.cancel()
        #expect(await waiting.value.failure?.kind == .cancelled)
    }

    @Test(arguments: [200, 404])
    func `an answer between failures leaves the store up`(status: Int) async throws {
        let talk = try Talk(attempts: 1, breaker: Breaker(threshold: 3, patience: .zero)) { _, number in
            .init(number % 3 == 0 ? status : 500)
        }
        for _ in 0..<12 { _ = await talk.ask() }
        #expect(talk.server.requests.count == 12)
    }

    @Test func `a server that cannot be reached is a transient failure without its address`() async throws {
        let talk = try Talk(attempts: 1) { _, _ in .init() }
        let request = HTTPRequest(url: "http://127.0.0.1:1/things/secret", route: "/things/{id}")
        do throws(StoreFailure) {
            _ = try await talk.client.send(request, to: Talk.endpoint, classify: Talk.classify)
            Issue.record("nobody listens there")
        } catch {
            #expect(error.kind == .transient)
            #expect(error.reason == "connect_failed")
            #expect(!error.message.contains("secret"))
        }
    }

    @Test func `a request that cannot be sent sets aside`() async throws {
        let talk = try Talk { _, _ in .init() }
        let request = HTTPRequest(url: "http://store.example/things/secret", route: "/things/{id}")
        await #expect {
            _ = try await talk.client.send(request, to: Talk.endpoint, classify: Talk.classify)
        } throws: { error in
            (error as? StoreFailure)?.kind == .unreadable
        }
    }

    @Test func `cancelling gives up waiting, queueing and asking`() async throws {
        let talk = try Talk(maxInFlight: 1) { _, _ in .init(200, "", delay: .milliseconds(200)) }
        let tasks = (0..<3).map { id in Task { await talk.ask("\(id)") } }
        try await waitUntil { !talk.server.requests.isEmpty }
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value.failure?.kind == .cancelled) }
        #expect(await talk.ask() == .success(""))
    }

    @Test func `a request is built again for each try`() async throws {
        let talk = try Talk { _, number in .init(number < 3 ? 500 : 200) }
        let made = Mutex(0)
        let url = talk.server.url
        _ = try await talk.client.send(to: Talk.endpoint, classify: Talk.classify) {
            () async throws(StoreFailure) in
            let number = made.withLock { made in
                made += 1
                return made
            }
            return HTTPRequest(url: "\(url)/\(number)", route: "/{n}")
        }
        #expect(talk.server.requests.map(\.path) == ["/1", "/2", "/3"])
    }

    @Test func `each endpoint has its share of its own published rate`() {
        let pace = Pace(requestsPerSecond: 40, published: 50)
        #expect(pace.rate(of: Endpoint(name: "a", publishedRate: 50)) == 40)
        #expect(pace.rate(of: Endpoint(name: "b", publishedRate: 10)) == 8)
    }

    @Test func `neither log nor failure contains an id, a token or a URL`() async throws {
        let talk = try Talk(
            attempts: 2, breaker: Breaker(threshold: 1, firstPause: .milliseconds(1), patience: .milliseconds(3))
        ) { _, number in
            number == 1 ? .init(429) : .init(500)
        }
        var words: [String] = []
        for _ in 0..<3 { words.append("\(await talk.ask("canary-4711"))") }
        words += talk.log.lines
        #expect(talk.log.lines.contains { $0.contains("too many requests") })
        for secret in ["canary-4711", "sesame", "127.0.0.1:\(talk.server.port)/"] {
            #expect(!words.contains { $0.contains(secret) })
        }
    }
}

extension Result {
    var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
