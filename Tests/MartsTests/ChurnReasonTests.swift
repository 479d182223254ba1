// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ReportSupport

/// Why paying lineages left, in small histories whose figures were worked out on paper.
///
/// Unless a test says otherwise, one lineage pays for January, 5 to 5 at 12:00 UTC, so that its effective end falls on
/// 5 February, a day that opens with one.
@Suite struct ChurnReasonTests {
    private let january = Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z")
    private let end = "2026-02-05 12:00Z"

    @Test(arguments: [
        ("voluntary", "voluntary"), ("involuntary", "involuntary"), ("price", "price"), ("product", "product"),
        ("developer", "other"), ("unknown", "other"),
    ])
    func `an end that the store declares is churn of that reason`(stated: String, column: String) async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await world.charged(january)
            try await world.became("active", at: january.from, expires: end)
            try await world.became("expired", at: end, recorded: "2026-02-06 02:00Z", reason: stated, expires: end)
            #expect(
                try await world.ends(through: "2026-02-28") == [
                    "2026-02-05 monthly: opening 1, \(column) 1, rate 1.000000"
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `a replaced purchase leaves without churn`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await world.charged(january)
            try await world.became("expired", at: end, reason: "replaced", expires: end)
            #expect(try await world.ends(through: "2026-02-28").isEmpty)
            #expect(try await world.openings(through: "2026-02-28").last == "2026-02-05 1")
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// Of one original id: paid for January, included in a bundle in February.
    @Test(arguments: ["2026-02-05 12:00Z", "2026-01-20 12:00Z"])
    func `what a bundle includes from then on leaves without churn`(from: String) async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-31")
            try await world.charged(january)
            var row = Sale(id: "t2", kind: "renewal", from: from, to: "2026-03-05 12:00Z", price: nil, currency: nil)
            (row.ownership, row.bundle) = ("assigned", "b1")
            try await world.sold(row)
            try await world.became("active", at: january.from, expires: end)
            try await world.became("active", at: from, expires: "2026-03-05 12:00Z")
            let day = String(from.prefix(10))
            #expect(
                try await world.bridge(through: "2026-03-31") == [
                    "2026-01-05 monthly USD: 0.000000, new 9.990000 = 9.990000",
                    "\(day) monthly USD: 9.990000, moved_out -9.990000 = 0.000000",
                ])
            #expect(try await world.ends(through: "2026-03-31").isEmpty)
            #expect(try await world.subscribers(on: "2026-02-28").isEmpty)
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// Taken back when the bundle began, or after it: the money is one thing, that no customer left another.
    @Test(arguments: [("revoke", "2026-01-20 12:00Z"), ("full", "2026-01-25 12:00Z")])
    func `what a bundle took over and was taken back leaves without churn`(kind: String, at: String) async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-31")
            var sale = january
            (sale.refundedAt, sale.refundKind, sale.refund) = (at, kind, kind == "full" ? 9_990_000 : nil)
            try await world.charged(sale)
            if kind == "full" { try await world.booked("refund", -9_990_000, at: at, of: sale) }
            var row = Sale(
                id: "t2", kind: "renewal", from: "2026-01-20 12:00Z", to: "2026-04-20 12:00Z", price: nil, currency: nil
            )
            (row.ownership, row.bundle) = ("assigned", "b1")
            try await world.sold(row)
            try await world.became("active", at: january.from, expires: end)
            try await world.became("active", at: "2026-01-20 12:00Z", expires: "2026-04-20 12:00Z")
            #expect(try await world.ends(through: "2026-03-31").isEmpty)
            #expect(
                try await world.bridge(through: "2026-03-31").last
                    == "2026-01-20 monthly USD: 9.990000, moved_out -9.990000 = 0.000000")
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// Nothing was heard of its end: the whole history was read at once, in summer.
    @Test func `a gap before a bundle is churn, whatever was reported of it`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-07-31")
            try await world.charged(january)
            var row = Sale(
                id: "t2", kind: "renewal", from: "2026-06-01 12:00Z", to: "2026-09-01 12:00Z", price: nil, currency: nil
            )
            (row.ownership, row.bundle) = ("assigned", "b1")
            try await world.sold(row)
            try await world.became(
                "active", at: "2026-06-01 12:00Z", recorded: "2026-07-10 02:00Z", expires: "2026-09-01 12:00Z")
            #expect(
                try await world.ends(through: "2026-07-31") == ["2026-02-05 monthly: opening 1, other 1, rate 1.000000"]
            )
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// Ended in February; a bundle that includes it was bought in March.
    @Test func `an end that the store declared before the bundle stays churn`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-31")
            try await world.charged(january)
            var row = Sale(
                id: "t2", kind: "renewal", from: "2026-03-10 12:00Z", to: "2026-04-10 12:00Z", price: nil, currency: nil
            )
            (row.ownership, row.bundle) = ("assigned", "b1")
            try await world.sold(row)
            try await world.became("active", at: january.from, expires: end)
            try await world.became(
                "expired", at: end, recorded: "2026-02-06 02:00Z", reason: "voluntary", expires: end)
            try await world.became("active", at: "2026-03-10 12:00Z", expires: "2026-04-10 12:00Z")
            #expect(
                try await world.ends(through: "2026-03-31") == [
                    "2026-02-05 monthly: opening 1, voluntary 1, rate 1.000000"
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test(arguments: ["active", "unreachable", "unverified", "grace"])
    func `what the store has not declared ended stays active`(state: String) async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await world.charged(january)
            try await world.became(state, at: january.from, expires: end)
            #expect(try await world.ends(through: "2026-02-28").isEmpty)
            #expect(try await world.openings(through: "2026-02-28").last == "2026-02-28 1")
        }
    }

    @Test func `a refund of the current period ends it when it was given`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            var sale = january
            (sale.refundedAt, sale.refundKind, sale.refund) = ("2026-01-20 08:00Z", "full", 9_990_000)
            try await world.charged(sale)
            try await world.booked("refund", -9_990_000, at: "2026-01-20 08:00Z", of: sale)
            try await world.became(
                "revoked", at: "2026-01-20 08:00Z", recorded: "2026-01-21 02:00Z", reason: "refund", expires: end)
            #expect(
                try await world.ends(through: "2026-02-28") == [
                    "2026-01-20 monthly: opening 1, refund 1, rate 1.000000"
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `a refund of a finished period moves money only`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            var sale = january
            (sale.refundedAt, sale.refundKind, sale.refund) = ("2026-02-10 08:00Z", "full", 9_990_000)
            try await world.charged(sale)
            try await world.booked("refund", -9_990_000, at: "2026-02-10 08:00Z", of: sale)
            try await world.charged(Sale(id: "t2", kind: "renewal", from: end, to: "2026-03-05 12:00Z"))
            try await world.became("active", at: end, expires: "2026-03-05 12:00Z")
            #expect(try await world.ends(through: "2026-02-28").isEmpty)
            #expect(try await world.openings(through: "2026-02-28").last == "2026-02-28 1")
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `a revocation without money back is other`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            var sale = january
            (sale.refundedAt, sale.refundKind) = ("2026-01-20 08:00Z", "revoke")
            try await world.charged(sale)
            try await world.became("revoked", at: "2026-01-20 08:00Z", reason: "revoke", expires: end)
            #expect(
                try await world.ends(through: "2026-02-28") == [
                    "2026-01-20 monthly: opening 1, other 1, rate 1.000000"
                ])
        }
    }

    @Test func `payment that is awaited is lapsed until the store gives up`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await world.night(2, for: "2026-04-07")
            try await world.charged(january)
            try await world.became("billing_retry", at: end, recorded: "2026-02-06 02:00Z", expires: end)
            try await world.became(
                "expired", at: end, recorded: "2026-04-07 02:00Z", reason: "involuntary", expires: end, seal: 2)
            #expect(
                try await world.ends(seal: 1, through: "2026-04-07") == [
                    "2026-02-05 monthly: opening 1, lapsed 1, rate 0.000000"
                ])
            #expect(
                try await world.ends(seal: 2, through: "2026-04-07") == [
                    "2026-02-05 monthly: opening 1, involuntary 1, rate 1.000000"
                ])
            #expect(try await world.failedChecks(seal: 1).isEmpty)
            #expect(try await world.failedChecks(seal: 2).isEmpty)
        }
    }

    @Test func `a recovery out of billing retry is no churn`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await world.charged(january)
            try await world.became("billing_retry", at: end, recorded: "2026-02-06 02:00Z", expires: end)
            try await world.charged(Sale(id: "t2", kind: "renewal", from: "2026-02-15 09:00Z", to: "2026-03-15 09:00Z"))
            try await world.became(
                "active", at: "2026-02-15 09:00Z", recorded: "2026-02-16 02:00Z", expires: "2026-03-15 09:00Z")
            #expect(
                try await world.ends(through: "2026-02-28") == [
                    "2026-02-05 monthly: opening 1, lapsed 1, rate 0.000000"
                ])
            // Away from the 6th to the 15th, back from the 16th.
            #expect(
                try await world.openings(through: "2026-02-17").suffix(3) == [
                    "2026-02-05 1", "2026-02-16 1", "2026-02-17 1",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `who comes back after a declared end had churned`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await world.charged(january)
            try await world.became(
                "expired", at: end, recorded: "2026-02-06 02:00Z", reason: "voluntary", expires: end)
            try await world.charged(
                Sale(id: "t2", kind: "resubscribe", from: "2026-02-26 09:00Z", to: "2026-03-26 09:00Z"))
            try await world.became(
                "active", at: "2026-02-26 09:00Z", recorded: "2026-02-27 02:00Z", expires: "2026-03-26 09:00Z")
            #expect(
                try await world.ends(through: "2026-02-28") == [
                    "2026-02-05 monthly: opening 1, voluntary 1, rate 1.000000"
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `an end of unknown reason is other`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await world.charged(january)
            try await world.charged(
                Sale(id: "t2", kind: "resubscribe", from: "2026-02-26 09:00Z", to: "2026-03-26 09:00Z"))
            try await world.became("active", at: "2026-02-26 09:00Z", expires: "2026-03-26 09:00Z")
            #expect(
                try await world.ends(through: "2026-02-28") == [
                    "2026-02-05 monthly: opening 1, other 1, rate 1.000000"
                ])
        }
    }

    @Test func `a renewal that came late was a recovery that was never observed`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await world.charged(january)
            try await world.charged(Sale(id: "t2", kind: "renewal", from: "2026-02-08 09:00Z", to: "2026-03-08 09:00Z"))
            try await world.became("active", at: "2026-02-08 09:00Z", expires: "2026-03-08 09:00Z")
            #expect(
                try await world.ends(through: "2026-02-28") == [
                    "2026-02-05 monthly: opening 1, lapsed 1, rate 0.000000"
                ])
        }
    }

    @Test func `a pause and a free offer are no churn`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            try await world.charged(january)
            try await world.became("paused", at: end, expires: end)
            var other = january
            other.key = 2
            try await world.charged(other)
            try await world.sold(
                Sale(key: 2, id: "free", kind: "trial", from: end, to: "2026-03-05 12:00Z", price: 0))
            try await world.became("trial", key: 2, at: end, expires: "2026-03-05 12:00Z")
            #expect(try await world.ends(through: "2026-02-28").isEmpty)
            #expect(try await world.openings(through: "2026-02-28").last == "2026-02-05 2")
            #expect(try await world.failedChecks().isEmpty)
        }
    }
}
