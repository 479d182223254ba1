// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// The reports' folder beside a database that has lost what was committed last, as a promoted standby has that lagged behind.
@Suite struct UnrecordedIssuesTests {
    private static func request(
        _ directory: String, seal: Int64, upkeep: TableUpkeep = .movedOn, isRepeated: Bool = false
    ) throws -> ReportRequest {
        let asOf = "2026-02-0\(seal < 3 ? seal + 6 : 8)T02:00:00Z"
        return ReportRequest(
            seal: seal, runID: seal,
            businessDate: try #require(BusinessDate(seal == 1 ? "2026-02-06" : "2026-02-07")),
            asOf: try #require(Instant(iso8601: asOf)), directory: directory, upkeep: upkeep, isRepeated: isRepeated)
    }

    /// Two nights with their issues, of which the database knows the first alone.
    private static func withLostNight(_ body: (ReportWorld, _ directory: String) async throws -> Void) async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                for (seal, day) in [(Int64(1), "2026-02-06"), (2, "2026-02-07")] {
                    try await world.night(seal, for: day, issued: false)
                    _ = try await ReportStage().issue(
                        on: world.connection, request: try request(directory, seal: seal))
                }
                let exported = try request(ExportPlace.below(directory), seal: 2, upkeep: .leftAlone)
                _ = try await ReportStage().issue(on: world.connection, request: exported)
                try await world.connection.script(
                    """
                    alter table subledger.report_issues disable trigger user;
                    delete from subledger.report_issues where seal = 2;
                    alter table subledger.report_issues enable trigger user;
                    """)
                try await body(world, directory)
            }
        }
    }

    private static func loseRun(_ world: ReportWorld) async throws {
        try await world.connection.script(
            "delete from subledger.runs where seal = 2; update subledger.settings set last_seal = 1")
    }

    private static func bytes(of issue: String) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: issue)
        return Dictionary(
            uniqueKeysWithValues: names.map { ($0, FileManager.default.contents(atPath: "\(issue)/\($0)") ?? Data()) })
    }

    @Test func `an issue whose run was lost is named, and the next one of its date is another issue`() async throws {
        try await Self.withLostNight { world, directory in
            let reports = ReportDirectory(directory, on: world.connection)
            // Its process died before it was recorded: its run is known, and the next night records it.
            let unrecorded = try await reports.unrecorded()
            #expect(unrecorded.issues.isEmpty && unrecorded.sentence == nil && unrecorded.highestSeal == 0)
            try await Self.loseRun(world)
            let lost = try await reports.unrecorded()
            #expect(lost.issues.map(\.name) == ["2026-02-07", "exports/2026-02-07-2"] && lost.highestSeal == 2)
            #expect(
                lost.sentence?.contains("no record: 2026-02-07 (seal 2), exports/2026-02-07-2 (seal 2). It") == true)
            #expect(lost.findings == [])
            let before = try Self.bytes(of: directory + "/2026-02-07")
            try await world.night(3, for: "2026-02-07", issued: false)
            // A schedule makes no issue that says what its date's last one says: but the database must know that one.
            let issued = try await ReportStage().issue(
                on: world.connection, request: try Self.request(directory, seal: 3, isRepeated: true))
            #expect(issued.isNew && issued.path == directory + "/2026-02-07.2")
            #expect(try Self.bytes(of: directory + "/2026-02-07") == before)
            let latest = try FileManager.default.destinationOfSymbolicLink(atPath: directory + "/latest")
            #expect(latest == "2026-02-07.2")
            let recorded = try await world.connection.lines(
                "select run_id, seal from subledger.report_issues order by seal")
            #expect(recorded == ["1|1", "3|3"])
            #expect(try await reports.unrecorded().issues.map(\.name) == ["2026-02-07"])
        }
    }

    @Test func `what cannot be read is said, and a number that is none of ours counts for nothing`() async throws {
        try await Self.withLostNight { world, directory in
            try await Self.loseRun(world)
            let manifest = directory + "/2026-02-07/manifest.json"
            let text = try String(contentsOfFile: manifest, encoding: .utf8)
            for broken in [text.replacing("\"seal\" : 2", with: "\"seal\" : 9000000000000000"), "{}"] {
                try #require(broken != text)
                try broken.write(toFile: manifest, atomically: true, encoding: .utf8)
                let found = try await ReportDirectory(directory, on: world.connection).unrecorded()
                #expect(found.issues.map(\.name) == ["exports/2026-02-07-2"])
                #expect(found.findings.count == 1 && found.findings[0].hasPrefix("\(manifest) cannot be read"))
            }
            let place = directory + "/2026-02-06/report.html"
            let noFolder = try await ReportDirectory(place, on: world.connection).unrecorded()
            #expect(noFolder.issues.isEmpty && noFolder.findings.count == 1)
            #expect(noFolder.findings.first?.hasPrefix("\(place) cannot be read: ") == true)
            let nothing = try await ReportDirectory(directory + "/none", on: world.connection).unrecorded()
            #expect(nothing.issues.isEmpty && nothing.findings.isEmpty)
        }
    }

    @Test func `a folder with none of the recorded issues is another one; one that has any is the one`() async throws {
        try await Self.withLostNight { world, directory in
            let elsewhere = directory + "/elsewhere"
            let missing = try await ReportDirectory(elsewhere, on: world.connection).absence()
            #expect(missing?.hasPrefix("\(elsewhere) has none of the issues that are recorded (1, ") == true)
            #expect(missing?.contains("newest was written to \(directory)/2026-02-06)") == true)
            #expect(try await ReportDirectory(directory, on: world.connection).absence() == nil)
            // Its owner has moved it; another issue has its name.
            try FileManager.default.createDirectory(atPath: directory + "/2025", withIntermediateDirectories: false)
            try FileManager.default.moveItem(
                atPath: directory + "/2026-02-06", toPath: directory + "/2025/2026-02-06")
            try FileManager.default.copyItem(atPath: directory + "/2026-02-07", toPath: directory + "/2026-02-06")
            #expect(try await ReportDirectory(directory, on: world.connection).absence() == nil)
            try FileManager.default.removeItem(atPath: directory + "/2025")
            #expect(try await ReportDirectory(directory, on: world.connection).absence() != nil)
            // Taken away on purpose.
            try await world.connection.script("insert into subledger.pruned_issues (run_id) values (1)")
            #expect(try await ReportDirectory(directory, on: world.connection).absence() == nil)
        }
    }
}
