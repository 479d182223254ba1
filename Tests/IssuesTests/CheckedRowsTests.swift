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

/// Which rows the checks look at: what a night touched and a thirtieth of the others, or everything.
///
/// 2026-02-21 is 9548 days after 2000-01-01, which leaves 8 of thirty: on that date those of the keys 8, 38 and so on have
/// their turn, on the next one 9 and 39.
@Suite struct CheckedRowsTests {
    private static func breakTax(_ world: ReportWorld, of key: Int64, to tax: Int64? = 1) async throws {
        try await world.connection.execute(
            Statement(
                name: "break", text: "update subledger.ledger_entries set tax_micros = $2 where subscription_key = $1"),
            [.int(key), PostgresValue(tax)])
    }

    private static func subscriptions(_ world: ReportWorld, _ seal: Int64, _ date: String) async throws -> [Int64]? {
        try await world.nextPart(seal: seal, date).lineages
    }

    @Test func `a night looks at what it marked, with its lineage, and at a thirtieth`() async throws {
        try await ReportWorld.with { world in
            try await CheckedHistory.write(world)
            #expect(try await Self.subscriptions(world, 1, "2026-02-20") == nil)
            try await world.rememberChecks(1, fullProofOn: "2026-02-20")
            // Asked again for the same night: what it touched is everything.
            #expect(try await Self.subscriptions(world, 1, "2026-02-20") == nil)
            try await world.night(2, for: "2026-02-21")
            try await CheckedHistory.refund(world)
            #expect(try await Self.subscriptions(world, 2, "2026-02-21") == [4, 8, 12, 38])
            try await world.rememberChecks(2)
            // A report that is asked for by day looks again at what the night wrote.
            try await world.night(3, for: "2026-02-22")
            try await world.connection.script("update subledger.runs set job = 'report' where seal = 3")
            #expect(try await Self.subscriptions(world, 3, "2026-02-22") == [4, 9, 12, 39])
        }
    }

    @Test func `a broken row among the marked is found the same night, and until it is mended`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await CheckedHistory.write(world)
                #expect(try await CheckedHistory.issue(world, 1, "2026-02-20", directory).isEmpty)
                #expect(try await world.connection.lines("select seal from marts.checked") == ["1"])
                try await world.night(2, for: "2026-02-21")
                try await CheckedHistory.refund(world)
                try await Self.breakTax(world, of: 4)
                let found = try await CheckedHistory.issue(world, 2, "2026-02-21", directory)
                #expect(found == ["ledger_tax_equals_transaction"])
                // Nothing touches it any more, and it is not its turn.
                try await world.night(3, for: "2026-02-22")
                #expect(try await CheckedHistory.issue(world, 3, "2026-02-22", directory) == found)
                try await Self.breakTax(world, of: 4, to: nil)
                #expect(try await CheckedHistory.issue(world, 3, "2026-02-22", directory).isEmpty)
                #expect(try await world.connection.lines("select seal from marts.checked") == ["3"])
            }
        }
    }

    @Test func `a broken row elsewhere is found at once by a rebuild`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await CheckedHistory.write(world)
                #expect(try await CheckedHistory.issue(world, 1, "2026-02-20", directory).isEmpty)
                try await world.night(2, for: "2026-02-21")
                try await CheckedHistory.refund(world)
                try await Self.breakTax(world, of: 17)
                #expect(try await CheckedHistory.issue(world, 2, "2026-02-21", directory).isEmpty)
                let found = ["ledger_tax_equals_transaction"]
                #expect(try await CheckedHistory.issue(world, 2, "2026-02-21", directory, .rebuilt) == found)
                // It stays found, though no night marks it: everything is looked at until the books close.
                try await world.night(3, for: "2026-02-22")
                #expect(try await CheckedHistory.issue(world, 3, "2026-02-22", directory) == found)
                // The report of an earlier seal is reckoned from the whole history, and so are its checks.
                #expect(try await CheckedHistory.issue(world, 1, "2026-02-20", directory, .leftAlone) == found)
            }
        }
    }

    @Test func `a broken row elsewhere is found within thirty nights`() async throws {
        try await ReportWorld.with { world in
            try await CheckedHistory.write(world)
            try await world.rememberChecks(1, fullProofOn: "2026-02-20")
            try await Self.breakTax(world, of: 17)
            let check = try #require(ReportCatalog.checks.first { $0.name == "ledger_tax_equals_transaction" })
            var (lookedAt, findings): (Set<Int64>, [String]) = ([], [])
            let days = (21...28).map { "2026-02-\($0)" } + (1...22).map { "2026-03-\($0 < 10 ? "0" : "")\($0)" }
            for (seal, day) in zip(Int64(2)..., days) {
                try await world.night(seal, for: day)
                let keys = try #require(try await Self.subscriptions(world, seal, day))
                #expect(keys.count <= 3)
                lookedAt.formUnion(keys)
                findings += try await world.findings(of: check, seal: seal, day).map { "\(day) \($0)" }
                // Else everything would be looked at after seven nights.
                try await world.rememberChecks(seal, fullProofOn: day)
            }
            #expect(lookedAt == Set(1...40))
            // Nine days after the turn of 8.
            #expect(findings == ["2026-03-02 t17 tax"])
        }
    }

    /// A night has missed a change of a lineage, and its kept periods are old: no total tells.
    @Test func `stored periods are made again from the history in turn`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await CheckedHistory.write(world)
                #expect(try await CheckedHistory.issue(world, 1, "2026-02-20", directory).isEmpty)
                try await world.connection.script(
                    "update marts.paid_periods set mrr_nanos = mrr_nanos + 1 where lineage_key in (8, 9)")
                // 9548 leaves 8 of ninety.
                try await world.night(2, for: "2026-02-21")
                let issue = try await CheckedHistory.issue(world, 2, "2026-02-21", directory)
                #expect(issue == ["periods_equal_history"])
                #expect(try await CheckedHistory.issue(world, 2, "2026-02-21", directory, .rebuilt).isEmpty)
            }
        }
    }
}
