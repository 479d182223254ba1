// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import TestSupport
import Testing

@testable import GooglePlay

/// Over real sockets.
@Suite(.hangLimit) struct AskTests {
    private static let body = Play.json(Play.subscription())

    private func ask(
        _ due: DueSubscription, api: GooglePlayConfiguration.API = .v2,
        answer: @escaping @Sendable (LoopbackServer.Request, Int) -> LoopbackServer.Answer
    ) async throws -> (Result<StoreAnswer, StoreFailure>, PlayServer) {
        let server = try PlayServer(answer: answer)
        return (try #require(try await server.ask([due], api: api).first), server)
    }

    @Test func `B8: a steady night is one call with a bearer token`() async throws {
        let (answer, server) = try await ask(Play.due("a/b?c", known: [Play.known()])) { _, _ in .init(200, Self.body) }
        #expect(server.paths == ["/purchases/subscriptionsv2/tokens/a%2Fb%3Fc"])
        #expect(server.requests.first?.header("authorization") == "Bearer access-canary-1")
        #expect(try answer.get().documents.map(\.endpoint) == ["subscription"])
        #expect(try answer.get().answeredAt == Play.now)
        #expect(server.tokens == 1)
    }

    @Test func `B9: a refused token is renewed once and the request sent again`() async throws {
        let (answer, server) = try await ask(Play.due(known: [Play.known()])) { request, _ in
            request.header("authorization") == "Bearer access-canary-1"
                ? PlayServer.refusal(401, "authError") : .init(200, Self.body)
        }
        #expect(answer.failure == nil)
        #expect(server.tokens == 2)
        #expect(server.requests.count == 2)
    }

    @Test func `a token that is refused twice stops the app`() async throws {
        let (answer, server) = try await ask(Play.due()) { _, _ in PlayServer.refusal(401, "authError") }
        #expect(answer.failure?.kind == .credential)
        #expect(server.tokens == 2)
        #expect(server.requests.count == 2)
    }

    @Test func `B11: a missing permission renews nothing`() async throws {
        let (answer, server) = try await ask(Play.due()) { _, _ in
            PlayServer.refusal(
                401, "permissionDenied", headers: [("WWW-Authenticate", "Bearer error=\"invalid_token\"")])
        }
        #expect(answer.failure?.kind == .credential)
        #expect(answer.failure?.reason == "permission")
        #expect(server.tokens == 1)
        #expect(server.requests.count == 1)
    }

    @Test func `a quota's 403 is asked again`() async throws {
        let (answer, server) = try await ask(Play.due(known: [Play.known()])) { _, number in
            number == 1 ? PlayServer.refusal(403, "rateLimitExceeded", domain: "usageLimits") : .init(200, Self.body)
        }
        #expect(answer.failure == nil)
        #expect(server.requests.count == 2)
    }

    @Test func `A6: a test purchase's answer is of the sandbox`() async throws {
        let body = Play.json(Play.subscription("ACTIVE", ["testPurchase": [:] as Object]))
        let (answer, _) = try await ask(Play.due(environment: nil, known: [Play.known()])) { _, _ in .init(200, body) }
        #expect(try answer.get().environment == .sandbox)
    }

    @Test func `B6: a refund watch asks for the known orders only`() async throws {
        let (answer, server) = try await ask(Play.due(wantsOnlyRefunds: true, known: [Play.known()])) { request, _ in
            PlayServer.batch(request, of: [Play.base: Play.order()])
        }
        #expect(server.paths == ["/orders:batchGet?orderIds=\(Play.base)"])
        #expect(try answer.get().documents.map(\.endpoint) == ["order"])
    }

    /// A purchase that ended in January; its token is dead, its order was given back in March.
    private static func dead(wantsHistory: Bool, ended: Bool = true) -> DueSubscription {
        let end = Play.time("2026-01-01T00:00:00Z")
        return Play.due(
            snapshot: SubscriptionSnapshot(
                state: ended ? .expired : .active, expiresAt: end, endedAt: ended ? end : nil,
                endReason: ended ? .voluntary : nil, lastCheckedAt: end),
            wantsHistory: wantsHistory, known: [Play.known()])
    }

    @Test func `B6: orders outlive their token`() async throws {
        let (answer, _) = try await ask(Self.dead(wantsHistory: true)) { request, _ in
            request.path.contains("orders:batchGet")
                ? PlayServer.batch(request, of: [Play.base: Play.order(state: "REFUNDED")])
                : PlayServer.refusal(410, "subscriptionPurchaseNoLongerAvailable")
        }
        let reading = try Play.store().read(try answer.get())
        #expect(reading.periods.first?.refund?.micros == 9_990_000)
        #expect(reading.status?.endReason == .refund)
        #expect(reading.status?.revokedAt == Play.time("2026-01-01T00:00:00Z"))
    }

    @Test(arguments: [(false, true), (true, false)])
    func `a dead token is gone where nothing is to be looked at, or the end is not known`(
        wantsHistory: Bool, ended: Bool
    ) async throws {
        let (answer, server) = try await ask(Self.dead(wantsHistory: wantsHistory, ended: ended)) { _, _ in
            PlayServer.refusal(410, "subscriptionPurchaseNoLongerAvailable")
        }
        #expect(answer.failure?.kind == .gone)
        #expect(server.requests.count == 1)
    }

    @Test func `each purchase is one inquiry, each once`() throws {
        let store = try Play.store()
        let inquiries = store.inquiries(for: [Play.due("a"), Play.due("b"), Play.due("a")])
        #expect(inquiries.map { $0.subscriptions.map(\.storeKey) } == [[Secret("a")], [Secret("b")]])
        #expect(store.refundWatchDays == [7, 30, 60])
        #expect(store.kind == .googlePlay)
    }
}
