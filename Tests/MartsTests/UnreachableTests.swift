// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ReportSupport

/// A subscription that cannot be reached any more is where it last was: no customer comes back by being lost from sight.
@Suite struct UnreachableTests {
    private let january = Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z")
    private let end = "2026-02-05 12:00Z"

    /// What the store said at the end of January's period, and the third failed night of 20 February.
    private func lost(after state: String, grace: String? = nil, in world: ReportWorld) async throws {
        try await world.night(1, for: "2026-02-06")
        try await world.night(2, for: "2026-02-20")
        try await world.charged(january)
        try await world.became(state, at: end, recorded: "2026-02-06 02:00Z", expires: end, grace: grace)
        try await world.became(
            "unreachable", at: "2026-02-21 02:00Z", recorded: "2026-02-21 02:00Z", expires: end, grace: grace, seal: 2)
    }

    @Test func `an account hold that is lost from sight stays lapsed and at risk`() async throws {
        try await ReportWorld.with { world in
            try await lost(after: "billing_retry", in: world)
            for seal: Int64 in 1...2 {
                #expect(
                    try await world.bridge(seal: seal, through: "2026-02-20") == [
                        "2026-01-05 monthly USD: 0.000000, new 9.990000 = 9.990000",
                        "2026-02-05 monthly USD: 9.990000, lapsed -9.990000 = 0.000000",
                    ])
            }
            #expect(try await world.subscribers(on: "2026-02-20", seal: 2) == ["monthly: billing_retry 1"])
            let risk = try await world.reported(
                "select app_id, store, product_id, state, subscriptions, mrr, currency from at_risk", seal: 2,
                through: "2026-02-20")
            #expect(risk == ["acme-ios|app_store|monthly|billing_retry|1|9.990000|USD"])
            #expect(try await world.ends(seal: 2) == ["2026-02-05 monthly: opening 1, lapsed 1, rate 0.000000"])
            #expect(try await world.failedChecks(seal: 2).isEmpty)
        }
    }

    @Test func `a pause that is lost from sight stays paused`() async throws {
        try await ReportWorld.with { world in
            try await lost(after: "paused", in: world)
            #expect(try await world.subscribers(on: "2026-02-20", seal: 2) == ["monthly: paused 1"])
            #expect(
                try await world.bridge(seal: 2, through: "2026-02-20").last
                    == "2026-02-05 monthly USD: 9.990000, paused -9.990000 = 0.000000")
            #expect(try await world.failedChecks(seal: 2).isEmpty)
        }
    }

    @Test(arguments: [("active", nil), ("grace", "2026-02-12 12:00Z" as String?)])
    func `who was active stays active and unread`(state: String, grace: String?) async throws {
        try await ReportWorld.with { world in
            try await lost(after: state, grace: grace, in: world)
            #expect(try await world.subscribers(on: "2026-02-20", seal: 2) == ["monthly: active 1, unread 1"])
            #expect(try await world.ends(seal: 2).isEmpty)
            #expect(try await world.failedChecks(seal: 2).isEmpty)
        }
    }

    @Test func `what becomes known later ends it`() async throws {
        try await ReportWorld.with { world in
            try await lost(after: "billing_retry", in: world)
            try await world.night(3, for: "2026-03-01")
            try await world.became(
                "expired", at: end, recorded: "2026-03-02 02:00Z", reason: "involuntary", expires: end, seal: 3)
            #expect(try await world.ends(seal: 3) == ["2026-02-05 monthly: opening 1, involuntary 1, rate 1.000000"])
            #expect(try await world.subscribers(on: "2026-02-28", seal: 3) == ["monthly: billing_retry 1"])
            #expect(try await world.subscribers(on: "2026-03-01", seal: 3).isEmpty)
        }
    }

    /// A trial whose payment failed and that is then lost from sight waits for nothing any more.
    @Test func `a trial whose payment failed is no open trial`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-12")
            try await world.night(2, for: "2026-02-20")
            let trial = Sale(kind: "trial", from: "2026-01-05 12:00Z", to: "2026-01-12 12:00Z", price: 0)
            try await world.sold(trial)
            try await world.became("billing_retry", at: "2026-01-12 12:00Z", expires: trial.to)
            try await world.became("unreachable", at: "2026-02-21 02:00Z", expires: trial.to, seal: 2)
            let trials = try await world.reported(
                "select started, pending, ended from trials", seal: 2, through: "2026-02-20")
            #expect(trials == ["1|0|1"])
        }
    }
}
