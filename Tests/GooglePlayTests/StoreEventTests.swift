// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import TestSupport
import Testing

@testable import GooglePlay

@Suite(.hangLimit) struct StoreEventTests {
    private func events(
        since: Instant?, answer: @escaping @Sendable (LoopbackServer.Request, Int) -> LoopbackServer.Answer
    ) async throws -> (StoreEvents, PlayServer) {
        let server = try PlayServer(answer: answer)
        let store = try Play.store(Play.configuration(url: server.url))
        return (try await store.events(since: since, through: Play.client()), server)
    }

    private static func query(_ server: PlayServer, _ number: Int = 0) -> [String: String] {
        let items = URLComponents(string: server.requests[number].path)?.queryItems ?? []
        return Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value ?? "") })
    }

    private static func milliseconds(_ text: String) -> String { "\(Play.time(text).milliseconds)" }

    @Test(
        arguments: [
            (nil, "2026-02-08T12:00:00Z"), ("2026-03-09T02:00:00Z", "2026-03-07T02:00:00Z"),
            ("2026-01-01T00:00:00Z", "2026-02-08T12:00:00Z"),
        ] as [(String?, String)])
    func `the window begins two days before the last look, thirty days ago at the earliest`(
        since: String?, start: String
    ) async throws {
        let (events, server) = try await events(since: since.map(Play.time)) { _, _ in .init(200, "{}") }
        #expect(server.paths.first?.hasPrefix("/purchases/voidedpurchases?") == true)
        #expect(
            Self.query(server) == [
                // Without an end: the store's own now is none of its future.
                "startTime": Self.milliseconds(start), "type": "1", "maxResults": "1000",
                "includeQuantityBasedPartialRefund": "true",
            ])
        #expect(events.readUntil == Play.now)
        #expect(events.items.isEmpty)
    }

    @Test func `B8: all pages are read, and each purchase is reported once`() async throws {
        let first: Object = [
            "voidedPurchases": [
                // Both spellings of source and reason.
                ["purchaseToken": "t1", "orderId": "O-1..3", "voidedSource": 0, "voidedReason": 7] as Object,
                ["purchaseToken": "t2", "orderId": "O-2", "voidedSource": "1", "voidedReason": "4"] as Object,
                ["orderId": "O-lost"] as Object,
            ],
            "tokenPagination": ["nextPageToken": "p 2"],
        ]
        let second: Object = [
            "voidedPurchases": [
                ["purchaseToken": "t2", "orderId": "O-2"] as Object, ["purchaseToken": "t3"] as Object,
            ]
        ]
        let (events, server) = try await events(since: nil) { request, _ in
            .init(200, Play.json(request.path.contains("&token=p%202") ? second : first))
        }
        #expect(server.requests.count == 2)
        #expect(
            events.items == [
                StoreEvents.Item(storeKey: Secret("t1"), transactionID: "O-1..3"),
                StoreEvents.Item(storeKey: Secret("t2"), transactionID: "O-2"),
                StoreEvents.Item(storeKey: Secret("t3"), transactionID: nil),
            ])
        #expect(events.readUntil == Play.now)
    }

    @Test func `a window that has grown too old meanwhile is moved on by a day`() async throws {
        let (events, server) = try await events(since: nil) { _, number in
            number == 1 ? PlayServer.refusal(400, "invalidValue") : .init(200, "{}")
        }
        #expect(Self.query(server, 1)["startTime"] == Self.milliseconds("2026-02-09T12:00:00Z"))
        #expect(events.readUntil == Play.now)
    }

    /// Our clock is four minutes fast: what the store sees until then is in the next window.
    @Test func `the events that were read end at the store's clock`() async throws {
        let (events, _) = try await events(since: nil) { request, _ in
            request.path.contains("endTime")
                ? PlayServer.refusal(400, "invalidValue")
                : .init(200, "{}", headers: [("Date", "Tue, 10 Mar 2026 11:56:00 GMT")])
        }
        #expect(events.readUntil == Play.time("2026-03-10T11:56:00Z"))
    }

    @Test func `what could not be read to the end is looked at again, and what was reported counts`() async throws {
        let page = Play.json(
            [
                "voidedPurchases": [["purchaseToken": "t1"]], "tokenPagination": ["nextPageToken": "p"],
            ] as Object)
        let (events, _) = try await events(since: nil) { request, _ in
            request.path.contains("&token=") ? .init(503, "") : .init(200, page)
        }
        #expect(events.readUntil == nil)
        #expect(events.items.map(\.storeKey) == [Secret("t1")])
        let (circle, server) = try await self.events(since: nil) { _, _ in .init(200, page) }
        #expect(circle.readUntil == nil)
        #expect(server.requests.count == 2)
    }

    @Test func `store events that could not be read to the end are logged`() async throws {
        let server = try PlayServer { _, _ in .init(503, "") }
        let log = RecordedLog()
        let store = try Play.store(Play.configuration(url: server.url))
        let events = try await store.events(since: nil, through: Play.client(log: log))
        #expect(events.readUntil == nil)
        #expect(log.lines.count { $0.hasPrefix("warning voided purchases could not be read to the end") } == 1)
    }

    @Test func `a missing permission stops the app`() async throws {
        await #expect {
            _ = try await events(since: nil) { _, _ in PlayServer.refusal(403, "userInsufficientPermission") }
        } throws: {
            ($0 as? StoreFailure)?.kind == .credential
        }
    }
}
