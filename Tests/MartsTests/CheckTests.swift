// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ReportSupport

/// Every check finds the fault it is there for, and only that one speaks where only one thing is wrong.
@Suite struct CheckTests {
    private let sale = Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z")

    @Test func `money that is not what the transaction says is found`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-20")
            try await world.sold(sale)
            try await world.booked("charge", 9_990_001, at: sale.from, of: sale)
            #expect(
                try await world.failedChecks() == ["ledger_sum_equals_transaction", "revenue_equals_transactions"])
        }
    }

    @Test func `a charge that is missing is found`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-20")
            try await world.sold(sale)
            #expect(
                try await world.failedChecks() == [
                    "every_charge_has_one_entry", "ledger_sum_equals_transaction", "revenue_equals_transactions",
                ])
        }
    }

    /// As a database of before the schema refused it may hold.
    @Test func `a charge that was booked twice, and corrected by accident, is found`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-20")
            try await world.charged(sale)
            try await world.booked("correction", -4_990_000, at: sale.from, of: sale)
            try await world.connection.script(
                "alter table subledger.ledger_entries drop constraint charges_are_first_entries; "
                    + "insert into subledger.ledger_entries select subscription_key, transaction_id, product_id, 3, 'charge', "
                    + "null, occurred_at, recorded_at, run_id, 4990000, null, null, currency, source "
                    + "from subledger.ledger_entries where seq = 1")
            #expect(try await world.failedChecks() == ["every_charge_has_one_entry"])
        }
    }

    @Test func `money of no transaction is found`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-20")
            try await world.booked("charge", 9_990_000, at: sale.from, of: sale)
            // Nothing was bought at that instant either.
            #expect(
                try await world.failedChecks() == [
                    "entries_stand_at_their_instants", "ledger_sum_equals_transaction",
                ])
        }
    }

    @Test func `a customer who is counted twice is found`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-20")
            try await world.charged(sale)
            try await world.charged(
                Sale(id: "t2", kind: "renewal", from: "2026-02-04 11:59:59Z", to: "2026-03-04 12:00Z"))
            #expect(try await world.failedChecks() == ["no_overlapping_paid_periods"])
        }
    }

    @Test func `overlaps that are explained are no fault`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-20")
            try await world.charged(sale)
            // A renewal up to a day early; a change of product.
            try await world.charged(Sale(id: "t2", kind: "renewal", from: "2026-02-04 12:00Z", to: "2026-03-04 12:00Z"))
            try await world.charged(Sale(id: "t3", kind: "upgrade", from: "2026-02-10 12:00Z", to: "2026-03-10 12:00Z"))
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `openings that do not join up are found`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-20")
            try await world.charged(sale)
            try await world.became("active", at: sale.from, expires: sale.to)
            // A report that forgets a day's churn.
            let spoil = world.spoiling("churn", "delete from book where date = '2026-02-01'")
            #expect(try await world.failedChecks(spoiledBy: spoil) == ["churn_opening_closes", "subscribers_close"])
        }
    }
}
