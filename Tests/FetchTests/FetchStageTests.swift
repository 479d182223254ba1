// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import HTTP
import Logging
import Model
import Stores
import Synchronization
import TestSupport
import Testing

@testable import Fetch

/// Asks a real server for `/{store key}`; a store as small as can be.
private struct EchoStore: CompletingStore {
    static let endpoint = Endpoint(name: "echo", publishedRate: 10_000)

    let url: String
    let appID = AppID("acme")
    let kind = StoreKind.appStore
    let refundWatchDays: [Int64] = []
    /// What completing does; nil: nothing is left to ask.
    var completing: (@Sendable ([StoreAnswer]) -> Result<[Result<StoreAnswer, StoreFailure>], StoreFailure>)?

    func complete(
        _ answers: [StoreAnswer], through client: ThrottledClient
    ) async throws(StoreFailure) -> [Result<StoreAnswer, StoreFailure>] {
        guard let completing else { return answers.map { .success($0) } }
        return try completing(answers).get()
    }

    func inquiries(for due: [DueSubscription]) -> [Inquiry] { due.map { Inquiry(subscriptions: [$0]) } }

    func ask(_ inquiry: Inquiry, through client: ThrottledClient) async throws(StoreFailure) -> StoreAnswer {
        let request = HTTPRequest(url: "\(url)/\(inquiry.subscriptions[0].storeKey.reveal())", route: "/{id}")
        let response = try await client.send(request, to: Self.endpoint) { response in
            switch response.status {
            case 200: .accept
            case 401: .fail(StoreFailure(.credential, reason: "http_401", message: "The key is wrong."))
            case 404: .fail(StoreFailure(.notFound, reason: "http_404", message: "No such thing."))
            default: .retry(after: nil, reason: "http_\(response.status)")
            }
        }
        let document = StoreAnswer.Document(endpoint: "echo", body: response.body)
        return StoreAnswer(inquiry: inquiry, environment: .production, documents: [document], answeredAt: nil)
    }

    func read(_ answer: StoreAnswer) throws(UnreadableAnswer) -> Reading {
        throw UnreadableAnswer(reason: "never", message: "Nobody reads here.")
    }
}

@Suite(.hangLimit) struct FetchStageTests {
    private func due(_ id: Int) -> DueSubscription {
        let key = SubscriptionKey(Int64(id))
        return DueSubscription(
            key: key, lineageKey: key, appID: AppID("acme"), storeKey: Secret("\(id)"), environment: nil,
            accountID: nil,
            productID: nil, country: nil, snapshot: SubscriptionSnapshot(), historyCursor: nil, receipt: nil, known: [])
    }

    /// Fetches the subscriptions 1 to `count` from a server that answers with `answer`.
    private func fetch(
        _ count: Int, maxInFlight: Int = 4, byteLimit: Int = .max, breaker: Breaker = Breaker(patience: .zero),
        completing: (@Sendable ([StoreAnswer]) -> Result<[Result<StoreAnswer, StoreFailure>], StoreFailure>)? = nil,
        answer: @escaping @Sendable (LoopbackServer.Request, Int) -> LoopbackServer.Answer
    ) async throws -> (chunk: FetchedChunk, server: LoopbackServer) {
        let server = try LoopbackServer(answer)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let client = ThrottledClient(
            client: HTTPClient(HTTPClientConfiguration(version: .http1), logger: logger), appID: AppID("acme"),
            quota: Quota(Pace(requestsPerSecond: 10_000, published: 10_000)), maxInFlight: 64,
            backoff: Backoff(base: .milliseconds(1), attempts: 2), breaker: breaker, budget: SharedRetryBudget(),
            logger: logger)
        let stage = FetchStage(
            store: EchoStore(url: server.url, completing: completing), client: client,
            maxInFlight: maxInFlight, byteLimit: byteLimit, logger: logger)
        return (await stage.fetch((1...count).map(due)), server)
    }

    private func keys(_ chunk: FetchedChunk) -> [String] {
        chunk.outcomes.map { $0.inquiry.subscriptions[0].storeKey.reveal() }
    }

    @Test func `all are asked and answered, in the order they were due`() async throws {
        let (chunk, server) = try await fetch(30) { request, number in
            .init(200, request.path, delay: .milliseconds(number % 3))
        }
        #expect(chunk.stopped == nil)
        #expect(keys(chunk) == (1...30).map(String.init))
        let bodies = try chunk.outcomes.map {
            String(decoding: try $0.result.get().answer.documents[0].body, as: UTF8.self)
        }
        #expect(bodies == (1...30).map { "/\($0)" })
        #expect(server.requests.count == 30)
    }

    /// Answers of a hundred bytes: the third one makes them more than 250 together.
    @Test func `once the answers are long enough the rest is left`() async throws {
        let (chunk, server) = try await fetch(10, maxInFlight: 1, byteLimit: 250) { _, _ in
            .init(200, String(repeating: "x", count: 100))
        }
        #expect(keys(chunk) == ["1", "2", "3"])
        #expect(chunk.remaining.map { $0.subscriptions[0].storeKey.reveal() } == (4...10).map(String.init))
        #expect(chunk.stopped == nil)
        #expect(server.requests.count == 3)
    }

    @Test func `what was already started when the answers became long enough is part of them`() async throws {
        let (chunk, server) = try await fetch(10, maxInFlight: 4, byteLimit: 1) { _, _ in .init(200, "x") }
        #expect(keys(chunk) == (1...4).map(String.init))
        #expect(chunk.remaining.count == 6)
        #expect(server.requests.count == 4)
    }

    /// 300 bytes, then one: two such as the first are more than 500, four at the mean of both are little more than that.
    @Test func `a long answer delays others only until shorter ones have ended`() async throws {
        let started = Mutex<Set<String>>([])
        let (chunk, _) = try await fetch(4, maxInFlight: 2, byteLimit: 500) { request, _ in
            started.withLock { _ = $0.insert(request.path) }
            switch request.path {
            case "/1": return .init(200, String(repeating: "x", count: 300))
            case "/2": return .init(200, "x", delay: .milliseconds(300))
            case "/3":
                for _ in 0..<500 where !started.withLock({ $0.contains("/4") }) { Thread.sleep(forTimeInterval: 0.01) }
                return .init(200, started.withLock { $0.contains("/4") } ? "beside" : "alone")
            default: return .init(200, "x")
            }
        }
        #expect(keys(chunk) == ["1", "2", "3", "4"])
        let third = try chunk.outcomes[2].result.get().answer.documents[0].body
        #expect(String(decoding: third, as: UTF8.self) == "beside")
    }

    @Test func `where the app stops, all of which nothing came are left`() async throws {
        let (chunk, _) = try await fetch(10, maxInFlight: 1, byteLimit: 1) { _, _ in .init(401, "") }
        #expect(chunk.stopped != nil)
        #expect(chunk.remaining.map { $0.subscriptions[0].storeKey.reveal() } == (1...10).map(String.init))
    }

    /// A long history is not kept until its neighbours are in: what is made of it is.
    @Test func `an answer is taken as it comes, before the next one is asked for`() async throws {
        let log = Mutex<[String]>([])
        let server = try LoopbackServer { request, _ in
            log.withLock { $0.append("asked \(request.path)") }
            return .init(200, request.path)
        }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let client = ThrottledClient(
            client: HTTPClient(HTTPClientConfiguration(version: .http1), logger: logger), appID: AppID("acme"),
            quota: Quota(Pace(requestsPerSecond: 1_000, published: 1_000)), maxInFlight: 1, budget: SharedRetryBudget(),
            logger: logger)
        let stage = FetchStage(
            store: UnwatchedStore(store: EchoStore(url: server.url)), client: client, maxInFlight: 1,
            logger: logger)
        let fetched = await stage.fetch((1...3).map(due)) { outcome in
            let key = outcome.inquiry.subscriptions[0].storeKey.reveal()
            log.withLock { $0.append("taken /\(key)") }
            return key
        }
        #expect(fetched.outcomes == ["1", "2", "3"])
        let expected = (1...3).flatMap { ["asked /\($0)", "taken /\($0)"] }
        #expect(log.withLock { $0 } == expected)
    }

    @Test func `no more inquiries are under way than allowed`() async throws {
        let (_, server) = try await fetch(24, maxInFlight: 3) { _, _ in .init(200, "", delay: .milliseconds(30)) }
        #expect(server.mostInFlight == 3)
    }

    @Test func `a failure of one is its own outcome`() async throws {
        let (chunk, _) = try await fetch(10) { request, _ in
            request.path == "/4" ? .init(404) : request.path == "/7" ? .init(500) : .init()
        }
        #expect(chunk.stopped == nil)
        let failures = chunk.outcomes.map { outcome -> StoreFailure.Kind? in
            if case .failure(let failure) = outcome.result { failure.kind } else { nil }
        }
        // A server that fails on one id and answers the others refuses that one.
        #expect(failures == [nil, nil, nil, .notFound, nil, nil, .refusedForNow, nil, nil, nil])
    }

    @Test func `a wrong key stops the app: the rest is cancelled and none of it is an outcome`() async throws {
        let (chunk, server) = try await fetch(200, maxInFlight: 4) { request, _ in
            switch Int(request.path.dropFirst()) ?? 0 {
            case ...5: .init()
            case 6: .init(401)
            default: .init(200, "", delay: .seconds(20))
            }
        }
        #expect(chunk.stopped?.kind == .credential)
        #expect(Set(keys(chunk)).isSubset(of: ["1", "2", "3", "4", "5"]))
        #expect(!keys(chunk).isEmpty)
        #expect(server.requests.count < 12)
    }

    /// A request in five seconds and a night of eight: two are asked and answered, the others left.
    @Test func `what the night has no time for is left, and what was started is an outcome`() async throws {
        let server = try LoopbackServer { _, _ in .init() }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let client = ThrottledClient(
            client: HTTPClient(HTTPClientConfiguration(version: .http1), logger: logger), appID: AppID("acme"),
            quota: Quota(Pace(requestsPerSecond: 0.2, published: 10_000)), maxInFlight: 64,
            budget: SharedRetryBudget(), logger: logger)
        client.finish(by: .now + .seconds(8))
        let chunk = await FetchStage(
            store: EchoStore(url: server.url), client: client, maxInFlight: 4, logger: logger
        ).fetch((1...20).map(due))
        #expect(chunk.stopped?.reason == "out_of_time")
        #expect(chunk.outcomes.count == 2 && server.requests.count == 2)
        #expect(chunk.remaining.count == 18)
    }

    @Test func `a store that is down stops the app`() async throws {
        let (chunk, server) = try await fetch(100, breaker: Breaker(threshold: 10, patience: .zero)) { _, _ in
            .init(500)
        }
        #expect(chunk.stopped?.kind == .storeDown)
        #expect(server.requests.count < 20)
        #expect(chunk.outcomes.count < 20)
    }

    @Test func `an interruption ends the chunk, and is no fault of the store's that stops its app`() async throws {
        let server = try LoopbackServer { _, _ in .init(200, "", delay: .seconds(20)) }
        let log = RecordedLog()
        let logger = log.logger
        let client = ThrottledClient(
            client: HTTPClient(HTTPClientConfiguration(version: .http1), logger: logger), appID: AppID("acme"),
            quota: Quota(Pace(requestsPerSecond: 1_000, published: 1_000)), maxInFlight: 8, budget: SharedRetryBudget(),
            logger: logger)
        let stage = FetchStage(
            store: EchoStore(url: server.url), client: client, maxInFlight: 4, logger: logger)
        let due = (1...50).map(due)
        let task = Task { await stage.fetch(due) }
        try await waitUntil { !server.requests.isEmpty }
        task.cancel()
        let chunk = await task.value
        #expect(chunk.stopped?.kind == .cancelled)
        #expect(chunk.outcomes.isEmpty)
        #expect(log.lines.filter { $0.contains("stops") } == [])
    }

    @Test func `an empty chunk sends no request`() async throws {
        let server = try LoopbackServer { _, _ in .init() }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let client = ThrottledClient(
            client: HTTPClient(HTTPClientConfiguration(version: .http1), logger: logger), appID: AppID("acme"),
            quota: Quota(Pace(requestsPerSecond: 1, published: 1)), maxInFlight: 1, budget: SharedRetryBudget(),
            logger: logger)
        let stage = FetchStage(
            store: EchoStore(url: server.url), client: client, maxInFlight: 4, logger: logger)
        #expect(await stage.fetch([]).outcomes.isEmpty)
        #expect(server.requests.isEmpty)
    }

    /// Of six, the second failed by itself; of the five others the store is asked at once, and the fourth turns out gone.
    @Test func `an answer that cannot be completed is a failure of its own`() async throws {
        let (chunk, _) = try await fetch(6) { answers in
            .success(
                answers.map { answer in
                    answer.inquiry.subscriptions[0].storeKey.reveal() == "4"
                        ? .failure(StoreFailure(.gone, reason: "http_410", message: "Gone."))
                        : .success(answer.having("completed"))
                })
        } answer: { request, _ in
            request.path == "/2" ? .init(404) : .init()
        }
        #expect(chunk.stopped == nil)
        #expect(keys(chunk) == ["1", "2", "3", "4", "5", "6"])
        #expect(
            chunk.outcomes.map { outcome -> String in
                switch outcome.result {
                case .success(let read): read.answer.documents.last?.endpoint ?? ""
                case .failure(let failure): failure.reason
                }
            } == ["completed", "http_404", "completed", "http_410", "completed", "completed"])
    }

    @Test func `a stop while answers are completed drops the halves and retains the failures`() async throws {
        let (chunk, _) = try await fetch(4) { _ in
            .failure(StoreFailure(.credential, reason: "http_401", message: "The key is wrong."))
        } answer: { request, _ in
            request.path == "/2" ? .init(404) : .init()
        }
        #expect(chunk.stopped?.kind == .credential)
        #expect(keys(chunk) == ["2"])
    }
}

extension StoreAnswer {
    /// The same with one document more.
    fileprivate func having(_ endpoint: String) -> StoreAnswer {
        StoreAnswer(
            inquiry: inquiry, environment: environment,
            documents: documents + [StoreAnswer.Document(endpoint: endpoint, body: [])], answeredAt: answeredAt)
    }
}
