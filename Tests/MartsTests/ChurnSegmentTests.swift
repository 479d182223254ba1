// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ReportSupport

/// What counts as one unbroken stretch of payment, and which product it stands under.
@Suite struct ChurnSegmentTests {
    private let january = Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z")

    @Test func `a recovery inside the grace was never away`() async throws {
        try await ReportWorld.with { world in
            // Due on 29 January, paid on 4 February, within the grace until 14 February.
            try await world.night(1, for: "2026-02-20")
            try await world.charged(Sale(from: "2026-01-01 12:00Z", to: "2026-01-29 12:00Z"))
            try await world.became(
                "grace", at: "2026-01-29 12:00Z", expires: "2026-01-29 12:00Z", grace: "2026-02-14 12:00Z")
            try await world.charged(Sale(id: "t2", kind: "renewal", from: "2026-02-04 08:00Z", to: "2026-03-04 08:00Z"))
            try await world.became("active", at: "2026-02-04 08:00Z", expires: "2026-03-04 08:00Z")
            #expect(try await world.ends(through: "2026-02-20").isEmpty)
            // Every day from the 2nd of January to the 20th of February: 30 + 20.
            #expect(try await world.openings(through: "2026-02-20").count == 50)
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `a grace that ends unpaid ends on its own last day`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-20")
            try await world.charged(january)
            try await world.became(
                "grace", at: "2026-02-05 12:00Z", expires: "2026-02-05 12:00Z", grace: "2026-02-21 12:00Z")
            try await world.became("billing_retry", at: "2026-02-21 12:00Z", expires: "2026-02-05 12:00Z")
            #expect(
                try await world.ends() == ["2026-02-21 monthly: opening 1, lapsed 1, rate 0.000000"])
            try await world.became(
                "expired", at: "2026-02-21 12:00Z", recorded: "2026-04-06 02:00Z", reason: "involuntary",
                expires: "2026-02-05 12:00Z")
            #expect(
                try await world.ends() == ["2026-02-21 monthly: opening 1, involuntary 1, rate 1.000000"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `a gap of a day is continuous, and a second more is not`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-20")
            try await world.charged(january)
            try await world.charged(Sale(id: "t2", kind: "renewal", from: "2026-02-06 12:00Z", to: "2026-03-06 12:00Z"))
            try await world.became("active", at: "2026-02-06 12:00Z", expires: "2026-03-06 12:00Z")
            var other = january
            other.key = 2
            try await world.charged(other)
            try await world.charged(
                Sale(key: 2, id: "t2", kind: "resubscribe", from: "2026-02-06 12:00:01Z", to: "2026-03-06 12:00Z"))
            try await world.became("active", key: 2, at: "2026-02-06 12:00:01Z", expires: "2026-03-06 12:00Z")
            #expect(
                try await world.ends(through: "2026-02-20") == [
                    "2026-02-05 monthly: opening 2, other 1, rate 0.500000"
                ])
            #expect(
                try await world.openings(through: "2026-02-07").suffix(3) == [
                    "2026-02-05 2", "2026-02-06 1", "2026-02-07 2",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `an upgrade moves the lineage to its new product`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-20")
            var before = january
            before.isUpgraded = true
            try await world.charged(before)
            try await world.charged(
                Sale(
                    id: "t2", product: "yearly", kind: "upgrade", from: "2026-01-20 12:00Z", to: "2027-01-20 12:00Z",
                    price: 99_990_000))
            try await world.became("active", at: "2026-01-20 12:00Z", expires: "2027-01-20 12:00Z")
            #expect(try await world.ends(through: "2026-02-20").isEmpty)
            let lines = try await world.reported(
                "select date, product_id, opening from churn", from: "2026-01-20", through: "2026-01-21")
            #expect(lines == ["2026-01-20|monthly|1", "2026-01-21|yearly|1"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `who comes and goes within a day is in no opening`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-20")
            var sale = january
            (sale.refundedAt, sale.refundKind, sale.refund) = ("2026-01-05 20:00Z", "full", 9_990_000)
            try await world.charged(sale)
            try await world.booked("refund", -9_990_000, at: "2026-01-05 20:00Z", of: sale)
            try await world.became("revoked", at: "2026-01-05 20:00Z", reason: "refund", expires: january.to)
            #expect(
                try await world.ends(through: "2026-02-20") == ["2026-01-05 monthly: opening 0, came and went 1"])
            #expect(try await world.openings(through: "2026-02-20") == ["2026-01-05 0"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `trials, family members, sandbox and one-time sales never pay`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-20")
            try await world.sold(Sale(key: 1, kind: "trial", from: "2026-01-05 12:00Z", to: january.to, price: 0))
            try await world.sold(Sale(key: 2, from: january.from, to: january.to, ownership: "family_shared"))
            try await world.sold(Sale(key: 3, from: january.from, to: january.to, environment: "sandbox"))
            try await world.charged(Sale(key: 4, kind: "one_time", from: january.from))
            try await world.charged(Sale(key: 5, kind: "top_up", from: january.from, to: january.to))
            try await world.sold(Sale(key: 6, from: january.from, to: january.to, price: 0))
            for key in [Int64(1), 2, 3, 4, 5, 6] {
                try await world.became("expired", key: key, at: january.to ?? "", reason: "voluntary")
            }
            #expect(try await world.openings(through: "2026-02-20").isEmpty)
        }
    }

    @Test func `an unknown price pays as well`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-20")
            try await world.sold(
                Sale(from: january.from, to: january.to, price: nil, currency: nil, country: nil))
            try await world.became("expired", at: "2026-02-05 12:00Z", reason: "voluntary", expires: january.to)
            #expect(
                try await world.ends(through: "2026-02-20") == [
                    "2026-02-05 monthly: opening 1, voluntary 1, rate 1.000000"
                ])
        }
    }

    @Test func `a trial that converts counts from its first paid day`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-20")
            try await world.sold(
                Sale(id: "t0", kind: "trial", from: "2026-01-05 12:00Z", to: "2026-01-12 12:00Z", price: 0))
            try await world.charged(Sale(from: "2026-01-12 12:00Z", to: "2026-02-12 12:00Z"))
            try await world.became("active", at: "2026-01-12 12:00Z", expires: "2026-02-12 12:00Z")
            #expect(try await world.openings(through: "2026-01-14") == ["2026-01-13 1", "2026-01-14 1"])
        }
    }
}
