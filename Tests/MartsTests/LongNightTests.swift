// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ReportSupport

/// What happens at a store while a night runs is told after the night's own clock: on paper, Google Play's.
@Suite struct LongNightTests {
    private let january = Sale(
        kind: "purchase", from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z", store: "google_play")
    private let end = "2026-02-05 12:00Z"

    /// On hold since 5 February.
    ///
    /// The night of 10 February begins at 02:00; it is paid again at 03:00 and read after that.
    private func recovery(in world: ReportWorld, stated: String?) async throws {
        try await world.night(1, for: "2026-02-05")
        try await world.night(2, for: "2026-02-09")
        try await world.night(3, for: "2026-02-10")
        try await world.charged(january)
        try await world.became("active", at: january.from, expires: end)
        try await world.became("billing_retry", at: end, recorded: "2026-02-06 02:00Z", expires: end)
        try await world.charged(
            Sale(
                id: "t2", kind: "renewal", from: "2026-02-10 03:00Z", to: "2026-03-10 03:00Z", store: "google_play"),
            seal: 2)
        try await world.became(
            "active", at: "2026-02-10 03:00Z", recorded: "2026-02-10 02:00Z", expires: "2026-03-10 03:00Z",
            stated: stated,
            seal: 2)
    }

    @Test func `a payment while the night runs leaves the account hold before it in the books`() async throws {
        try await ReportWorld.with { world in
            try await recovery(in: world, stated: "2026-02-10 03:00Z")
            #expect(
                try await world.bridge(seal: 3, through: "2026-02-10") == [
                    "2026-01-05 monthly USD: 0.000000, new 9.990000 = 9.990000",
                    "2026-02-05 monthly USD: 9.990000, lapsed -9.990000 = 0.000000",
                    "2026-02-10 monthly USD: 0.000000, recovery 9.990000 = 9.990000",
                ])
            #expect(try await world.subscribers(on: "2026-02-09", seal: 3) == ["monthly: billing_retry 1"])
            #expect(try await world.failedChecks(seal: 3).isEmpty)
        }
    }

    /// The first week's order was settled after the second one's: each week is a period.
    @Test func `an order that is settled late takes nothing from the one after it`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-14")
            var late = Sale(
                id: "t1", product: "weekly", kind: "purchase", from: "2026-02-01 12:00Z", to: "2026-02-08 12:00Z",
                store: "google_play")
            late.charged = "2026-02-10 12:00Z"
            try await world.charged(late)
            try await world.charged(
                Sale(
                    id: "t2", product: "weekly", kind: "renewal", from: "2026-02-08 12:00Z", to: "2026-02-15 12:00Z",
                    store: "google_play"))
            try await world.became("active", at: "2026-02-01 12:00Z", expires: "2026-02-08 12:00Z")
            try await world.became(
                "active", at: "2026-02-08 12:00Z", recorded: "2026-02-09 02:00Z", expires: "2026-02-15 12:00Z")
            #expect(try await world.ends(through: "2026-02-14").isEmpty)
            #expect(try await world.subscribers(on: "2026-02-12") == ["weekly: active 1"])
        }
    }

    /// What is said afterwards is said of the week that runs, whichever order was settled last.
    @Test func `an order that is settled late is not what the store speaks of`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-14")
            var late = Sale(
                id: "t1", product: "weekly", kind: "purchase", from: "2026-02-01 12:00Z", to: "2026-02-08 12:00Z",
                store: "google_play")
            late.charged = "2026-02-10 12:00Z"
            try await world.charged(late)
            let second = Sale(
                id: "t2", product: "weekly", kind: "renewal", from: "2026-02-08 12:00Z", to: "2026-02-15 12:00Z",
                refundedAt: "2026-02-12 12:00Z", refundKind: "full", refund: 9_990_000, store: "google_play")
            try await world.charged(second)
            try await world.booked("refund", -9_990_000, at: "2026-02-12 12:00Z", of: second)
            try await world.became("active", at: "2026-02-08 12:00Z", expires: "2026-02-15 12:00Z")
            try await world.became("revoked", at: "2026-02-12 12:00Z", reason: "refund", expires: "2026-02-12 12:00Z")
            #expect(
                try await world.ends(through: "2026-02-14") == ["2026-02-12 weekly: opening 1, refund 1, rate 1.000000"]
            )
            #expect(try await world.subscribers(on: "2026-02-13").isEmpty)
        }
    }

    /// Two orders name the same week, the second one charged two days later: neither is the other's next.
    @Test func `of two orders that begin together none cuts the other`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-07")
            for (id, charged) in [("t1", "2026-02-01 12:00Z"), ("t1..0", "2026-02-03 12:00Z")] {
                var order = Sale(
                    id: id, product: "weekly", kind: id == "t1" ? "purchase" : "renewal", from: "2026-02-01 12:00Z",
                    to: "2026-02-08 12:00Z", store: "google_play")
                order.charged = charged
                try await world.charged(order)
            }
            try await world.became("active", at: "2026-02-02 12:00Z", expires: "2026-02-08 12:00Z")
            #expect(try await world.bridge(through: "2026-02-07").first?.contains("new ") == true)
            #expect(try await world.subscribers(on: "2026-02-02") == ["weekly: active 1"])
        }
    }

    /// The next renewal but one, with a night that is as long: nothing overlaps, no customer left.
    @Test func `renewals while the night runs follow each other`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-04")
            try await world.charged(january)
            try await world.became("active", at: january.from, expires: end)
            for (seal, start, stop) in [
                (Int64(2), "2026-02-05 12:00Z", "2026-03-05 12:00Z"), (3, "2026-03-05 12:00Z", "2026-04-05 12:00Z"),
            ] {
                let day = String(start.prefix(10))
                try await world.night(seal, for: day == "2026-02-05" ? "2026-02-04" : "2026-03-04")
                try await world.charged(
                    Sale(id: "t\(seal)", kind: "renewal", from: start, to: stop, store: "google_play"), seal: seal)
                try await world.became(
                    "active", at: start, recorded: "\(day) 02:00Z", expires: stop, stated: start, seal: seal)
            }
            #expect(try await world.ends(seal: 3, through: "2026-03-04").isEmpty)
            #expect(try await world.failedChecks(seal: 3).isEmpty)
        }
    }

    /// It ended at 12:00 while the night of 02:00 went on, and was bought again a month later: it ended as the customer said.
    @Test func `an end while the night runs retains its reason`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-04")
            try await world.night(2, for: "2026-03-06")
            try await world.charged(Sale(from: january.from, to: january.to))
            try await world.became(
                "expired", at: end, recorded: "2026-02-05 02:00Z", reason: "voluntary", expires: end, stated: end)
            try await world.charged(
                Sale(id: "t2", kind: "resubscribe", from: "2026-03-05 12:00Z", to: "2026-04-05 12:00Z"), seal: 2)
            try await world.became("active", at: "2026-03-05 12:00Z", expires: "2026-04-05 12:00Z", seal: 2)
            #expect(
                try await world.ends(seal: 2) == ["2026-02-05 monthly: opening 1, voluntary 1, rate 1.000000"])
        }
    }
}
