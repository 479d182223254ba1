// SPDX-License-Identifier: Apache-2.0

import Model
import Nightly
import Runs
import Stores
import TestSupport
import Testing

/// When a business date needs no further night (RULINGS §8, `nightly --once`).
@Suite struct DoneDateTests {
    private static let down = StoreFailure(.storeDown, reason: "store_down", message: "The app stops for tonight.")
    private static let timedOut = StoreFailure(.transient, reason: "timed_out", message: "It took too long.")

    private static func isDone(
        _ world: ChunkWorld, _ day: Int64, apps: [AppID] = [AppID("acme-ios")], reports: Bool = false
    ) async throws -> Bool {
        var options = NightlyOptions(
            now: ChunkWorld.march + .days(day), reportDirectory: "", timeZone: .utc)
        options.reports = reports
        return try await DoneDate(connection: world.connection).isDone(apps, options)
    }

    private static let ending = ScriptedStore { due, _ in .success(.ended(Inquiry(subscriptions: [due]))) }

    @Test func `a date is done when a sealed night of it finished every app`() async throws {
        try await ChunkWorld.with { world in
            try await world.register(["1001"])
            #expect(try await !Self.isDone(world, 1))
            try await world.night(1, asking: Self.ending)
            #expect(try await Self.isDone(world, 1))
            // Of another date, and of an app besides, nothing is said.
            #expect(try await !Self.isDone(world, 2))
            #expect(try await !Self.isDone(world, 1, apps: [AppID("acme-ios"), AppID("acme-android")]))
            try await world.connection.script("update subledger.runs set seal = null, sealed_at = null")
            #expect(try await !Self.isDone(world, 1))
        }
    }

    @Test func `an app that was stopped, or finished late, has not had the date`() async throws {
        for answered in [0, 1] {
            try await ChunkWorld.with { world in
                try await world.register(["1001", "1002"])
                let store = ScriptedStore { due, _ in
                    due.storeKey.reveal() == "1001" && answered == 1
                        ? .success(.ended(Inquiry(subscriptions: [due]))) : .failure(Self.down)
                }
                try await world.night(1, asking: store)
                #expect(try await !Self.isDone(world, 1))
                try await world.night(1, asking: Self.ending)
                #expect(try await Self.isDone(world, 1))
            }
        }
    }

    @Test func `a date of which a failed check is due is not done`() async throws {
        try await ChunkWorld.with { world in
            try await world.register((1001...1003).map(String.init))
            let store = ScriptedStore { due, _ in
                due.storeKey.reveal() == "1003"
                    ? .failure(Self.timedOut) : .success(.ended(Inquiry(subscriptions: [due])))
            }
            #expect(try await world.night(1, asking: store) == .done)
            #expect(try await !Self.isDone(world, 1))
            try await world.night(1, asking: Self.ending)
            #expect(try await Self.isDone(world, 1))
        }
    }

    /// A second start of the date made good what the first could not read, and was killed before it was sealed: what it
    /// booked is in no report until a start ends it.
    ///
    /// One whose leader lives is its leader's.
    @Test func `a date of which a night was left half-way is not done`() async throws {
        try await ChunkWorld.with { world in
            try await world.register(["1001"])
            try await world.night(1, asking: Self.ending)
            let open: (String) async throws -> Void = {
                try await world.connection.script(
                    """
                    insert into subledger.runs (job, business_date, logical_now, host, process_id, leased_until)
                    select job, business_date, logical_now, 'elsewhere.example', 4711, now() + \($0) from subledger.runs;
                    insert into subledger.run_apps (run_id, app_id) select max(run_id), 'acme-ios' from subledger.runs
                    """)
            }
            try await open("interval '1 hour'")
            #expect(try await Self.isDone(world, 1))
            for left in ["null", "now() - interval '1 second'"] {
                try await world.connection.script(
                    "update subledger.runs set leased_until = \(left) where outcome = 'running'")
                #expect(try await !Self.isDone(world, 1), "\(left)")
                #expect(try await Self.isDone(world, 1, apps: []))
            }
        }
    }

    /// None is wanted with --no-reports; else the date has one, and no earlier date owes its own.
    @Test func `a date whose report is not issued is not done`() async throws {
        try await ChunkWorld.with { world in
            try await world.register(["1001"])
            try await world.night(1, asking: Self.ending)
            #expect(try await !Self.isDone(world, 1, reports: true))
            try await world.connection.script(
                """
                insert into subledger.report_issues (run_id, seal, business_date, path, last_seal)
                select run_id, seal, business_date, '/reports', seal from subledger.runs
                """)
            #expect(try await Self.isDone(world, 1, reports: true))
            try await world.connection.script("update subledger.runs set report_due = true")
            #expect(try await !Self.isDone(world, 1, reports: true))
            #expect(try await Self.isDone(world, 1, reports: false))
        }
    }
}
