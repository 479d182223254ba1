// SPDX-License-Identifier: Apache-2.0

import Model
import TestSupport
import Testing

@testable import ReportSupport

/// refunds.csv, and the checks that hold the money reports against the ledger.
@Suite struct RefundReportTests {
    private let march = Sale(from: "2026-03-01 10:00Z", to: "2026-04-01 10:00Z")

    @Test func `B6: whole and partial refunds are on their days, and so does what was taken back`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-05-30")
            try await world.charged(march)
            try await world.oncePaidBack(march, 4_995_000, at: "2026-03-10 00:00Z")
            // 30 %, then 20 % more, all of it taken back later.
            try await world.booked("refund", -2_997_000, at: "2026-03-10 00:00Z", of: march)
            try await world.booked("refund", -1_998_000, at: "2026-03-10 00:00Z", of: march)
            try await world.booked("refund_reversal", 4_995_000, at: "2026-03-20 00:00Z", of: march)
            var whole = Sale(key: 2, product: "yearly", from: march.from, to: "2027-03-01 10:00Z", price: 59_990_000)
            (whole.refundedAt, whole.refundKind, whole.refund) = ("2026-04-02 00:00Z", "full", 59_990_000)
            try await world.charged(whole)
            try await world.booked("refund", -59_990_000, at: "2026-04-02 00:00Z", of: whole)
            #expect(
                try await world.refunds() == [
                    "2026-03-10|monthly|partial|2|4.995000", "2026-03-20|monthly|reversal|-2|-4.995000",
                    "2026-04-02|yearly|full|1|59.990000",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// A report that forgets, by name and what it forgets; and the check that must say so.
    private static let faults: [(report: String, where: String, check: String)] = [
        ("refunds", "kind = 'full'", "refunds_equal_ledger"),
        ("recognised", "date = '2026-03-02'", "recognised_and_deferred_equal_billed"),
        ("revenue", "product_id = 'yearly'", "revenue_products_add_up"),
    ]

    @Test(arguments: faults)
    func `a forgetful report is found out`(_ fault: (report: String, where: String, check: String)) async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-30")
            try await world.charged(march)
            var whole = Sale(key: 2, product: "yearly", from: march.from, to: "2027-03-01 10:00Z", price: 59_990_000)
            (whole.refundedAt, whole.refundKind, whole.refund) = ("2026-03-12 00:00Z", "full", 59_990_000)
            try await world.charged(whole)
            try await world.booked("refund", -59_990_000, at: "2026-03-12 00:00Z", of: whole)
            #expect(try await world.failedChecks().isEmpty)
            let spoil = world.spoiling(fault.report, "delete from book where \(fault.where)")
            #expect(try await world.failedChecks(spoiledBy: spoil).contains(fault.check))
        }
    }
}
