// SPDX-License-Identifier: Apache-2.0

import Model
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering

/// Books of forty subscriptions, and the nights after them.
enum CheckedHistory {
    /// Forty subscriptions, learned by the first run; the twelfth continues the lineage of the fourth.
    static func write(_ world: ReportWorld) async throws {
        try await world.night(1, for: "2026-02-20")
        for key in 1...40 as ClosedRange<Int64> {
            var sale = Sale(key: key, id: "t\(key)", from: "2026-02-01 12:00Z", to: "2026-03-01 12:00Z")
            if key == 12 { (sale.lineage, sale.from, sale.to) = (4, "2026-01-01 12:00Z", "2026-02-01 12:00Z") }
            try await world.charged(sale)
            try await world.became("active", key: key, at: sale.from, expires: sale.to)
        }
        try await world.registerSubscriptions()
        try await world.connection.script("alter table subledger.ledger_entries disable trigger all")
    }

    /// The fourth is refunded in part: the second run learns it.
    static func refund(_ world: ReportWorld) async throws {
        var sale = Sale(key: 4, id: "t4", from: "2026-02-01 12:00Z", to: "2026-03-01 12:00Z")
        (sale.refundedAt, sale.refundKind, sale.refund) = ("2026-02-21 12:00Z", "partial", 1_000_000)
        try await world.sold(sale, seal: 2)
        try await world.booked("refund", -1_000_000, at: "2026-02-21 12:00Z", of: sale, seal: 2)
    }

    static func issue(
        _ world: ReportWorld, _ seal: Int64, _ date: String, _ directory: String, _ upkeep: TableUpkeep = .movedOn
    ) async throws -> [String] {
        let issued = try await ReportStage().issue(
            on: world.connection,
            request: ReportRequest(
                seal: seal, runID: seal, businessDate: try #require(BusinessDate(date)),
                asOf: try #require(Instant(iso8601: "\(date)T23:00:00Z")), directory: directory, upkeep: upkeep))
        return issued.checks.filter { !$0.passed }.map(\.name)
    }
}
