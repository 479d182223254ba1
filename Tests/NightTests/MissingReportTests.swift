// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreSimulator
import TestSupport
import Testing

/// A day whose report could not be written, or whose night was cut, is not forgotten: the next night writes it.
@Suite(.serialized, .hangLimit) struct MissingReportTests {
    private static let apps: [SimulatorConfiguration.App] = [.server(id: "acme-ios", bundleID: "com.acme.app")]

    private static func with(_ body: (NightWorld) async throws -> Void) async throws {
        try await NightWorld.with(seed: 52, customersPerApp: 25, apps: apps, body)
    }

    private static func tables(_ world: NightWorld, of night: Int) throws -> [String: Data] {
        let folder = "\(world.reports)/\(NightWorld.businessDate(of: night))"
        var tables: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".csv") {
            tables[name] = FileManager.default.contents(atPath: "\(folder)/\(name)")
        }
        return tables
    }

    private static func issues(_ world: NightWorld) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: world.reports).filter { !$0.hasPrefix(".") }.sorted()
    }

    @Test
    func `the report that a night failed to write is written by the next one, as that night knew it`() async throws {
        var unbroken: [String: Data] = [:]
        try await Self.with { world in
            for number in 1...3 { try await world.night(number) }
            unbroken = try Self.tables(world, of: 2)
        }
        try #require(unbroken.count > 10)
        try await Self.with { world in
            try await world.night(1)
            // The folder is away, and a file stands in its place.
            try FileManager.default.moveItem(atPath: world.reports, toPath: world.directory + "/aside")
            try Data("full".utf8).write(to: URL(fileURLWithPath: world.reports))
            let failed = try await world.night(2, expecting: 1)
            #expect(failed.standardError.contains("cannot make the folder"), "\(failed.standardError)")
            let absence = "has none of the issues that are recorded (1, the newest was written to "
            #expect(failed.standardError.contains(absence), "\(failed.standardError)")
            let status = try await world.subledger("status", "--now", NightWorld.instant(of: 3).iso8601)
            let date = NightWorld.businessDate(of: 2)
            #expect(status.standardOutput.contains("failed: cannot make the folder"), "\(status.standardOutput)")
            #expect(status.standardOutput.contains("the report of \(date) is missing"))
            try FileManager.default.removeItem(atPath: world.reports)
            try FileManager.default.moveItem(atPath: world.directory + "/aside", toPath: world.reports)
            let third = try await world.night(3)
            #expect(!third.standardError.contains(absence), "\(third.standardError)")
            #expect(try Self.tables(world, of: 2) == unbroken)
            #expect(try Self.issues(world) == (1...3).map(NightWorld.businessDate) + ["latest"])
            let latest = try FileManager.default.destinationOfSymbolicLink(atPath: world.reports + "/latest")
            #expect(latest == NightWorld.businessDate(of: 3))
            #expect(try await world.connection.lines("select 1 from subledger.runs where report_due") == [])
        }
    }

    @Test func `a cut night's day is written by the next night; one of --no-reports is missing nothing`() async throws {
        try await Self.with { world in
            try await world.night(1)
            try await world.kill(try await world.startNight(2, upTo: .select), at: .select)
            try await world.night(3, "--no-reports")
            #expect(try Self.issues(world) == [NightWorld.businessDate(of: 1), "latest"])
            try await world.night(4)
            #expect(try Self.issues(world) == [1, 2, 4].map(NightWorld.businessDate) + ["latest"])
            #expect(try await world.connection.lines("select 1 from subledger.runs where report_due") == [])
        }
    }

    /// The second night died between the rename of its issue and the record of it.
    @Test func `an issue that is there and not recorded is recorded by the next night`() async throws {
        try await Self.with { world in
            for number in 1...2 { try await world.night(number) }
            let recorded =
                "select seal, business_date, path, manifest_sha256 from subledger.report_issues order by seal"
            let issues = try await world.connection.lines(recorded)
            try await world.connection.script(
                """
                alter table subledger.report_issues disable trigger user;
                delete from subledger.report_issues where seal = 2;
                alter table subledger.report_issues enable trigger user;
                update subledger.runs set report_due = true where seal = 2
                """)
            try await world.night(3)
            #expect(try await world.connection.lines(recorded).prefix(2) == issues[...] && issues.count == 2)
            #expect(try Self.issues(world) == (1...3).map(NightWorld.businessDate) + ["latest"])
            #expect(try await world.connection.lines("select 1 from subledger.runs where report_due") == [])
        }
    }
}
