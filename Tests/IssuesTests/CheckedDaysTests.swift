// SPDX-License-Identifier: Apache-2.0

import Foundation
import Postgres
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// Which days' totals the checks look at: those that a night moved figures on and a thirtieth of the others, or all of them.
///
/// Figures move from 2026-01-01, the first purchase, to 2026-03-01, when the last period ends. Thirty days before the
/// business date 2026-02-21 is 2026-01-22.
@Suite struct CheckedDaysTests {
    /// Two micros of the 16th of January are billed on the 15th: neither the ledger agrees nor what is owed at the end of that day.
    private static func breakDay(_ world: ReportWorld, by micros: Int64 = 2) async throws {
        try await world.connection.script(
            """
            update marts.recognised_daily
            set billed = billed + case day when '2026-01-15' then \(micros) else -(\(micros)) end
            where day in ('2026-01-15', '2026-01-16')
            """)
    }

    /// The first night is issued, its books close.
    private static func afterFirstNight(_ body: (ReportWorld, String) async throws -> Void) async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await CheckedHistory.write(world)
                #expect(try await CheckedHistory.issue(world, 1, "2026-02-20", directory).isEmpty)
                try await body(world, directory)
            }
        }
    }

    /// The full proof looks at what is owed at the end of months, and at all days of the ledger.
    private static let found = ["recognised_and_deferred_equal_billed"]
    private static let foundThatDay = ["deferred_equals_open_periods", "recognised_and_deferred_equal_billed"]

    @Test func `a check that is given days says at its head whose they are`() {
        let checks = ReportCatalog.checks.filter { [.days, .everything].contains($0.scope) }
        #expect(checks.count > 10)
        for check in checks { #expect((check.figures != nil) == check.query.text.contains("$1"), "\(check.name)") }
    }

    @Test func `a night looks at the days it moved and at a thirtieth`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await CheckedHistory.write(world)
                #expect(try await world.nextPart(seal: 1, "2026-02-20").days == nil)
                #expect(try await CheckedHistory.issue(world, 1, "2026-02-20", directory).isEmpty)
                try await world.night(2, for: "2026-02-21")
                try await CheckedHistory.refund(world)
                #expect(try await CheckedHistory.issue(world, 2, "2026-02-21", directory).isEmpty)
                // The refund's day, where the App Store's paid time ends with it, and the 1st of March, from which on no customer
                // waits for word any more.
                let moved = try await world.connection.lines(
                    "select figures || ' ' || day from marts.moved_days where seal = 2 order by 1")
                #expect(moved == ["money 2026-02-21", "periods 2026-02-21", "periods 2026-03-01"])
                let days = try await world.nextPart(seal: 2, "2026-02-21").days
                // With the turn of the date.
                #expect(
                    days == [
                        .money: ["2026-01-22", "2026-02-21"], .periods: ["2026-01-22", "2026-02-21", "2026-03-01"],
                    ])
                // A report that is asked for by day looks again at what the night wrote, however often.
                try await world.night(3, for: "2026-02-21")
                try await world.connection.script("update subledger.runs set job = 'report' where seal = 3")
                for _ in 1...2 {
                    #expect(try await world.nextPart(seal: 3, "2026-02-21").days == days)
                    #expect(try await CheckedHistory.issue(world, 3, "2026-02-21", directory).isEmpty)
                }
                // A night that moves nothing.
                try await world.night(4, for: "2026-02-22")
                #expect(try await CheckedHistory.issue(world, 4, "2026-02-22", directory).isEmpty)
                let turn = ["2026-01-23", "2026-02-22"]
                #expect(try await world.nextPart(seal: 4, "2026-02-22").days == [.money: turn, .periods: turn])
            }
        }
    }

    @Test func `a total that is wrong elsewhere is found at the week's full proof`() async throws {
        try await Self.afterFirstNight { world, directory in
            try await Self.breakDay(world)
            for (seal, day) in zip(Int64(2)..., ["2026-02-21", "2026-02-26"]) {
                try await world.night(seal, for: day)
                #expect(try await CheckedHistory.issue(world, seal, day, directory).isEmpty)
            }
            try await world.night(4, for: "2026-02-27")
            #expect(try await CheckedHistory.issue(world, 4, "2026-02-27", directory) == Self.found)
            // Everything is looked at until the books close, and then again a week later.
            try await world.night(5, for: "2026-02-28")
            #expect(try await CheckedHistory.issue(world, 5, "2026-02-28", directory) == Self.found)
            try await Self.breakDay(world, by: -2)
            #expect(try await CheckedHistory.issue(world, 5, "2026-02-28", directory).isEmpty)
            try await world.night(6, for: "2026-03-01")
            #expect(try await world.nextPart(seal: 6, "2026-03-01").days != nil)
            #expect(try await world.nextPart(seal: 6, "2026-03-07").days == nil)
        }
    }

    @Test func `a total that is wrong elsewhere is mended at once by a rebuild`() async throws {
        try await Self.afterFirstNight { world, directory in
            try await Self.breakDay(world)
            #expect(try await CheckedHistory.issue(world, 1, "2026-02-20", directory, .leftAlone) == Self.found)
            #expect(try await CheckedHistory.issue(world, 1, "2026-02-20", directory, .rebuilt).isEmpty)
        }
    }

    /// Two nights end together, and the later one's report is made first: the earlier one's rests on tables of its own.
    @Test func `a report of an earlier seal proves nothing of the marts`() async throws {
        try await Self.afterFirstNight { world, directory in
            for (seal, day) in zip(Int64(2)..., ["2026-02-21", "2026-02-22"]) { try await world.night(seal, for: day) }
            #expect(try await CheckedHistory.issue(world, 3, "2026-02-22", directory).isEmpty)
            #expect(try await CheckedHistory.issue(world, 2, "2026-02-21", directory).isEmpty)
            let proofs = try await world.connection.lines(
                "select seal from marts.checked where full_proof_on is not null")
            #expect(proofs == ["1"])
        }
    }

    @Test func `every day has its turn within thirty nights`() async throws {
        try await Self.afterFirstNight { world, directory in
            try await Self.breakDay(world)
            var turns: [String: String] = [:]
            let dates = (21...28).map { "2026-02-\($0)" } + (1...22).map { "2026-03-\($0 < 10 ? "0" : "")\($0)" }
            for (seal, date) in zip(Int64(2)..., dates) {
                try await world.night(seal, for: date)
                for day in try #require(try await world.nextPart(seal: seal, date).days?[.money]) {
                    #expect(turns.updateValue(date, forKey: day) == nil)
                }
                try await world.rememberChecks(seal, fullProofOn: date)
            }
            // The 60 days from 2026-01-01 to 2026-03-01, each on one date.
            #expect(turns.count == 60)
            #expect(turns["2026-01-15"] == "2026-03-16")
            for (day, found) in [("2026-01-15", Self.foundThatDay), ("2026-01-17", [])] {
                let part = CheckExtent(provenSeal: 1, days: [.money: [day], .periods: [day]])
                #expect(try await world.failedChecks(seal: 1, of: part) == found)
            }
        }
    }
}
