// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import SQLCatalog
import SimulatorServer
import StoreSimulator
import TestSupport
import Testing

/// The owner of the schema migrates, and every other job runs as a role that may make nothing but tables of its session.
@Suite(.serialized, .hangLimit) struct NightRoleTests {
    @Test func `a role that owns nothing does all that the owner's does, but no migration`() async throws {
        let cluster = TestCluster()
        let owners = try await ServerLife.play(on: cluster, asOwner: true)
        let nights = try await ServerLife.play(on: cluster, asOwner: false, last: Self.expectLimits)
        #expect(nights.parts["subledger.ledger_entries", default: []].count > 40)
        #expect(nights.parts.count > 60)
        #expect(nights.differences(from: owners) == [])
    }

    @Test func `an intake beside a night, its status, a dry run and an earlier report need no more either`()
        async throws
    {
        try await NightWorld.onOwnServer(
            seed: 20_260_114, customersPerApp: 40, apps: [.server(id: "acme-ios", bundleID: "com.acme.app")]
        ) { world, administrator in
            let life = ServerLife(world: world, administrator: administrator)
            #expect(try await life.attempt(["migrate"]).exitCode == 0)
            try await administrator.executeScript(SQL.Roles.roles)
            try await life.handOver()
            try await world.night(1)
            let (now, later) = (NightWorld.instant(of: 9), NightWorld.instant(of: 9) + .minutes(1))
            world.stores.setClock(now.micros)
            let bought = world.stores.registrations(since: NightWorld.instant(of: 1).micros, until: now.micros)
            try #require(bought.count > 1)
            let night = try await world.start(["nightly", "--now", now.iso8601], upTo: .answer(3))
            kill(night.processID, SIGSTOP)
            defer { kill(night.processID, SIGCONT) }
            let run = try await world.lastNight()
            try await world.handIn(bought, at: later)
            let intake = try await world.startIntake(at: later).result()
            #expect(intake.exitCode == 0, "\(intake.standardError)")
            #expect(try await world.expectAssessed(at: later, under: run, "as night") == bought.count)
            let status = try await life.attempt(["status", "--now", later.iso8601])
            let running = "running (process \(night.processID) on "
            #expect(status.exitCode == 0 && status.standardOutput.contains(running), "\(status.standardOutput)")
            kill(night.processID, SIGCONT)
            let ended = await night.result()
            #expect(ended.exitCode == 0, "\(ended.standardError)")
            let runs = try await administrator.lines("select count(*) from subledger.runs")
            let next = NightWorld.instant(of: 10).iso8601
            let asOf = (NightWorld.instant(of: 1) + .hours(1)).iso8601
            for job in [
                ["nightly", "--dry-run", "--now", next],
                ["report", "--as-of", asOf, "--out", world.directory + "/as-of", "--now", next],
            ] {
                let result = try await life.attempt(job)
                #expect(result.exitCode == 0, "\(job): \(result.standardError)")
            }
            #expect(try await administrator.lines("select count(*) from subledger.runs") == runs)
        }
    }

    private static func expectLimits(of life: ServerLife) async throws {
        try await expectNothingMade(life)
        try await expectNoMigration(life)
    }

    private static func expectNothingMade(_ life: ServerLife) async throws {
        let role = ServerLife.nightRole
        let rights = try await life.administrator.lines(
            """
            select
                has_database_privilege('\(role)', current_database(), 'create') as d,
                bool_or(has_schema_privilege('\(role)', home.oid, 'create')) as s,
                (select count(*) from pg_class made where pg_get_userbyid(made.relowner) = '\(role)') as m,
                has_table_privilege('\(role)', 'subledger.ledger_entries', 'truncate') as t
            from pg_namespace home where home.nspname in ('public', 'subledger', 'marts', 'report')
            """)
        #expect(rights == ["false|false|0|false"])
    }

    /// A program that is newer than the schema: one view's text is another one.
    private static func expectNoMigration(_ life: ServerLife) async throws {
        let older = "select checksum from subledger.schema_files where path = 'reports/marts/revenue/view.sql'"
        try await life.administrator.script(
            "update subledger.schema_files set checksum = 'older' where path = 'reports/marts/revenue/view.sql'")
        let now = NightWorld.instant(of: 4).iso8601
        for job in [["migrate"], ["nightly", "--now", now], ["intake", "--now", now], ["report", "--now", now]] {
            let result = try await life.attempt(job)
            #expect(result.exitCode == 64, "\(job): \(result.standardError)")
            let lines = result.standardError.split(separator: "\n")
            #expect(lines.count == 1, "\(lines)")
            #expect(
                lines.last?.contains(
                    "this database's schema is older than this program, and belongs to etl, not to night: run subledger "
                        + "migrate as etl") == true, "\(lines)")
        }
        #expect(try await life.administrator.lines(older) == ["older"])
        let open = "select count(*) from subledger.runs where outcome = 'running'"
        #expect(try await life.administrator.lines(open) == ["0"])
    }
}
