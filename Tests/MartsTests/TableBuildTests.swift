// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import SQLCatalog
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// Tables that are built part by part hold what one part would, whatever happens between two parts.
@Suite(.hangLimit) struct TableBuildTests {
    private static let nights: Int64 = 5

    /// Forty lineages, told in five nights.
    private static func report(_ world: ReportWorld) async throws {
        for seal in 1...nights { try await world.night(seal, for: "2026-04-\(9 + seal)") }
        try await MartTablesTests.report(RandomHistory(seed: 11, lineages: 40), nights: nights, to: world)
        // Parts are counted by them.
        try await world.registerSubscriptions()
    }

    /// In parts of about seven lineages.
    private static func tables(_ world: ReportWorld, zone: String = "UTC") -> MartTables {
        MartTables(connection: world.connection, timeZone: zone, partSize: 7)
    }

    /// Goes on until so many parts are built.
    private static func build(_ parts: Int64, of world: ReportWorld) async throws {
        let tables = tables(world)
        while try await tables.position()?.partsBuilt != parts {
            try #require(try await tables.step(to: nights))
        }
        let position = try #require(try await tables.position())
        #expect(position.parts > parts && !position.isWhole)
    }

    /// Every row of every table; what differs from tables that are built in one part is named.
    private static func expectWhole(_ world: ReportWorld) async throws {
        let refreshed = try await rows(world)
        try await world.connection.script("delete from marts.materialisation")
        try await MartTablesTests.refresh(world, seal: nights)
        let whole = try await rows(world)
        for (table, rows) in whole {
            #expect(!rows.isEmpty, "\(table)")
            #expect(refreshed[table] == rows, "\(table)")
        }
    }

    private static func rows(_ world: ReportWorld) async throws -> [String: [String]] {
        var rows: [String: [String]] = [:]
        for table in MaterialisedTable.all {
            rows[table.name] = try await world.connection.lines(
                "select line::text as line from marts.\(table.name) line order by 1")
        }
        return rows
    }

    @Test func `many parts make what one does`() async throws {
        try await ReportWorld.with { world in
            try await Self.report(world)
            try await Self.tables(world).refreshMarts(to: Self.nights)
            #expect(try await Self.tables(world).position()?.parts ?? 0 > 3)
            #expect(try await world.connection.lines("select count(*) from marts.part_keys") == ["0"])
            try await Self.expectWhole(world)
        }
    }

    /// A build was stopped, and the next version defines one table otherwise: all start with the first part.
    @Test func `a build that is started again counts no part twice`() async throws {
        try await ReportWorld.with { world in
            try await Self.report(world)
            try await Self.build(2, of: world)
            try await ReportWorld.install(world.connection, tables: ["ltv_monthly"])
            try await Self.tables(world).refreshMarts(to: Self.nights)
            try await Self.expectWhole(world)
        }
    }

    /// A purchase that turns out to continue another one's lineage stays in the part that it was given.
    @Test func `a lineage that joins another between two parts is counted once`() async throws {
        try await ReportWorld.with { world in
            try await Self.report(world)
            try await Self.build(2, of: world)
            // Every subscription in one lineage, as far as today's rows go.
            try await world.connection.script("update subledger.subscriptions set lineage_key = 1")
            try await Self.tables(world).refreshMarts(to: Self.nights)
            try await Self.expectWhole(world)
        }
    }

    @Test func `nothing is reported until the last part`() async throws {
        try await ReportWorld.with { world in
            try await Self.report(world)
            try await Self.build(2, of: world)
            for report in ["churn", "mrr_bridge", "revenue", "exclusions"] {
                #expect(try await world.connection.lines("select count(*) from report.\(report)") == ["0"], "\(report)")
            }
            try await Self.tables(world).refreshMarts(to: Self.nights)
            for report in ["churn", "mrr_bridge", "revenue", "exclusions"] {
                #expect(try await world.connection.lines("select count(*) from report.\(report)") != ["0"], "\(report)")
            }
        }
    }

    /// Whether the tables were moved on, or built at that seal, for another zone say.
    @Test func `what changed since the last issue is reported after a build`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-10")
            let sale = Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z")
            try await world.charged(sale)
            try await MartTablesTests.refresh(world, seal: 1)
            try await world.night(2, for: "2026-02-11", issued: false)
            try await world.booked("refund", -1_000_000, at: "2026-02-03 12:00Z", of: sale, seal: 2)
            try await MartTablesTests.refresh(world, seal: 2)
            let changes = "select line::text as line from changes line order by 1"
            let moved = try await world.reported(changes, seal: 2, through: "2026-02-11")
            #expect(moved.contains { $0.contains("2026-02-03") && $0.contains("1.000000") })
            try await MartTablesTests.refresh(world, seal: 2, zone: "Asia/Tokyo")
            let inTokyo = try await world.reported(changes, seal: 2, through: "2026-02-11", zone: "Asia/Tokyo")
            #expect(inTokyo == moved)
            try await world.connection.script("delete from marts.materialisation; truncate marts.figure_parts")
            try await MartTablesTests.refresh(world, seal: 2)
            #expect(try await world.reported(changes, seal: 2, through: "2026-02-11") == moved)
        }
    }

    /// The tables of a report that failed are still in the session when the next one is made.
    @Test func `what a failed report left in the session is not moved on`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await CheckedHistory.write(world)
                #expect(try await CheckedHistory.issue(world, 1, "2026-02-20", directory).isEmpty)
                for table in MaterialisedTable.all {
                    try await world.connection.script(
                        "create temp table \(table.name) (like marts.\(table.name) including all)")
                }
                try await world.night(2, for: "2026-02-21")
                try await CheckedHistory.refund(world)
                #expect(try await CheckedHistory.issue(world, 2, "2026-02-21", directory).isEmpty)
                #expect(try await world.connection.lines("select micros from marts.refunds_daily") == ["-1000000"])
            }
        }
    }

    /// Whoever reads the tables in one snapshot never finds one of them emptied.
    @Test func `a table is not emptied while a report reads it`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-10")
            try await world.charged(Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z"))
            try await MartTablesTests.refresh(world, seal: 1)
            let other = try await PostgresConnection.connect(world.configuration)
            let mover = Task {
                // For another zone all tables are built again.
                try await MartTables(connection: other, timeZone: "Asia/Tokyo").refreshMarts(to: 1)
            }
            try await world.connection.withTransaction(.repeatableRead) { connection in
                try await connection.execute(SQL.Reports.Refresh.lockForReading)
                guard try await connection.lines("select time_zone from marts.materialisation") == ["UTC"] else {
                    return
                }
                let waiting =
                    "select count(*) > 0 from pg_locks where not granted and relation = 'marts.materialisation'::regclass"
                while try await connection.lines(waiting) != ["true"] { try await Task.sleep(for: .milliseconds(10)) }
                #expect(try await connection.lines("select count(*) from marts.paid_periods") == ["1"])
            }
            try await mover.value
            await other.close()
            #expect(try await world.connection.lines("select time_zone from marts.materialisation") == ["Asia/Tokyo"])
        }
    }

    /// A report takes the lock before its snapshot: one that is asked for while a table stands empty waits until it is full.
    @Test func `a report waits until an emptied table is filled`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await CheckedHistory.write(world)
                #expect(try await CheckedHistory.issue(world, 1, "2026-02-20", directory).isEmpty)
                let earlier = try String(contentsOfFile: directory + "/2026-02-20/revenue.csv", encoding: .utf8)
                let other = try await PostgresConnection.connect(world.configuration)
                let issued = try await world.connection.withTransaction { connection in
                    try await connection.execute(SQL.Reports.Refresh.lockForEmptying)
                    try await connection.script(
                        """
                        create temp table aside as table marts.revenue_daily;
                        truncate marts.revenue_daily
                        """)
                    let reader = ReportWorld(connection: other, configuration: world.configuration)
                    let issued = Task {
                        try await CheckedHistory.issue(reader, 1, "2026-02-20", directory + "/again", .leftAlone)
                    }
                    let waiting =
                        "select count(*) > 0 from pg_locks where not granted and relation = 'marts.materialisation'::regclass"
                    while try await connection.lines(waiting) != ["true"] {
                        try await Task.sleep(for: .milliseconds(10))
                    }
                    try await connection.script("insert into marts.revenue_daily table aside")
                    return issued
                }
                #expect(try await issued.value.isEmpty)
                await other.close()
                let again = try String(contentsOfFile: directory + "/again/2026-02-20-1/revenue.csv", encoding: .utf8)
                #expect(again == earlier && earlier.split(separator: "\n").count > 1)
            }
        }
    }
}
