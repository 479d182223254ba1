// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport
import Testing

@testable import ReportSupport

/// What others got wrong about subscribers, churn and MRR (each case names whose it was), worked out on paper.
@Suite struct GoldenSubscriberTests {
    private let end = "2026-02-05 12:00Z"
    private let january = Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z")

    @Test func `Golden: churn is booked on the day after the last active day (PostHog #39439)`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-20")
            try await world.charged(january)
            try await world.became("expired", at: end, reason: "voluntary", expires: end)
            // The other one ends with the very first instant of the 5th: it was still there when the 4th closed.
            try await world.charged(Sale(key: 2, from: "2026-01-05 00:00Z", to: "2026-02-05 00:00Z"))
            try await world.became(
                "expired", key: 2, at: "2026-02-05 00:00Z", reason: "voluntary", expires: "2026-02-05 00:00Z")
            #expect(try await world.subscribers(on: "2026-02-04") == ["monthly: active 2"])
            #expect(try await world.subscribers(on: "2026-02-05").isEmpty)
            #expect(
                try await world.ends(through: "2026-02-20") == [
                    "2026-02-05 monthly: opening 2, voluntary 2, rate 1.000000"
                ])
            #expect(try await world.openings(through: "2026-02-20").last == "2026-02-05 2", "2 + 0 in − 2 out = 0")
            #expect(
                try await world.bridge(through: "2026-02-20").last
                    == "2026-02-05 monthly USD: 19.980000, churn_voluntary -19.980000 = 0.000000")
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `Golden: a fall to zero is churn and no contraction (dbt_recurly's order of cases)`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-20")
            try await world.charged(Sale(from: january.from, to: end, price: 12_000_000))
            try await world.charged(
                Sale(id: "t2", kind: "renewal", from: end, to: "2026-03-05 12:00Z", price: 5_000_000))
            try await world.became(
                "expired", at: "2026-03-05 12:00Z", reason: "voluntary", expires: "2026-03-05 12:00Z")
            // 12 falls to 5: 7 less of the same customer. 5 falls to nothing: a customer less.
            #expect(
                try await world.bridge() == [
                    "2026-01-05 monthly USD: 0.000000, new 12.000000 = 12.000000",
                    "2026-02-05 monthly USD: 12.000000, contraction -7.000000 = 5.000000",
                    "2026-03-05 monthly USD: 5.000000, churn_voluntary -5.000000 = 0.000000",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `Golden: a day with only starts or only ends has its row (RevenueCat's sample SQL)`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-10")
            try await world.charged(january)
            try await world.became("expired", at: end, reason: "voluntary", expires: end)
            let rows = try await world.reported(
                "select date, active from subscribers order by date", through: "2026-02-10")
            // 5 January to 4 February: 27 + 4 days.
            #expect(rows.count == 31 && rows.first == "2026-01-05|1" && rows.last == "2026-02-04|1")
            let moved = try await world.bridge(through: "2026-02-10")
            #expect(
                moved == [
                    "2026-01-05 monthly USD: 0.000000, new 9.990000 = 9.990000",
                    "2026-02-05 monthly USD: 9.990000, churn_voluntary -9.990000 = 0.000000",
                ])
            #expect(try await world.ends(through: "2026-02-10").map { $0.prefix(10) } == ["2026-02-05"])
        }
    }

    @Test
    func `Golden: sandbox rows inside an imported history count nowhere but in the exclusions (Adapty)`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await world.charged(Sale(kind: "renewal", from: january.from, to: end))
            var test = Sale(key: 2, kind: "renewal", from: january.from, to: end, environment: "sandbox")
            try await world.sold(test)
            (test.key, test.refundedAt, test.refundKind, test.refund) = (3, "2026-01-20 12:00Z", "full", 9_990_000)
            try await world.sold(test)
            try await world.sold(
                Sale(key: 4, kind: "trial", from: january.from, to: end, price: 0, environment: "sandbox"))
            for key in Int64(1)...4 {
                try await world.became("expired", key: key, at: end, reason: "voluntary", expires: end)
            }
            #expect(
                try await world.revenue() == [
                    "2026-01-05|monthly|US|USD|1|0|9.990000|0.000000|9.990000|auto_renewable"
                ])
            #expect(try await world.subscribers(on: "2026-01-20") == ["monthly: active 1"])
            #expect(
                try await world.bridge(through: "2026-02-28") == [
                    "2026-01-05 monthly USD: 0.000000, imported 9.990000 = 9.990000",
                    "2026-02-05 monthly USD: 9.990000, churn_voluntary -9.990000 = 0.000000",
                ])
            #expect(
                try await world.ends(through: "2026-02-28") == [
                    "2026-02-05 monthly: opening 1, voluntary 1, rate 1.000000"
                ])
            for report in ["trials", "cohorts", "refunds"] {
                let rows = try await world.reported(
                    "select * from \(report)", through: "2026-02-28")
                #expect(rows.isEmpty, "\(report)")
            }
            #expect(try await world.exclusions() == ["2026-01-05|sandbox|3"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test
    func `Golden: MRR falls once when a customer cancels and leaves, not twice (Ghost Members #255)`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-20")
            // Switched off on the 20th, ended on the 5th, told again by a second answer.
            try await world.charged(Sale(product: "a", from: january.from, to: end))
            try await world.became("active", at: "2026-01-20 12:00Z", expires: end, autoRenew: false)
            for day in ["2026-02-06", "2026-02-09"] {
                try await world.became(
                    "expired", at: end, recorded: "\(day) 02:00Z", reason: "voluntary", expires: end, autoRenew: false)
            }
            // Refunded on the 10th, and then the period's own end went by as well.
            var refunded = Sale(key: 2, product: "b", from: january.from, to: end)
            (refunded.refundedAt, refunded.refundKind, refunded.refund) = ("2026-01-10 12:00Z", "full", 9_990_000)
            try await world.charged(refunded)
            try await world.booked("refund", -9_990_000, at: "2026-01-10 12:00Z", of: refunded)
            try await world.became("revoked", key: 2, at: "2026-01-10 12:00Z", reason: "refund", expires: end)
            try await world.became("revoked", key: 2, at: end, reason: "refund", expires: end)
            #expect(
                try await world.bridge(through: "2026-03-20") == [
                    "2026-01-05 a USD: 0.000000, new 9.990000 = 9.990000",
                    "2026-01-05 b USD: 0.000000, new 9.990000 = 9.990000",
                    "2026-01-10 b USD: 9.990000, churn_refund -9.990000 = 0.000000",
                    "2026-02-05 a USD: 9.990000, churn_voluntary -9.990000 = 0.000000",
                ])
            #expect(
                try await world.ends(through: "2026-03-20") == [
                    "2026-01-10 b: opening 1, refund 1, rate 1.000000",
                    "2026-02-05 a: opening 1, voluntary 1, rate 1.000000",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test
    func `Golden: trials are never in MRR, nor is what somebody shares (KeeperHub #2068, Polar #11264)`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-20")
            try await world.sold(
                Sale(key: 1, id: "free", kind: "trial", from: january.from, to: "2026-01-12 12:00Z", price: 0))
            try await world.charged(Sale(key: 1, from: "2026-01-12 12:00Z", to: "2026-02-12 12:00Z"))
            try await world.sold(Sale(key: 2, from: january.from, to: end, ownership: "family_shared"))
            try await world.sold(
                Sale(key: 3, kind: "renewal", from: january.from, to: end, environment: "sandbox"))
            #expect(try await world.subscribers(on: "2026-01-11") == ["monthly: trial 1, family_shared 1"])
            #expect(try await world.subscribers(on: "2026-01-12") == ["monthly: active 1, family_shared 1"])
            #expect(
                try await world.bridge(through: "2026-01-20") == [
                    "2026-01-12 monthly USD: 0.000000, new 9.990000 = 9.990000"
                ])
            #expect(
                try await world.exclusions() == [
                    "2026-01-05|family_shared|1", "2026-01-05|sandbox|1", "2026-01-05|trial|1",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test
    func `Golden: a renewal due on 29 November and paid on 4 December in grace: no churn (RevenueCat)`() async throws {
        // Active throughout, at risk from the expiry until it was paid; no movement of MRR at all; money when it came.
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-12-10")
            try await world.charged(Sale(from: "2026-10-29 12:00Z", to: "2026-11-29 12:00Z"))
            try await world.became(
                "grace", at: "2026-11-29 12:00Z", recorded: "2026-11-30 02:00Z", expires: "2026-11-29 12:00Z",
                grace: "2026-12-15 12:00Z")
            try await world.charged(
                Sale(id: "t2", kind: "renewal", from: "2026-12-04 09:00Z", to: "2027-01-04 09:00Z"))
            try await world.became(
                "active", at: "2026-12-04 09:00Z", recorded: "2026-12-05 02:00Z", expires: "2027-01-04 09:00Z")
            #expect(try await world.subscribers(on: "2026-11-28") == ["monthly: active 1"])
            #expect(try await world.subscribers(on: "2026-11-29") == ["monthly: active 1, grace 1"])
            #expect(try await world.subscribers(on: "2026-12-03") == ["monthly: active 1, grace 1"])
            #expect(try await world.subscribers(on: "2026-12-04") == ["monthly: active 1"])
            #expect(try await world.bridge() == ["2026-10-29 monthly USD: 0.000000, new 9.990000 = 9.990000"])
            #expect(try await world.ends(through: "2026-12-10").isEmpty)
            #expect(
                try await world.revenue() == [
                    "2026-10-29|monthly|US|USD|1|0|9.990000|0.000000|9.990000|auto_renewable",
                    "2026-12-04|monthly|US|USD|1|0|9.990000|0.000000|9.990000|auto_renewable",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }
}
