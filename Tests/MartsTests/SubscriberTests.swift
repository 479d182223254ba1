// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ReportSupport

/// Who stood where at the end of a day, in small histories worked out on paper.
@Suite struct SubscriberTests {
    private let january = Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z")
    private let end = "2026-02-05 12:00Z"

    @Test func `set to cancel is as it was known on the day`() async throws {
        // Switched off on 3 March; the store dates it by its answer, two hours into the 4th, in the night about the 3rd.
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-01")
            try await world.night(2, for: "2026-03-03")
            try await world.night(3, for: "2026-03-06")
            try await world.charged(Sale(from: "2026-02-20 12:00Z", to: "2026-03-20 12:00Z"))
            try await world.became(
                "active", at: "2026-02-20 12:00Z", expires: "2026-03-20 12:00Z", autoRenew: true)
            try await world.became(
                "active", at: "2026-03-04 02:00Z", expires: "2026-03-20 12:00Z", autoRenew: false, seal: 2)
            try await world.became(
                "active", at: "2026-03-07 02:00Z", expires: "2026-03-20 12:00Z", autoRenew: true, seal: 3)
            #expect(try await world.subscribers(on: "2026-03-02", seal: 3) == ["monthly: active 1"])
            #expect(try await world.subscribers(on: "2026-03-03", seal: 3) == ["monthly: active 1, set_to_cancel 1"])
            #expect(try await world.subscribers(on: "2026-03-03", seal: 2) == ["monthly: active 1, set_to_cancel 1"])
            #expect(try await world.subscribers(on: "2026-03-03", seal: 1) == ["monthly: active 1"])
            #expect(try await world.subscribers(on: "2026-03-06", seal: 3) == ["monthly: active 1"])
            let risk = try await world.reported(
                "select app_id, store, product_id, state, subscriptions, mrr, currency from at_risk", seal: 2,
                through: "2026-03-03")
            #expect(risk == ["acme-ios|app_store|monthly|set_to_cancel|1|9.990000|USD"])
            #expect(try await world.failedChecks(seal: 3).isEmpty)
        }
    }

    @Test func `awaited payment is no subscriber and stays visible on its days`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-05")
            try await world.night(2, for: "2026-04-06")
            try await world.charged(january)
            try await world.became("billing_retry", at: end, recorded: "2026-02-06 02:00Z", expires: end)
            try await world.became(
                "expired", at: end, recorded: "2026-04-07 02:00Z", reason: "involuntary", expires: end, seal: 2)
            #expect(try await world.subscribers(on: "2026-02-04", seal: 2) == ["monthly: active 1"])
            #expect(try await world.subscribers(on: "2026-02-05", seal: 2) == ["monthly: billing_retry 1"])
            #expect(try await world.subscribers(on: "2026-04-05", seal: 2) == ["monthly: billing_retry 1"])
            #expect(try await world.subscribers(on: "2026-04-06", seal: 2).isEmpty)
            let risk = try await world.reported(
                "select app_id, store, product_id, state, subscriptions, mrr, currency from at_risk",
                through: "2026-02-05")
            #expect(risk == ["acme-ios|app_store|monthly|billing_retry|1|9.990000|USD"])
            #expect(try await world.failedChecks(seal: 2).isEmpty)
        }
    }

    @Test func `a pause is separate until the customer is back`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-10")
            try await world.charged(january)
            try await world.became("paused", at: end, recorded: "2026-02-06 02:00Z", expires: end)
            try await world.charged(
                Sale(id: "t2", kind: "renewal", from: "2026-03-05 12:00Z", to: "2026-04-05 12:00Z"))
            try await world.became("active", at: "2026-03-05 12:00Z", expires: "2026-04-05 12:00Z")
            #expect(try await world.subscribers(on: "2026-02-05") == ["monthly: paused 1"])
            #expect(try await world.subscribers(on: "2026-03-04") == ["monthly: paused 1"])
            #expect(try await world.subscribers(on: "2026-03-05") == ["monthly: active 1"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `unread past the paid time stays active and is distinguished`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-10")
            try await world.charged(january)
            try await world.became("active", at: january.from, expires: end)
            #expect(try await world.subscribers(on: "2026-02-04") == ["monthly: active 1"])
            #expect(try await world.subscribers(on: "2026-02-05") == ["monthly: active 1, unread 1"])
            #expect(try await world.subscribers(on: "2026-02-10") == ["monthly: active 1, unread 1"])
        }
    }

    @Test func `the store's zone is its own`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-30")
            var play = january
            (play.key, play.store, play.product) = (2, "google_play", "play")
            (play.from, play.to) = ("2026-01-06 07:59:59Z", "2026-02-06 07:59:59Z")
            var apple = play
            (apple.key, apple.store, apple.product) = (1, "app_store", "apple")
            try await world.charged(play)
            try await world.charged(apple)
            #expect(
                try await world.bridge(through: "2026-01-30", zone: "store").map { String($0.prefix(16)) } == [
                    "2026-01-05 apple", "2026-01-06 play ",
                ])
        }
    }
}
