// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import TestSupport
import Testing

@testable import AppStore

/// Get Transaction Info, asked for ids that are no subscription's.
@Suite(.hangLimit) struct ServerResolveTests {
    @Test func `A1: a first id that is no subscription's is looked up, and its original one asked about`() async throws
    {
        let statuses = ServerTalk.text(try Rows.statuses())
        let page = ServerTalk.text(try Rows.history([Rows.transaction()], revision: "r1"))
        let info = try ServerTalk.info(Rows.transaction())
        let (result, paths, store) = try await ServerTalk.ask(Acme.due("2002", answeredBefore: false)) { request, _ in
            switch request.path {
            case "/inApps/v1/transactions/2002": .init(200, info)
            case "/inApps/v1/subscriptions/2001": .init(200, statuses)
            case let path where path.hasPrefix("/inApps/v2/history/2001"): .init(200, page)
            default: ServerTalk.unknown
            }
        }
        #expect(
            paths == [
                "/inApps/v1/subscriptions/2002", "/sandbox/inApps/v1/subscriptions/2002",
                "/inApps/v1/transactions/2002", "/inApps/v1/subscriptions/2001",
                "/inApps/v2/history/2001?sort=ASCENDING",
            ])
        let reading = try store.read(try result.get())
        #expect(reading.observations.map(\.storeKey) == ["2002", "2001"].map(Secret.init))
        #expect(reading.observations[1].periods.map(\.transactionID) == ["2002"])
        #expect(reading.observations.map(\.isSubstitute) == [true, false])
        #expect(reading.observations[0].linkedTo == Secret("2001"))
    }

    @Test func `a transaction of the sandbox is looked up there, after production`() async throws {
        let info = try ServerTalk.info(Rows.transaction(["transactionId": "2001", "environment": "Sandbox"]))
        let (result, paths, store) = try await ServerTalk.ask(Acme.due(environment: nil, answeredBefore: false)) {
            request, _ in
            request.path == "/sandbox/inApps/v1/transactions/2001" ? .init(200, info) : ServerTalk.unknown
        }
        #expect(
            paths == [
                "/inApps/v1/subscriptions/2001", "/sandbox/inApps/v1/subscriptions/2001",
                "/inApps/v1/transactions/2001", "/sandbox/inApps/v1/transactions/2001",
            ])
        // It is its own original: what is known of it is booked, and its state waits for the store to know one.
        let reading = try store.read(try result.get())
        #expect(reading.observations.map(\.environment) == [.sandbox])
        #expect(reading.observations.first?.periods.map(\.transactionID) == ["2001"])
        #expect(reading.observations.first?.status?.state == nil)
    }

    @Test func `an id that is no transaction either is not found, and one that answered before is not looked up`()
        async throws
    {
        let first = try await ServerTalk.ask(Acme.due(answeredBefore: false)) { _, _ in ServerTalk.unknown }
        #expect(first.result.failure?.reason == "error_4040010")
        #expect(first.paths.count == 4)
        let later = try await ServerTalk.ask(Acme.due()) { _, _ in ServerTalk.unknown }
        #expect(later.result.failure?.kind == .notFound)
        #expect(!later.paths.contains { $0.contains("transactions") })
    }

    @Test func `a looked-up row that the store did not sign makes no subscription`() async throws {
        let signers = try Signers.shared.get()
        let forged = try signers.sign(Rows.transaction(["transactionId": "2001"]), by: signers.good)
        let info = ServerTalk.text(try Rows.json(["signedTransactionInfo": forged]))
        let (result, _, store) = try await ServerTalk.ask(Acme.due(answeredBefore: false)) { request, _ in
            request.path.contains("transactions") ? .init(200, info) : ServerTalk.unknown
        }
        let answer = try result.get()
        #expect(throws: UnreadableAnswer.self) { try store.read(answer) }
    }
}
