// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport
import Testing

@testable import ReportSupport

/// What became of trials, by the day they started.
@Suite struct TrialTests {
    private let trialEnd = "2026-01-12 12:00Z"

    private func started(_ world: ReportWorld, key: Int64, product: String = "monthly") async throws {
        try await world.sold(
            Sale(
                key: key, id: "free", product: product, kind: "trial", from: "2026-01-05 12:00Z", to: trialEnd,
                price: 0, offerType: "introductory"))
    }

    private func trials(_ world: ReportWorld, seal: Int64 = 1) async throws -> [String] {
        try await world.reported(
            "select cohort_date, product_id, started, converted, refunded, pending, ended, conversion_rate::text from trials order by cohort_date, product_id",
            seal: seal, through: "2026-12-31")
    }

    @Test func `trials are counted as converted, refunded, pending and ended`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-25")
            for key in Int64(1)...5 { try await started(world, key: key) }
            try await world.charged(Sale(key: 1, from: trialEnd, to: "2026-02-12 12:00Z"))
            // Converted and refunded: it stays converted.
            var refunded = Sale(key: 2, from: trialEnd, to: "2026-02-12 12:00Z")
            (refunded.refundedAt, refunded.refundKind, refunded.refund) = ("2026-01-14 12:00Z", "full", 9_990_000)
            try await world.charged(refunded)
            try await world.became("revoked", key: 2, at: "2026-01-14 12:00Z", reason: "refund")
            // Ended by the store's word; in billing retry; not read since.
            try await world.became("expired", key: 3, at: trialEnd, reason: "voluntary", expires: trialEnd)
            try await world.became("billing_retry", key: 4, at: trialEnd, expires: trialEnd)
            try await world.became("trial", key: 5, at: "2026-01-05 12:00Z", expires: trialEnd)
            #expect(try await trials(world) == ["2026-01-05|monthly|5|2|1|1|2|0.400000"])
        }
    }

    @Test func `a trial that is still running is pending`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-08")
            try await started(world, key: 1)
            try await world.became("trial", key: 1, at: "2026-01-05 12:00Z", expires: trialEnd, autoRenew: false)
            #expect(try await trials(world) == ["2026-01-05|monthly|1|0|0|1|0|0.000000"])
        }
    }

    @Test func `paid within the grace is converted, and later is not`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-31")
            for (key, product) in [(Int64(1), "a"), (2, "b")] {
                try await started(world, key: key, product: product)
                try await world.became(
                    "grace", key: key, at: trialEnd, expires: trialEnd, grace: "2026-01-18 12:00Z")
            }
            try await world.charged(Sale(key: 1, product: "a", from: "2026-01-18 11:00Z", to: "2026-02-18 11:00Z"))
            try await world.became("billing_retry", key: 2, at: "2026-01-18 12:00Z", expires: trialEnd)
            try await world.charged(Sale(key: 2, product: "b", from: "2026-01-30 12:00Z", to: "2026-02-28 12:00Z"))
            #expect(
                try await trials(world) == [
                    "2026-01-05|a|1|1|0|0|0|1.000000", "2026-01-05|b|1|0|0|0|1|0.000000",
                ])
        }
    }

    @Test func `free periods of those paying or known before are no trials`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-31")
            try await world.charged(Sale(key: 1, from: "2025-12-05 12:00Z", to: "2026-01-05 12:00Z"))
            try await started(world, key: 1)
            try await world.sold(
                Sale(
                    key: 2, id: "gift", kind: "trial", from: "2026-01-05 12:00Z", to: trialEnd, price: 0,
                    offerType: "win_back"))
            #expect(try await trials(world).isEmpty)
            #expect(
                try await world.reported(
                    "select date, reason, rows from exclusions order by reason", through: "2026-03-31") == [
                        "2026-01-05|promotional|2"
                    ])
        }
    }

    /// Paid in January, then a month on a code for nothing, then paid again: moved out and in, and no trial on any day.
    @Test func `a free code of a payer is no trial, and no churn`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-20")
            try await world.charged(Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z"))
            try await world.sold(
                Sale(
                    id: "code", kind: "trial", from: "2026-02-05 12:00Z", to: "2026-03-05 12:00Z", price: 0,
                    offerType: "code"))
            try await world.charged(
                Sale(id: "t3", kind: "renewal", from: "2026-03-05 12:00Z", to: "2026-04-05 12:00Z"))
            try await world.became("active", at: "2026-03-05 12:00Z", expires: "2026-04-05 12:00Z")
            #expect(try await world.subscribers(on: "2026-02-10").isEmpty)
            #expect(try await world.subscribers(on: "2026-01-10") == ["monthly: active 1"])
            #expect(try await trials(world).isEmpty)
            #expect(
                try await world.bridge(through: "2026-03-20") == [
                    "2026-01-05 monthly USD: 0.000000, new 9.990000 = 9.990000",
                    "2026-02-05 monthly USD: 9.990000, moved_out -9.990000 = 0.000000",
                    "2026-03-05 monthly USD: 0.000000, moved_in 9.990000 = 9.990000",
                ])
            #expect(
                try await world.reported("select date, reason, rows from exclusions", through: "2026-03-31") == [
                    "2026-02-05|promotional|1"
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// It left on the 5th of February; the free time ten days later is no trial, and what follows it is a return.
    @Test func `a free offer after an end moves nothing, and the next payment is a reactivation`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-31")
            try await world.charged(Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z"))
            try await world.became(
                "expired", at: "2026-02-05 12:00Z", reason: "voluntary", expires: "2026-02-05 12:00Z")
            try await world.sold(
                Sale(
                    id: "back", kind: "trial", from: "2026-02-15 12:00Z", to: "2026-02-22 12:00Z", price: 0,
                    offerType: "retention"))
            try await world.became("active", at: "2026-02-15 12:00Z", expires: "2026-02-22 12:00Z")
            try await world.charged(
                Sale(id: "t3", kind: "renewal", from: "2026-02-22 12:00Z", to: "2026-03-22 12:00Z"))
            try await world.became("active", at: "2026-02-22 12:00Z", expires: "2026-03-22 12:00Z")
            #expect(try await world.subscribers(on: "2026-02-16").isEmpty)
            #expect(try await trials(world).isEmpty)
            #expect(
                try await world.bridge(through: "2026-02-28") == [
                    "2026-01-05 monthly USD: 0.000000, new 9.990000 = 9.990000",
                    "2026-02-05 monthly USD: 9.990000, churn_voluntary -9.990000 = 0.000000",
                    "2026-02-22 monthly USD: 0.000000, reactivation 9.990000 = 9.990000",
                ])
        }
    }
}
