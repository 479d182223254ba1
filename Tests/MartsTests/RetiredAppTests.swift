// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport
import Testing

@testable import ReportSupport

/// Who subscribes to an app that is retired leaves without churn, on the later of the expiry and the day of that; nothing that was
/// reported before moves.
@Suite struct RetiredAppTests {
    private static let sale = Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z")
    private static let opened = "2026-01-05 monthly USD: 0.000000, new 9.990000 = 9.990000"

    private static func retire(_ world: ReportWorld, on day: String?, seal: Int64) async throws {
        try await world.connection.script(
            """
            insert into subledger.apps (app_id, store) values ('acme-ios', 'app_store') on conflict do nothing;
            insert into subledger.app_retirements (app_id, recorded_run_id, retired_on)
            values ('acme-ios', \(seal), \(day.map { "'\($0)'" } ?? "null"))
            """)
    }

    @Test(arguments: [("2026-01-20", "2026-02-05"), ("2026-02-20", "2026-02-20")])
    func `its lineages leave on the later of expiry and that day, as of the seal that recorded it`(
        retired: String, left: String
    ) async throws {
        try await ReportWorld.with { world in
            for (seal, day) in [(1, "2026-02-21"), (2, "2026-02-22"), (3, "2026-02-23")] as [(Int64, String)] {
                try await world.night(seal, for: day)
            }
            try await world.charged(Self.sale)
            try await world.became("active", at: Self.sale.from, expires: Self.sale.to)
            try await Self.retire(world, on: retired, seal: 2)
            try await Self.retire(world, on: nil, seal: 3)
            let gone = "\(left) monthly USD: 9.990000, moved_out -9.990000 = 0.000000"
            for (seal, expected) in [(1, [Self.opened]), (2, [Self.opened, gone]), (3, [Self.opened])]
                as [(
                    Int64, [String]
                )]
            {
                #expect(try await world.bridge(seal: seal, through: "2026-02-28") == expected)
                #expect(try await world.ends(seal: seal, through: "2026-02-28") == [])
            }
        }
    }

    /// What the store said of an end stays its word.
    @Test func `who had ended before stays churned`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-22")
            try await world.charged(Self.sale)
            try await world.became("active", at: Self.sale.from, expires: Self.sale.to)
            try await world.became("expired", at: "2026-02-05 12:00Z", reason: "voluntary", expires: Self.sale.to)
            try await Self.retire(world, on: "2026-02-20", seal: 1)
            #expect(
                try await world.ends(through: "2026-02-28") == [
                    "2026-02-05 monthly: opening 1, voluntary 1, rate 1.000000"
                ])
        }
    }

    /// Its store has said nothing since the expiry, on 5 February; from the 20th on it is not asked.
    @Test func `who was unread stays so until that day`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-22")
            try await world.charged(Self.sale)
            try await world.became("active", at: Self.sale.from, expires: Self.sale.to)
            try await Self.retire(world, on: "2026-02-20", seal: 1)
            #expect(try await world.subscribers(on: "2026-02-19") == ["monthly: active 1, unread 1"])
            #expect(try await world.subscribers(on: "2026-02-20") == [])
            #expect(try await world.failedChecks().isEmpty)
        }
    }
}
