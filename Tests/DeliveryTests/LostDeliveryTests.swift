// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import Runs
import TestSupport
import Testing

@testable import Delivery

/// Issues sent while the session with the database is lost.
@Suite(.hangLimit) struct LostDeliveryTests {
    private typealias World = DeliveryWorld

    private static func proxied(_ world: DeliveryWorld) async throws -> (CuttingProxy, PostgresConfiguration) {
        let proxy = try CuttingProxy(toSocket: try await world.connection.socketPath())
        let url = try await world.connection.url(throughPort: proxy.port) + "?sslmode=disable"
        return (proxy, try PostgresConfiguration(url: url))
    }

    private static func deliveries(_ world: DeliveryWorld) async throws -> [String] {
        try await world.connection.lines("select state, deliveries from subledger.report_deliveries")
    }

    /// As the turn to send is taken, as an attempt begins, and as what became of it is written down: before and after the server has it.
    private static let losses: [(CuttingProxy.Fault, CuttingProxy.Place)] = [
        (.cut, .commit(1)), (.answerLost, .commit(1)), (.cut, .commit(2)), (.answerLost, .commit(2)),
        (.cut, .words("message.name, 'delivered'", time: 1)),
        (.answerLost, .words("message.name, 'delivered'", time: 1)),
    ]

    @Test(arguments: losses)
    func `a message goes out once where the session is lost that writes it down`(
        fault: CuttingProxy.Fault, place: CuttingProxy.Place
    ) async throws {
        try await World.with { world in
            try await world.issue()
            let hook = try LoopbackServer { _, _ in .init() }
            let (proxy, database) = try await Self.proxied(world)
            proxy.plan(fault, at: place)
            let chat = World.chat(hook.url + "/x")
            #expect(try await world.send([chat], through: database).delivered == ["chat"])
            #expect(proxy.struck == 1 && hook.requests.count == 1)
            #expect(try await Self.deliveries(world) == ["delivered|1"])
            #expect(try await world.send([chat]).delivered == [] && hook.requests.count == 1)
        }
    }

    /// The first call's message is refused once; before it tries again the database is gone, and another call sends it.
    @Test func `what another call sent while the session was lost is not sent again`() async throws {
        try await World.with { world in
            try await world.issue()
            let (proxy, database) = try await Self.proxied(world)
            let hook = try LoopbackServer { _, number in
                guard number == 1 else { return .init() }
                proxy.refuse()
                proxy.cutAll()
                return .init(503)
            }
            let chat = World.chat(hook.url + "/x")
            let first = Task { try await world.send([chat], through: database) }
            try await waitUntil { hook.requests.count == 1 }
            // The turn is free once the server knows of the lost session.
            var delivered: [String]?
            while delivered == nil {
                do {
                    delivered = try await world.send([chat]).delivered
                } catch let error as PipelineError where error.kind == .alreadyRunning {
                    continue
                }
            }
            #expect(delivered == ["chat"])
            try proxy.admit()
            #expect(try await first.value.failures == [])
            #expect(hook.requests.count == 2)
            #expect(try await Self.deliveries(world) == ["delivered|1"])
        }
    }

    /// One call's attempt, and another's that began after the first call's session was lost: the message was taken by one of them.
    private static func attempts(
        _ body: (DeliveryLedger, DeliveryMessage, _ first: Int64, _ second: Int64) async throws -> Void
    ) async throws -> [String] {
        var recorded: [String] = []
        try await World.with { world in
            try await world.issue()
            let now = try #require(Instant(iso8601: Summaries.night))
            let message = DeliveryMessage(
                kind: .digest, seal: 7, recipient: World.chat("https://chat.acme.com/x"),
                digest: try Digest(of: Summaries.summary(), alerts: [], folder: "/r", link: nil, now: now),
                folder: "/r", manifestSHA256: "", repetition: 0, now: now)
            let sessions = DatabaseSessions(world.server, logger: world.log.logger)
            let ledger = DeliveryLedger(sessions: sessions)
            let first = try #require(await ledger.begin(message, after: 0))
            let second = try #require(await ledger.begin(message, after: 0))
            try await body(ledger, message, first, second)
            await sessions.close()
            recorded = try await Self.deliveries(world)
        }
        return recorded
    }

    @Test func `a failure that is reported late says nothing of the attempt after it`() async throws {
        let failedFirst = try await Self.attempts { ledger, message, first, _ in
            try await ledger.fail(message, attempt: first, reason: "503", nextTryAfter: .seconds(1))
            try await ledger.end(message, after: 0, as: [.digest])
        }
        #expect(failedFirst == ["delivered|1"])
    }

    @Test func `a delivery that is reported late counts, although the attempt after it failed`() async throws {
        let deliveredFirst = try await Self.attempts { ledger, message, _, second in
            try await ledger.fail(message, attempt: second, reason: "503", nextTryAfter: .seconds(1))
            try await ledger.end(message, after: 0, as: [.digest])
            try await ledger.end(message, after: 0, as: [.digest])
        }
        #expect(deliveredFirst == ["delivered|1"])
    }
}
