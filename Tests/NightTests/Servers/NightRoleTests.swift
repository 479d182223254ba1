// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
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
            from pg_namespace home where home.nspname in ('public', 'subledger', 'report')
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
