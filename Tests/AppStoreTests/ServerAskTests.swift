// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Signing
import Stores
import TestSupport
import Testing

@testable import AppStore

@Suite(.hangLimit) struct ServerAskTests {
    /// Asks a server about one subscription; its paths distinguish production, sandbox and what is asked for.
    private func ask(
        _ due: DueSubscription, environment: PurchaseEnvironment = .production,
        answer: @escaping @Sendable (LoopbackServer.Request, Int) -> LoopbackServer.Answer
    ) async throws -> (answer: Result<StoreAnswer, StoreFailure>, requests: [LoopbackServer.Request]) {
        let server = try LoopbackServer(answer)
        let configuration = try Acme.configuration(url: server.url, environment: environment)
        let store = try configuration.store(clock: { Acme.now })
        let inquiry = try #require(store.inquiries(for: [due]).first)
        do throws(StoreFailure) {
            return (.success(try await store.ask(inquiry, through: Acme.client())), server.requests)
        } catch {
            return (.failure(error), server.requests)
        }
    }

    private static func refused(_ code: Int) -> LoopbackServer.Answer {
        .init(code / 10_000, "{\"errorCode\":\(code),\"errorMessage\":\"No.\"}")
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `B8: a steady night is one call`() async throws {
        let statuses = Self.text(try Rows.statuses())
        let (answer, requests) = try await ask(Acme.due(cursor: "r1", known: [Acme.known()])) { _, _ in
            .init(200, statuses, headers: [("Date", "Sun, 06 Nov 1994 08:49:37 GMT")])
        }
        #expect(requests.map(\.path) == ["/inApps/v1/subscriptions/2001"])
        let taken = try answer.get()
        #expect(taken.documents.map(\.endpoint) == ["statuses"])
        #expect(taken.environment == .production)
        // The date of RFC 9110's own example.
        #expect(taken.answeredAt == Instant(iso8601: "1994-11-06T08:49:37Z"))
    }

    @Test func `B8: a first check reads the history from its beginning, page by page`() async throws {
        let statuses = Self.text(try Rows.statuses())
        let pages = [
            Self.text(try Rows.history([], revision: "a b&c", hasMore: true)),
            Self.text(try Rows.history([], revision: "end")),
        ]
        let (answer, requests) = try await ask(Acme.due(answeredBefore: false)) { request, number in
            request.path.contains("history") ? .init(200, pages[number - 2]) : .init(200, statuses)
        }
        #expect(
            requests.map(\.path) == [
                "/inApps/v1/subscriptions/2001", "/inApps/v2/history/2001?sort=ASCENDING",
                "/inApps/v2/history/2001?sort=ASCENDING&revision=a%20b%26c",
            ])
        #expect(try answer.get().documents.map(\.endpoint) == ["statuses", "history", "history"])
    }

    @Test func `B8: a gap reads the history from the cursor`() async throws {
        let statuses = Self.text(try Rows.statuses())
        let page = Self.text(try Rows.history([], revision: "r2"))
        let (_, requests) = try await ask(Acme.due(cursor: "r1")) { request, _ in
            .init(200, request.path.contains("history") ? page : statuses)
        }
        #expect(requests.last?.path == "/inApps/v2/history/2001?sort=ASCENDING&revision=r1")
    }

    @Test func `B8: a cursor that the store no longer accepts is dropped once`() async throws {
        let statuses = Self.text(try Rows.statuses())
        let page = Self.text(try Rows.history([], revision: "r2"))
        let (answer, requests) = try await ask(Acme.due(cursor: "old")) { request, _ in
            if request.path.contains("revision=old") { return Self.refused(4_000_005) }
            return .init(200, request.path.contains("history") ? page : statuses)
        }
        #expect(requests.last?.path == "/inApps/v2/history/2001?sort=ASCENDING")
        #expect(try answer.get().documents.count == 2)
    }

    @Test func `pages that go in a circle are given up`() async throws {
        let statuses = Self.text(try Rows.statuses())
        let page = Self.text(try Rows.history([], revision: "same", hasMore: true))
        let (answer, requests) = try await ask(Acme.due()) { request, _ in
            .init(200, request.path.contains("history") ? page : statuses)
        }
        #expect(throws: StoreFailure.self) { try answer.get() }
        #expect(requests.count == 3)
    }

    @Test(arguments: [nil, .production] as [PurchaseEnvironment?])
    func `A6: what production does not know is asked for in the sandbox`(known: PurchaseEnvironment?) async throws {
        let sandbox = Self.text(
            try Rows.statuses(
                [
                    try Rows.entry(
                        Rows.transaction(["environment": "Sandbox"]), Rows.renewal(["environment": "Sandbox"]))
                ],
                ["environment": "Sandbox"]))
        let due = Acme.due(environment: known, cursor: "of-production", known: [Acme.known()])
        let (answer, requests) = try await ask(due) { request, _ in
            request.path.hasPrefix("/sandbox") ? .init(200, sandbox) : Self.refused(4_040_010)
        }
        #expect(requests.map(\.path) == ["/inApps/v1/subscriptions/2001", "/sandbox/inApps/v1/subscriptions/2001"])
        let taken = try answer.get()
        #expect(taken.environment == .sandbox)
        let reading = try Acme.read(
            taken.documents[0].body, due: due, environment: .sandbox)
        #expect(reading.observations[0].environment == .sandbox)
        // A cursor of the other environment means nothing here.
        #expect(reading.observations[0].historyCursor == nil)
    }

    @Test func `what neither environment knows is not found`() async throws {
        let (answer, requests) = try await ask(Acme.due()) { _, _ in Self.refused(4_040_010) }
        #expect(answer.failure?.kind == .notFound)
        #expect(requests.count == 2)
    }

    @Test func `A6: a sandbox id is asked for in the sandbox only`() async throws {
        let (answer, requests) = try await ask(Acme.due(environment: .sandbox)) { _, _ in Self.refused(4_040_010) }
        #expect(answer.failure?.kind == .notFound)
        #expect(requests.map(\.path) == ["/sandbox/inApps/v1/subscriptions/2001"])
    }

    @Test func `B11: a 401 stops the app and is never taken for a sandbox id`() async throws {
        let (answer, requests) = try await ask(Acme.due(environment: nil)) { _, _ in .init(401, "") }
        #expect(answer.failure?.kind == .credential)
        #expect(requests.count == 1)
    }

    @Test func `other final errors do not look elsewhere`() async throws {
        let (answer, requests) = try await ask(Acme.due()) { _, _ in Self.refused(4_000_006) }
        #expect(answer.failure?.kind == .notFound)
        #expect(requests.count == 1)
    }

    @Test func `B9: the token is the one the store demands`() async throws {
        let statuses = Self.text(try Rows.statuses())
        let (_, requests) = try await ask(Acme.due(known: [Acme.known()])) { _, _ in .init(200, statuses) }
        let header = try #require(requests.first?.header("authorization"))
        #expect(header.hasPrefix("Bearer "))
        let parts = header.dropFirst(7).split(separator: ".")
        let decoded = try parts.prefix(2).map { part in
            try JSONDecoder().decode([String: Member].self, from: Data(try #require(Base64URL.decode(part))))
        }
        #expect(decoded[0] == ["alg": .text("ES256"), "kid": .text("2X9R4HXF34"), "typ": .text("JWT")])
        let now = Rows.signed / 1_000
        #expect(
            decoded[1] == [
                "iss": .text("issuer"), "iat": .number(now - 60), "exp": .number(now + 300),
                "aud": .text("appstoreconnect-v1"), "bid": .text("com.acme.app"),
            ])
    }

    private enum Member: Decodable, Equatable {
        case text(String)
        case number(Int64)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int64.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }
    }

    @Test func `a token is used again for four minutes`() throws {
        let configuration = try Acme.configuration()
        guard case .server(let server) = configuration.api else { return }
        let tokens = try ServerTokens(server, bundleID: "com.acme.app", appID: AppID("acme-ios"))
        let first = try tokens.token(now: 1_000_000)
        #expect(try tokens.token(now: 1_000_239) == first)
        #expect(try tokens.token(now: 1_000_240) != first)
        // A clock that was set back makes a new one too.
        #expect(try tokens.token(now: 999_000) != first)
    }

    @Test func `a key or a root that is none stops the app with its name`() throws {
        for part in ["private_key_file", "root_certificate_file"] {
            var configuration = try Acme.configuration()
            guard case .server(var server) = configuration.api else { return }
            if part == "private_key_file" {
                server.signer = nil
            } else {
                server.rootCertificate = [1]
            }
            configuration.api = .server(server)
            let failure = #expect(throws: StoreFailure.self) { _ = try configuration.store() }
            #expect(failure?.kind == .credential)
            #expect(failure?.message.contains(part) == true)
        }
    }

    @Test func `each subscription is asked about once`() throws {
        let store = try Acme.configuration().store()
        let inquiries = store.inquiries(for: [Acme.due("1"), Acme.due("2"), Acme.due("1")])
        #expect(inquiries.map { $0.subscriptions.map(\.storeKey) } == [[Secret("1")], [Secret("2")]])
        #expect(store.refundWatchDays == [30, 60])
    }
}

extension Result {
    var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
