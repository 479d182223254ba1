// SPDX-License-Identifier: Apache-2.0

import HTTP
import Logging
import Model
import Runs
import Stores
import TestSupport
import Testing

@testable import Nightly

/// A host that alone has no answer of a store holds nothing that others could do.
@Suite(.hangLimit) struct HostWithoutStoreTests {
    private static let states = "select state from subledger.run_chunks order by chunk_no"
    private static let failures = "select count(*) from subledger.subscriptions where failures > 0"

    @Test func `its chunk goes back to a host that gets on, and is done there`() async throws {
        try await ChunkWorld.with { world in
            try await world.register((1001...1030).map(String.init))
            let run = try await world.plannedNight().run
            let silent = try LoopbackServer { _, _ in .init(503) }
            let talkative = try LoopbackServer { _, _ in .init() }
            let cut = QuestioningStore(url: silent.url).app(logger: world.log.logger)
            let alone = try await world.host(of: run, asking: cut)
            try await Self.note(10, checkedElsewhereIn: run, world)
            for _ in 0..<2 { await alone.exchange.exchange() }
            async let waiting: Void = alone.work()
            while cut.client.spent.waitedMilliseconds == 0 { try await Task.sleep(for: .milliseconds(5)) }
            #expect(try await world.connection.lines(Self.states) == ["leased", "pending", "pending"])
            try await Self.note(20, checkedElsewhereIn: run, world)
            for _ in 0..<2 { await alone.exchange.exchange() }
            try await waiting
            #expect(try await world.connection.lines(Self.states) == ["pending", "pending", "pending"])
            #expect(await alone.stops.failures == [:])
            let other = QuestioningStore(url: talkative.url).app(logger: world.log.logger)
            try await world.host(of: run, asking: other).work()
            #expect(try await world.connection.lines(Self.states) == ["done", "done", "done"])
            #expect(try await world.connection.lines(Self.failures) == ["0"])
        }
    }

    /// Another host has checked so many of the app by now.
    private static func note(_ checks: Int, checkedElsewhereIn run: Run, _ world: ChunkWorld) async throws {
        try await world.connection.script(
            """
            insert into subledger.run_hosts (run_id, host_name, app_id, machine, process_id, checks, seen_at)
            values (\(run.id), 'other', 'acme-ios', 'other', 1, \(checks), now())
            on conflict (run_id, host_name, app_id) do update set checks = excluded.checks
            """)
    }
}

/// A store that is asked over the network, and says of all that they have ended.
private struct QuestioningStore: Store {
    let appID = ChunkWorld.app
    let kind = StoreKind.appStore
    let refundWatchDays: [Int64] = []
    let url: String

    func inquiries(for due: [DueSubscription]) -> [Inquiry] { due.map { Inquiry(subscriptions: [$0]) } }

    func ask(_ inquiry: Inquiry, through client: ThrottledClient) async throws(StoreFailure) -> StoreAnswer {
        _ = try await client.send(
            HTTPRequest(url: url + "/things", route: "/things"), to: Endpoint(name: "things", publishedRate: 1_000),
            classify: { $0.status == 200 ? .accept : .retry(after: nil, reason: "http_\($0.status)") })
        return StoreAnswer(inquiry: inquiry, environment: .production, documents: [], answeredAt: nil)
    }

    func read(_ answer: StoreAnswer) throws(UnreadableAnswer) -> Reading { .ended(answer.inquiry) }

    /// In a hurry: an outage begins with the first failure, and whoever gets on after that says that it is this host's own.
    func app(logger: Logger) -> StoreApp {
        let breaker = Breaker(
            threshold: 1, firstPause: .milliseconds(500), longestPause: .milliseconds(500), patience: .seconds(600),
            isolation: Isolation(settling: .zero, freshness: .seconds(600)))
        let client = ThrottledClient(
            client: HTTPClient(HTTPClientConfiguration(version: .http1), logger: logger), appID: appID,
            quota: Quota(Pace(requestsPerSecond: 1_000, published: 1_000)), maxInFlight: 1, breaker: breaker,
            budget: SharedRetryBudget(), logger: logger)
        return StoreApp(
            id: appID, environment: .production, defaultCountry: nil, store: self, client: client, maxInFlight: 1)
    }
}
