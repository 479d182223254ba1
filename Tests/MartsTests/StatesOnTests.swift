// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport
import Testing

@testable import ReportSupport

/// States by date: what a day's own night knew of it, and what was learned of it later.
@Suite struct StatesOnTests {
    private static func states(_ world: ReportWorld, on day: String, seal: Int64? = nil) async throws -> [String] {
        try await world.connection.lines(
            "select state, set_to_cancel, end_reason from report.states_on($1::date, $2::bigint)",
            [.text(day), PostgresValue(seal)])
    }

    /// Renewal was switched off on 3 March, of which the night about the 4th was told; money was given back on the 15th, of
    /// which the night about the 24th was.
    @Test func `states by date: set to cancel on 3 March as known then, and as known later`() async throws {
        try await ReportWorld.with { world in
            try await world.connection.script(
                """
                insert into subledger.apps (app_id, store) values ('acme-ios', 'app_store') on conflict do nothing;
                insert into subledger.subscriptions (
                    subscription_key, lineage_key, app_id, store, store_key, registered_at)
                values (1, 1, 'acme-ios', 'app_store', '2001', '2026-03-01')
                """)
            for (seal, day) in [(1, "2026-03-01"), (2, "2026-03-03"), (3, "2026-03-04"), (4, "2026-03-24")] {
                try await world.night(Int64(seal), for: day)
            }
            let expiry = "2026-03-20 12:00Z"
            try await world.became("active", at: "2026-03-01 10:00Z", expires: expiry, autoRenew: true, seal: 1)
            try await world.became("active", at: "2026-03-03 10:00Z", expires: expiry, autoRenew: false, seal: 3)
            try await world.became("revoked", at: "2026-03-15 10:00Z", reason: "refund", expires: expiry, seal: 4)
            #expect(try await Self.states(world, on: "2026-02-28") == [])
            #expect(try await Self.states(world, on: "2026-03-03") == ["active|false|"])
            #expect(try await Self.states(world, on: "2026-03-04") == ["active|true|"])
            #expect(try await Self.states(world, on: "2026-03-03", seal: 3) == ["active|true|"])
            #expect(try await Self.states(world, on: "2026-03-15") == ["active|true|"])
            #expect(try await Self.states(world, on: "2026-03-15", seal: 4) == ["revoked|false|refund"])
            #expect(try await Self.states(world, on: "2026-03-14", seal: 4) == ["active|true|"])
        }
    }

    /// The night about the 2nd is sealed after the one about the 3rd, and an import of the 2nd after that: what was said of
    /// the 2nd stays.
    @Test func `what is sealed late moves no day that was closed`() async throws {
        try await ReportWorld.with { world in
            try await world.connection.script(
                """
                insert into subledger.subscriptions (
                    subscription_key, lineage_key, app_id, store, store_key, registered_at)
                values (1, 1, 'acme-ios', 'app_store', '2001', '2026-03-01')
                """)
            try await world.night(1, for: "2026-03-01")
            try await world.became("active", at: "2026-03-01 10:00Z", expires: "2026-03-20 12:00Z", autoRenew: true)
            try await world.night(2, for: "2026-03-03")
            for seal: Int64 in 3...4 { try await world.night(seal, for: "2026-03-02") }
            try await world.connection.script("update subledger.runs set job = 'import' where run_id = 4")
            try await world.became(
                "active", at: "2026-03-02 10:00Z", expires: "2026-03-20 12:00Z", autoRenew: false, seal: 3)
            #expect(try await Self.states(world, on: "2026-03-02") == ["active|false|"])
            #expect(try await Self.states(world, on: "2026-03-03") == ["active|true|"])
        }
    }
}
