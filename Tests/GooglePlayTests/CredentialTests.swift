// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import Synchronization
import TestSupport
import Testing

@testable import GooglePlay

/// Access tokens over real sockets.
@Suite(.hangLimit) struct CredentialTests {
    private static let known = Play.due(known: [Play.known()])
    private static let body = Play.json(Play.subscription())

    @Test func `B9: a refresh token is traded for an access token in a form`() async throws {
        let server = try PlayServer { _, _ in .init(200, Self.body) }
        _ = try await server.ask([Self.known])
        let request = try #require(server.tokenRequests.first)
        #expect(request.header("content-type") == "application/x-www-form-urlencoded")
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == "grant_type=refresh_token&client_id=client-canary&client_secret=secret-canary"
                + "&refresh_token=refresh-canary")
    }

    @Test func `the store's own sample of a token answer is used`() async throws {
        let url = try #require(
            Bundle.module.url(forResource: "Fixtures/google_access_token_answer", withExtension: "json"))
        let sample = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        let server = try PlayServer(token: { _, _ in .init(200, sample) }) { _, _ in .init(200, Self.body) }
        _ = try await server.ask([Self.known])
        #expect(
            server.requests.first?.header("authorization")
                == "Bearer ya29.AHES3ZQ_MbZCwac9TBWIbjW5ilJkXvLTeSl530Na2")
    }

    /// The clock is at the end of the first token's life; its successor is good for an hour more, stated as a text.
    @Test func `B9: a thousand requests at a token's end renew it once`() async throws {
        let server = try PlayServer(
            token: { _, number in
                .init(200, #"{"access_token":"t\#(number)","expires_in":"3600"}"#, delay: .milliseconds(20))
            },
            answer: { _, _ in .init(200, Self.body) })
        let clock = Clock(now: Play.now)
        let store = try Play.store(Play.configuration(url: server.url), clock: { clock.now })
        let client = Play.client(maxInFlight: 256)
        let inquiry = Inquiry(subscriptions: [Self.known])
        _ = try await store.ask(inquiry, through: client)
        #expect(server.tokens == 1)
        clock.advance(.minutes(60))
        let failures = await withTaskGroup(of: StoreFailure?.self) { group in
            for _ in 0..<1_000 {
                group.addTask {
                    do throws(StoreFailure) {
                        _ = try await store.ask(inquiry, through: client)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: [StoreFailure]()) { failures, failure in failure.map { failures.append($0) }
            }
        }
        #expect(failures.isEmpty)
        #expect(server.tokens == 2)
        #expect(server.requests.count == 1_001)
        #expect(server.requests.dropFirst().allSatisfy { $0.header("authorization") == "Bearer t2" })
    }

    @Test(
        arguments: [
            (503, ""), (500, "<html>"), (408, ""), (429, ""), (504, ""), (400, #"{"error":"temporarily_unavailable"}"#),
            (200, "{}"), (200, "<html>"), (400, #"{"error":"server_error"}"#), (400, #"{"error":"internal_failure"}"#),
        ])
    func `what passes at the token endpoint is asked again, three times in all`(status: Int, body: String) async throws
    {
        let once = try PlayServer(token: { _, number in
            number == 1 ? .init(status, body) : .init(200, #"{"access_token":"t"}"#)
        }) { _, _ in .init(200, Self.body) }
        #expect(try await once.ask([Self.known]).first?.failure == nil)
        #expect(once.tokens == 2)
        let always = try PlayServer(token: { _, _ in .init(status, body) }) { _, _ in .init(200, Self.body) }
        #expect(try await always.ask([Self.known]).first?.failure?.kind == .transient)
        #expect(always.tokens == 3)
        #expect(always.requests.isEmpty)
    }

    @Test(arguments: [(502, ""), (404, "<html>")])
    func `other failures are not asked again at once, and nothing is final`(status: Int, body: String) async throws {
        let server = try PlayServer(token: { _, number in
            number == 1 ? .init(status, body) : .init(200, #"{"access_token":"t"}"#)
        }) { _, _ in .init(200, Self.body) }
        let answers = try await server.ask([Self.known, Play.due("token-2", known: [Play.known()])])
        #expect(answers.first?.failure?.kind == .transient)
        #expect(answers.last?.failure == nil)
        #expect(server.tokens == 2)
    }

    @Test func `B9: an invalid grant is final, and says every known cause`() async throws {
        let server = try PlayServer(token: { _, _ in
            .init(
                400, #"{"error":"invalid_grant","error_description":"canary-words","error_subtype":"invalid_rapt"}"#,
                headers: [("Date", "Sun, 06 Nov 1994 08:49:37 GMT")])
        }) { _, _ in .init(200, Self.body) }
        let answers = try await server.ask([Self.known, Play.due("token-2"), Play.due("token-3")])
        #expect(server.tokens == 1)
        #expect(server.requests.isEmpty)
        #expect(Set(answers.map { $0.failure?.kind }) == [.credential])
        let message = try #require(answers.first?.failure?.message)
        for cause in [
            "acme-android", "invalid_grant", "invalid_rapt", "revoked", "six months", "testing", "7 days", "100",
            "policy", "another client", "deleted", "clock is wrong", "short-lived", "ahead of Google's",
            "refresh_token_file",
        ] {
            #expect(message.contains(cause), "\(cause) is not named")
        }
        #expect(!message.contains("canary"))
    }

    @Test(arguments: ["invalid_client", "unauthorized_client", "invalid_scope", "access_denied"])
    func `B9: a refused client is final too`(word: String) async throws {
        let server = try PlayServer(token: { _, _ in .init(401, #"{"error":"\#(word)"}"#) }) { _, _ in .init(200, "{}")
        }
        let answers = try await server.ask([Self.known, Play.due("token-2")])
        #expect(server.tokens == 1)
        #expect(answers.allSatisfy { $0.failure?.kind == .credential && $0.failure?.reason == word })
        #expect(answers.first?.failure?.message.contains("client_secret_file") == true)
    }

    @Test func `a new refresh token is left alone and logged without its text`() async throws {
        let server = try PlayServer(token: { _, _ in
            .init(200, #"{"access_token":"access-canary","refresh_token":"new-canary","expires_in":3600}"#)
        }) { _, _ in .init(200, Self.body) }
        let log = RecordedLog()
        #expect(try await server.ask([Self.known], log: log).first?.failure == nil)
        #expect(log.lines.contains { $0.contains("warning") && $0.contains("new refresh token") })
        #expect(!log.lines.contains { $0.contains("canary") })
    }
}

/// A clock that a test moves.
final class Clock: Sendable {
    private let instant: Mutex<Instant>
    init(now: Instant) { instant = Mutex(now) }
    var now: Instant { instant.withLock { $0 } }
    func advance(_ span: Span) { instant.withLock { $0 = $0 + span } }
}
