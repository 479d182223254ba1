// SPDX-License-Identifier: Apache-2.0

import Postgres
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// Today's row and its newest image are compared column by column: also in what groups, plans and refunds brought with them.
@Suite struct CheckedColumnsTests {
    private static func found(_ world: ReportWorld) async throws -> [String] {
        let outcomes = try await world.outcomes()
        let check = try #require(outcomes.first { $0.name == "transactions_equal_their_images" })
        return check.differences.map {
            "\($0.subject): \($0.expected), \($0.found)"
        }
    }

    @Test(
        arguments: [
            ("base_plan_id", "yearly", "base plan"), ("store_discount_micros", "2500000", "store discount"),
            ("refund_reason", "chargeback", "refund reason"), ("seats", "3", "seats"),
            ("refund_source", "derived", "refund source"), ("bundle_transaction_id", "8001", "bundle"),
        ])
    func `a column of today's row that its image does not have is found, and no longer where the image has it`(
        _ column: String, value: String, name: String
    ) async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            var sale = Sale(from: "2026-02-01 12:00Z", to: "2026-03-01 12:00Z")
            (sale.refundedAt, sale.refundKind, sale.refund) = ("2026-02-05 12:00Z", "partial", 1_000_000)
            try await world.sold(sale)
            #expect(try await Self.found(world).isEmpty)
            try await world.connection.script("update subledger.transactions set \(column) = '\(value)'")
            #expect(try await Self.found(world) == ["t1 \(name): none, \(value)"])
            try await world.connection.script(
                """
                alter table subledger.transaction_versions disable trigger all;
                update subledger.transaction_versions set \(column) = '\(value)'
                """)
            #expect(try await Self.found(world).isEmpty)
            try await world.connection.script("update subledger.transactions set \(column) = null")
            #expect(try await Self.found(world) == ["t1 \(name): \(value), none"])
        }
    }
}
