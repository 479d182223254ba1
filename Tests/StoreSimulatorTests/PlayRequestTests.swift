// SPDX-License-Identifier: Apache-2.0

import Foundation
import SimulatorServer
import Testing

@testable import StoreSimulator

/// Google Play's endpoints over TLS: paths, repeated parameters, quotas and misbehaviour on request.
@Suite struct PlayRequestTests {
    private static let status = "purchases/subscriptionsv2/tokens/token-acme-android"

    @Test func `every endpoint is found, and a batch takes its ids one by one`() async throws {
        try await PlayServer.with([PlayServer.month()], clock: "2026-02-05T00:00:00Z") { door in
            let token = try await door.consent()
            let ids = [PlayPaper.base, "\(PlayPaper.base)..0"].map { "orderIds=\($0)" }.joined(separator: "&")
            let batch = try await door.get("orders:batchGet?\(ids)", bearer: token)
            #expect(
                (batch.object["orders"] as? [[String: Any]])?.map { $0["orderId"] as? String } == [
                    PlayPaper.base, "\(PlayPaper.base)..0",
                ])
            let single = try await door.get("orders:batchGet?orderIds=\(PlayPaper.base)..0", bearer: token)
            #expect((single.object["orders"] as? [[String: Any]])?.count == 1)
            for path in [
                Self.status, "purchases/subscriptions/com.acme.app.monthly/tokens/token-acme-android",
                "orders/\(PlayPaper.base)", "purchases/voidedpurchases?type=1",
            ] { #expect(try await door.get(path, bearer: token).status == 200, "\(path)") }
            for path in ["purchases/subscriptionsv2/tokens/stranger", "orders/GPA.0", "purchases/products/a/tokens/b"] {
                #expect(try await door.get(path, bearer: token).status == 404, "\(path)")
            }
            #expect(
                door.stores.quotas.counters.requests == [
                    "token": 1, "orders": 4, "subscriptions": 3, "voided_purchases": 1,
                ])
        }
    }

    @Test func `each bucket has its own quota and is refused in either way`() async throws {
        try await PlayServer.with([PlayServer.month()], clock: "2026-02-05T00:00:00Z") { door in
            let token = try await door.consent()
            door.stores.quotas.setLimits([.init(requests: 2, seconds: 60)], at: "subscriptions")
            for _ in 0..<2 { #expect(try await door.get(Self.status, bearer: token).status == 200) }
            let tooMany = try await door.get(Self.status, bearer: token)
            #expect(tooMany.status == 429)
            #expect((tooMany.object["error"] as? [String: Any])?["status"] as? String == "RESOURCE_EXHAUSTED")
            door.stores.play.refuseOverQuota(by: .forbidden)
            let forbidden = try await door.get(Self.status, bearer: token)
            #expect(forbidden.status == 403)
            #expect(forbidden.reason == "rateLimitExceeded")
            #expect(try await door.get("orders/\(PlayPaper.base)", bearer: token).status == 200)
            for _ in 0..<30 { _ = try await door.get("purchases/voidedpurchases", bearer: token) }
            #expect(try await door.get("purchases/voidedpurchases", bearer: token).status == 403)
            #expect(door.stores.quotas.counters.refused == 3)
        }
    }

    /// What arrives spoiled is not told: the books count it as never said.
    @Test(
        arguments: [
            (.emptyServerError, 500, nil), (.retryableServerError, 503, "backendError"),
            (.tooMany, 429, "rateLimitExceeded"), (.dailyLimit, 403, "dailyLimitExceeded"),
            (.unauthorized, 401, "authError"), (.permissionDenied, 401, "permissionDenied"), (.truncated, 200, nil),
            (.malformed, 200, nil), (.unknownStatus, 200, nil),
        ] as [(Faults.Kind, Int, String?)])
    func `a spoiled answer is not told`(kind: Faults.Kind, status: Int, reason: String?) async throws {
        try await PlayServer.with([PlayServer.month()], clock: "2026-01-05T00:00:00Z") { door in
            let token = try await door.consent()
            door.stores.faults.plan(kind, times: 1, at: "subscriptions")
            door.stores.faults.plan(kind, times: 1, at: "orders")
            let spoiled = try await door.get(Self.status, bearer: token)
            #expect(spoiled.status == status)
            #expect(spoiled.reason == reason)
            #expect(spoiled.object["subscriptionState"] as? String != "SUBSCRIPTION_STATE_ACTIVE")
            let order = try await door.get("orders/\(PlayPaper.base)", bearer: token)
            #expect(order.object["state"] as? String != "PROCESSED")
            #expect(door.stores.books.subscriptions(.disclosed) == [])
            #expect(door.stores.books.transactions(.disclosed) == [])
            #expect(try await door.get(Self.status, bearer: token).status == 200)
            #expect(try await door.get("orders/\(PlayPaper.base)", bearer: token).status == 200)
            #expect(door.stores.books.subscriptions(.disclosed).map(\.state) == [.active])
            #expect(door.stores.books.transactions(.disclosed).count == 1)
        }
    }

    /// The whole of it beside the App Store: both stores' customers in one set of books and one list of purchases.
    @Test func `both stores stand in one set of books`() async throws {
        let apps = [SimulatedApp.server(id: "acme-ios", bundleID: "com.acme.app"), PlayPaper.app]
        let directory = NSTemporaryDirectory() + "both-stores-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let clock = instant("2026-01-05T00:00:00Z")
        let stores = try await SimulatedStores.start(
            SimulatorConfiguration(seed: 1, customersPerApp: 40, apps: apps, startClock: clock, directory: directory))
        defer { stores.stop() }
        #expect(Set(stores.books.transactions(.happened).map(\.appID)) == ["acme-ios", "acme-android"])
        #expect(
            Set(stores.books.churn(.happened, through: "2026-01-04").map { $0.words["app_id"] }) == [
                "acme-ios", "acme-android",
            ])
        let handedIn = stores.registrations(since: .min, until: clock)
        #expect(Set(handedIn.map(\.appID)) == ["acme-ios", "acme-android"])
        let lines = try SimulatedStores.jsonLines(handedIn)
        #expect(lines.split(separator: "\n").count == handedIn.count)
    }
}
