// SPDX-License-Identifier: Apache-2.0

import Postgres
import SQLCatalog
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// A report is of a seal: what later runs wrote does not move it.
@Suite struct AsOfTests {
    private let sale = Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z")

    @Test func `what a later run wrote is not seen by an earlier seal`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-06")
            try await world.charged(sale)
            try await world.became("expired", at: "2026-02-05 12:00Z", reason: "voluntary", expires: sale.to)
            let before = (try await world.revenue(seal: 1), try await world.ends(seal: 1))

            try await world.night(2, for: "2026-02-20")
            var refunded = sale
            (refunded.refundedAt, refunded.refundKind, refunded.refund) = ("2026-01-20 08:00Z", "full", 9_990_000)
            try await world.sold(refunded, seal: 2)
            try await world.booked("refund", -9_990_000, at: "2026-01-20 08:00Z", of: refunded, seal: 2)
            try await world.became("revoked", at: "2026-01-20 08:00Z", reason: "refund", expires: sale.to, seal: 2)
            try await world.charged(Sale(key: 2, from: "2026-01-06 12:00Z", to: "2026-03-06 12:00Z"), seal: 2)

            #expect(try await world.revenue(seal: 1) == before.0)
            #expect(try await world.ends(seal: 1) == before.1)
            #expect(try await world.ends(seal: 1) == ["2026-02-05 monthly: opening 1, voluntary 1, rate 1.000000"])
            #expect(try await world.ends(seal: 2) == ["2026-01-20 monthly: opening 2, refund 1, rate 0.500000"])
            #expect(try await world.failedChecks(seal: 1).isEmpty)
            #expect(try await world.failedChecks(seal: 2).isEmpty)
        }
    }

    /// A night of another app with an earlier clock is sealed after a later one: it is seen from the later one's clock on.
    @Test func `what is sealed late moves no earlier instant`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-05")
            try await world.night(2, for: "2026-02-07")
            #expect(try await Self.seal(asOf: "2026-02-07 02:00Z", in: world) == ["1"])
            try await world.night(3, for: "2026-02-06")
            try await world.night(4, for: "2026-02-09")
            // An import is none of the jobs that make an instant known.
            try await world.night(5, for: "2026-02-09")
            try await world.connection.script("update subledger.runs set job = 'import' where run_id = 5")
            for (instant, seal) in [
                ("2026-02-06 01:00Z", []), ("2026-02-06 02:00Z", ["1"]), ("2026-02-07 02:00Z", ["1"]),
                ("2026-02-08 02:00Z", ["3"]), ("2026-02-10 01:00Z", ["3"]), ("2026-02-20 02:00Z", ["4"]),
            ] {
                #expect(try await Self.seal(asOf: instant, in: world) == seal, "\(instant)")
            }
        }
    }

    private static func seal(asOf instant: String, in world: ReportWorld) async throws -> [String] {
        try await world.connection.query(SQL.Pipeline.lastSealedRun, [.text(instant)]).map { "\(try $0.int64("seal"))" }
    }

    @Test func `a run that is not sealed is not seen`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-06")
            try await world.connection.script(
                """
                insert into subledger.runs (run_id, job, business_date, logical_now, host, process_id)
                overriding system value values (7, 'nightly', '2026-02-07', '2026-02-08 02:00Z', 'here', 1)
                """)
            try await world.charged(sale, seal: 7)
            #expect(try await world.revenue(seal: 1_000).isEmpty)
            #expect(try await world.openings(seal: 1_000, through: "2026-02-06").isEmpty)
        }
    }

    @Test func `the views are of the seal of the last issue, up to its business date`() async throws {
        try await ReportWorld.with { world in
            #expect(try await world.connection.lines("select * from report.revenue").isEmpty)
            #expect(try await world.connection.lines("select * from report.churn").isEmpty)
            try await world.night(1, for: "2026-01-06")
            try await world.charged(sale)
            try await world.became("active", at: sale.from, expires: sale.to)
            try await world.charged(Sale(key: 2, from: "2026-01-07 01:00Z", to: "2026-02-07 01:00Z"))
            try await MartTables(connection: world.connection, timeZone: "UTC").refreshMarts(to: 1)
            #expect(
                try await world.connection.lines("select date, gross::text from report.revenue") == [
                    "2026-01-05|9.990000"
                ])
            #expect(try await world.connection.lines("select date, opening from report.churn") == ["2026-01-06|1"])
        }
    }

    @Test func `every column of every report is defined`() async throws {
        try await ReportWorld.with { world in
            let silent = try await world.connection.lines(
                """
                select c.relname, a.attname from pg_class c
                join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
                where c.relnamespace = 'report'::regnamespace and c.relkind = 'v'
                    and (col_description(c.oid, a.attnum) is null or obj_description(c.oid, 'pg_class') is null)
                """)
            #expect(silent.isEmpty)
        }
    }

    @Test func `the files of the reports can be applied again`() async throws {
        try await ReportWorld.with { world in
            try await ReportWorld.install(world.connection)
        }
    }
}
