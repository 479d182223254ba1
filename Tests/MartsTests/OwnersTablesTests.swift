// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ReportSupport

/// The texts of the reports name tables of schema `marts` and views of schema `report` without it: what the owner has made in the
/// other schema under such a name, after the last upgrade, is read and written by none of them.
@Suite struct OwnersTablesTests {
    private static let ofTheOwner = """
        create table marts.revenue (amount bigint);
        create table marts.metrics (amount bigint);
        create table marts.report_scope (seal bigint);
        create table report.revenue_daily (amount bigint);
        create table report.paid_periods (amount bigint);
        create table report.materialisation (seal bigint);
        create function report.share(part bigint, whole bigint) returns numeric language sql return 4711
        """

    private static func read(_ world: ReportWorld, seal: Int64) async throws -> [String] {
        try await world.revenue(seal: seal) + world.ends(seal: seal)
            + world.connection.lines("select date, churned, churn_rate from report.churn where churned > 0")
            + world.connection.lines("select * from report.company order by month, figure")
    }

    /// A month was paid and not renewed; a night later a second customer came.
    private static func play(_ world: ReportWorld, between nights: () async throws -> Void) async throws -> [String] {
        try await world.night(1, for: "2026-02-10")
        try await world.charged(Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z"))
        try await world.became("expired", at: "2026-02-05 12:00Z", reason: "voluntary", expires: "2026-02-05 12:00Z")
        try await MartTablesTests.refresh(world, seal: 1)
        try await nights()
        let first = try await read(world, seal: 1)
        try await world.night(2, for: "2026-02-11")
        try await world.charged(
            Sale(key: 2, id: "second", from: "2026-02-11 12:00Z", to: "2026-03-11 12:00Z"), seal: 2)
        try await MartTablesTests.refresh(world, seal: 2)
        #expect(try await MartTablesTests.rebuild(world, seal: 2).isEmpty)
        return try await first + read(world, seal: 2)
    }

    @Test func `tables of the owner's under names of ours in the other schema change no report`() async throws {
        var undisturbed: [String] = []
        try await ReportWorld.with { undisturbed = try await Self.play($0) {} }
        #expect(undisturbed.contains("2026-02-05 monthly: opening 1, voluntary 1, rate 1.000000"))
        try await ReportWorld.with { world in
            let read = try await Self.play(world) { try await world.connection.script(Self.ofTheOwner) }
            #expect(read == undisturbed)
            #expect(try await world.connection.lines("select count(*) from report.revenue_daily") == ["0"])
        }
    }
}
