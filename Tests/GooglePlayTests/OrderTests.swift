// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import TestSupport
import Testing

@testable import GooglePlay

@Suite struct OrderPlanTests {
    private func plan(
        latest: Int, known: [Int], wantsHistory: Bool = false, wantsOnlyRefunds: Bool = false
    ) -> [String] {
        let due = Play.due(
            wantsHistory: wantsHistory, wantsOnlyRefunds: wantsOnlyRefunds,
            known: known.map { Play.known(OrderID(base: "B", position: $0).text) })
        let purchase = Purchase(latestOrders: [OrderID(base: "B", position: latest)])
        return OrderPlan.orders(of: due, wantsOnlyRefunds ? nil : purchase)
    }

    @Test(
        arguments: [
            ("GPA.1-2", "GPA.1-2", 0), ("GPA.1-2..0", "GPA.1-2", 1), ("GPA.1-2..17", "GPA.1-2", 18),
            ("GPA.1-2..x", "GPA.1-2..x", 0), ("..3", "..3", 0),
        ] as [(String, String, Int)])
    func `an order's number is behind its dots`(text: String, base: String, position: Int) {
        #expect(OrderID(text) == OrderID(base: base, position: position))
        #expect(OrderID(text).text == text)
    }

    @Test func `nothing is asked where the latest order is known`() {
        #expect(plan(latest: 2, known: [0, 1, 2]) == [])
    }

    @Test func `what lies between the newest known and the latest is asked`() {
        #expect(plan(latest: 4, known: [0, 1]) == ["B..1", "B..2", "B..3"])
        // The latest one is asked even where a later one is known.
        #expect(plan(latest: 1, known: [2]) == ["B..0"])
    }

    @Test func `a first check asks from the base on, the latest 120 at most`() {
        #expect(plan(latest: 2, known: []) == ["B", "B..0", "B..1"])
        let many = plan(latest: 200, known: [])
        #expect(many.count == 120)
        #expect(many.first == "B..80")
        #expect(many.last == "B..199")
    }

    @Test func `an audit asks all known orders again, a refund watch only those`() {
        #expect(plan(latest: 2, known: [0, 1], wantsHistory: true) == ["B", "B..0", "B..1"])
        #expect(plan(latest: 2, known: [0, 1], wantsOnlyRefunds: true) == ["B", "B..0"])
    }

    @Test func `B3: the legacy interface's order is new only with a later expiry`() {
        let due = Play.due(known: [Play.known("B")])
        var purchase = Purchase(
            expiresAt: Play.time("2026-04-01T00:00:00Z"), latestOrders: [OrderID("B..0")], namesDeclinedOrders: true)
        #expect(OrderPlan.orders(of: due, purchase) == [])
        purchase.expiresAt = Play.time("2026-05-01T00:00:00Z")
        #expect(OrderPlan.orders(of: due, purchase) == ["B..0"])
    }
}

/// Over real sockets.
@Suite(.hangLimit) struct OrderRequestTests {
    /// Purchases with an order each, of which some are unknown to the store.
    private func complete(
        count: Int, unknown: Set<Int> = [],
        failing: @escaping @Sendable (LoopbackServer.Request) -> LoopbackServer.Answer? = { _ in nil }
    ) async throws -> (answers: [Result<StoreAnswer, StoreFailure>], batches: [Int]) {
        let orders = Dictionary(
            uniqueKeysWithValues: (0..<count).filter { !unknown.contains($0) }.map { index in
                ("O-\(index)", Play.order("O-\(index)", ["purchaseToken": "token-\(index)"]))
            })
        let server = try PlayServer { request, _ in
            if let failure = failing(request) { return failure }
            if request.path.contains("orders:batchGet") { return PlayServer.batch(request, of: orders) }
            let token = request.path.split(separator: "-").last ?? ""
            return .init(
                200,
                Play.json(
                    Play.subscription("ACTIVE", ["lineItems": [Play.item(["latestSuccessfulOrderId": "O-\(token)"])]])))
        }
        let answers = try await server.ask((0..<count).map { Play.due("token-\($0)") })
        let batches = server.paths.filter { $0.hasPrefix("/orders:batchGet") }
            .map { $0.split(separator: "&").count }
        return (answers, batches)
    }

    @Test func `orders of a whole chunk are asked a hundred at a time, and each answer gets its own`() async throws {
        let (answers, batches) = try await complete(count: 250)
        #expect(batches.sorted() == [50, 100, 100])
        for (index, answer) in answers.enumerated() {
            let reading = try Play.store().read(try answer.get())
            #expect(reading.observations.map { $0.periods.map(\.transactionID) } == [["O-\(index)"]])
            #expect(reading.archive.count == 2)
        }
    }

    @Test func `an unknown order is found by halving and harms no other`() async throws {
        let (answers, batches) = try await complete(count: 100, unknown: [0])
        // 100 → 50 + 50 → 25 + 25 → 12 + 13 → 6 + 6 → 3 + 3 → 1 + 2.
        #expect(batches.sorted() == [1, 2, 3, 3, 6, 6, 12, 13, 25, 25, 50, 50, 100].sorted())
        let readings = try answers.map { try Play.store().read(try $0.get()) }
        #expect(readings.map { $0.periods.count } == [0] + Array(repeating: 1, count: 99))
        #expect(readings.map { $0.unknownValues["order unknown to the store"] ?? 0 }.reduce(0, +) == 1)
    }

    @Test func `orders that could not be had fail their own answers only`() async throws {
        let (answers, _) = try await complete(count: 150) { request in
            request.path.contains("orderIds=O-120") ? .init(503, "") : nil
        }
        #expect(answers.prefix(100).allSatisfy { $0.failure == nil })
        #expect(answers.suffix(50).allSatisfy { $0.failure?.kind == .transient })
    }

    @Test func `a missing permission for orders stops the app`() async throws {
        await #expect {
            _ = try await complete(count: 2) { request in
                request.path.contains("orders:batchGet") ? PlayServer.refusal(401, "permissionDenied") : nil
            }
        } throws: {
            ($0 as? StoreFailure)?.kind == .credential
        }
    }

    @Test func `a batch that cannot be read sets its answers aside`() async throws {
        let (answers, _) = try await complete(count: 1) { request in
            request.path.contains("orders:batchGet") ? .init(200, #"{"orders":7}"#) : nil
        }
        #expect(answers.first?.failure?.kind == .unreadable)
    }
}
