// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreSimulator
import TestSupport
import Testing

/// A schedule starts the night several times a morning: what a start finds done it leaves, what may pass by itself it makes good.
@Suite(.serialized, .hangLimit) struct RepeatedNightTests {
    private static let apps: [SimulatorConfiguration.App] = [
        .server(id: "acme-ios", bundleID: "com.acme.app"), .receipt(id: "acme-legacy", bundleID: "com.acme.old"),
    ]

    /// So many hours after the night's first start.
    private static func start(
        _ world: NightWorld, _ night: Int, hours: Int64 = 0, _ options: String..., expecting exitCode: Int32 = 0
    ) async throws -> CommandLineRun.Result {
        let now = NightWorld.instant(of: night) + .hours(hours)
        let arguments = ["nightly", "--once", "--now", now.iso8601, "--config", world.configuration] + options
        world.stores.setClock(now.micros)
        let result = try await CommandLineRun(product: "subledger", arguments: arguments).run()
        #expect(result.exitCode == exitCode, "night \(night) + \(hours) h: \(result.standardError.suffix(2_000))")
        return result
    }

    private static func expectNothingToDo(
        _ world: NightWorld, _ night: Int, hours: Int64, _ options: [String] = []
    ) async throws {
        let runs = try await world.connection.lines("select max(run_id) from subledger.runs")
        let now = NightWorld.instant(of: night) + .hours(hours)
        let result = try await CommandLineRun(
            product: "subledger",
            arguments: ["nightly", "--once", "--quiet", "--now", now.iso8601, "--config", world.configuration] + options
        ).run()
        #expect(result.exitCode == 0 && result.standardError == "" && result.standardOutput == "", "quiet: all is well")
        #expect(try await world.connection.lines("select max(run_id) from subledger.runs") == runs)
    }

    private static func issues(_ world: NightWorld) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: world.reports).filter { $0.hasPrefix("2") }.sorted()
    }

    /// The first night, pinged when it opens and when it ends; the start after it has nothing to do and pings nothing.
    private static func expectWatched(_ world: NightWorld) async throws {
        let service = try LoopbackServer { _, _ in .init() }
        for event in ["start", "success", "failure"] {
            let path = world.directory + "/\(event).url"
            try Data("\(service.url)/secret/\(event)\n".utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        }
        let watched = """
            clock: simulated
            metrics: { textfile: subledger.prom }
            ping: { start_file: start.url, success_file: success.url, failure_file: failure.url }
            """
        let night = NightWorld.instant(of: 1)
        let titled = ("- id: acme-ios\n", "- id: acme-ios\n    title: Acme for phones\n")
        try await world.with([("clock: simulated", watched), titled]) {
            let result = try await start(world, 1)
            #expect(!(result.standardOutput + result.standardError).contains("secret"))
            try await expectNothingToDo(world, 1, hours: 2)
        }
        #expect(service.requests.map(\.path) == ["/secret/start", "/secret/success"])
        let metrics = try String(contentsOfFile: world.directory + "/subledger.prom", encoding: .utf8)
        let finished = "subledger_last_night_timestamp_seconds{app=\"acme-ios\"} \(night.micros / 1_000_000)\n"
        #expect(metrics.contains(finished) && metrics.hasSuffix("\nsubledger_ok 1\n"), "\(metrics)")
        let status = try await world.subledger("status", "--check", "--now", (night + .hours(2)).iso8601)
        #expect(status.exitCode == 0 && status.standardOutput == "OK\n", "\(status.standardOutput)")
        let page = try String(
            contentsOfFile: "\(world.reports)/\(NightWorld.businessDate(of: 1))/report.html", encoding: .utf8)
        let whole = try await world.subledger("status", "--now", (night + .hours(2)).iso8601)
        for text in [page, whole.standardOutput] { #expect(text.contains("Acme for phones (acme-ios)")) }
    }

    /// Of two apps one store is down at 02:15 and at 04:15, and back at 06:15.
    @Test func `a night of a store that was down is made good later in the morning`() async throws {
        try await NightWorld.with(seed: 91, customersPerApp: 12, apps: Self.apps) { world in
            try await world.moveOn(to: NightWorld.instant(of: 1))
            try await Self.expectWatched(world)
            try await world.moveOn(to: NightWorld.instant(of: 30), since: NightWorld.instant(of: 1))
            for endpoint in ["statuses", "notification_history"] {
                world.stores.faults.plan(.emptyServerError, times: 10_000, at: endpoint)
            }
            _ = try await Self.start(world, 30, expecting: 2)
            let (first, date) = (NightWorld.businessDate(of: 1), NightWorld.businessDate(of: 30))
            #expect(try Self.issues(world) == [first, date])
            let now = NightWorld.instant(of: 30) + .hours(1)
            let status = try await world.subledger("status", "--check", "--now", now.iso8601)
            #expect(status.exitCode == 2 && status.standardOutput.hasPrefix("NOT OK: acme-ios stopped ("))
            let again = try await Self.start(world, 30, hours: 2, expecting: 2)
            #expect(try Self.issues(world) == [first, date], "it says nothing new")
            #expect(again.standardError.contains("says nothing new"))
            world.stores.faults.clear()
            _ = try await Self.start(world, 30, hours: 4)
            #expect(try Self.issues(world) == [first, date, "\(date).2"])
            try await Self.expectNothingToDo(world, 30, hours: 8)
            let recorded = try await world.connection.lines(
                "select business_date from subledger.report_issues order by seal")
            #expect(recorded == [first, date, date])
        }
    }

    @Test func `each app has the date by itself, and a start without reports owes none`() async throws {
        try await NightWorld.with(seed: 92, customersPerApp: 6, apps: Self.apps) { world in
            try await world.moveOn(to: NightWorld.instant(of: 1))
            let (one, other) = (["--app", "acme-ios"], ["--app", "acme-legacy"])
            _ = try await Self.start(world, 1, "--app", "acme-ios", "--no-reports")
            try await Self.expectNothingToDo(world, 1, hours: 1, one + ["--no-reports"])
            #expect(try Self.hasNoReports(world))
            _ = try await Self.start(world, 1, hours: 2, "--app", "acme-ios")
            try await Self.expectNothingToDo(world, 1, hours: 3, one)
            _ = try await Self.start(world, 1, hours: 4, "--app", "acme-legacy")
            try await Self.expectNothingToDo(world, 1, hours: 5, other)
            try await Self.expectNothingToDo(world, 1, hours: 5)
            try await Self.expectNoneAsked(world)
        }
    }

    /// Both apps are retired before the second night: a schedule that is still there is no failure, one that names an app is.
    private static func expectNoneAsked(_ world: NightWorld) async throws {
        let retired = apps.map { ("- id: \($0.id)\n", "- id: \($0.id)\n    retired: 2026-01-06\n") }
        let runs = try await world.connection.lines("select max(run_id) from subledger.runs")
        try await world.with(retired) {
            let result = try await start(world, 2)
            #expect(result.standardOutput == "\(NightWorld.businessDate(of: 2)): every app is retired\n")
            try await expectNothingToDo(world, 2, hours: 1)
            _ = try await start(world, 2, hours: 2, "--app", "acme-ios", expecting: 64)
        }
        #expect(try await world.connection.lines("select max(run_id) from subledger.runs") == runs)
        try await expectOwedAreWritten(world, retired)
    }

    /// The first night's report is not there: no night follows that would write it.
    private static func expectOwedAreWritten(_ world: NightWorld, _ retired: [(String, String)]) async throws {
        let dates = [1, 2].map(NightWorld.businessDate)
        for issue in try issues(world) { try FileManager.default.removeItem(atPath: "\(world.reports)/\(issue)") }
        try await world.connection.script(
            """
            truncate subledger.report_issues cascade;
            update subledger.runs set report_due = true where job = 'nightly'
            """)
        try await world.with(retired) {
            let now = (NightWorld.instant(of: 2) + .hours(3)).iso8601
            #expect(try await world.subledger("status", "--check", "--now", now).exitCode == 2, "it is owed")
            let result = try await start(world, 2, hours: 3)
            #expect(try await world.subledger("status", "--check", "--now", now).standardOutput == "OK\n")
            #expect(result.standardOutput == "\(dates[1]): every app is retired; owed reports are written\n")
            #expect(try issues(world) == dates)
            try await expectNothingToDo(world, 2, hours: 4)
        }
        let recorded = "select app_id, retired_on from subledger.app_retirements order by app_id"
        #expect(try await world.connection.lines(recorded) == apps.map { "\($0.id)|2026-01-06" })
    }

    /// Nothing was finished: 75, which is tried again, and nothing issued until then.
    @Test func `a night that finished no app is tried again, and one that was killed goes on under its own clock`()
        async throws
    {
        try await NightWorld.with(seed: 93, customersPerApp: 12, apps: [Self.apps[0]]) { world in
            try await world.moveOn(to: NightWorld.instant(of: 1))
            for endpoint in ["statuses", "notification_history"] {
                world.stores.faults.plan(.emptyServerError, times: 10_000, at: endpoint)
            }
            _ = try await Self.start(world, 1, expecting: 75)
            #expect(try Self.hasNoReports(world))
            world.stores.faults.clear()
            try await Self.expectMendedKeyIsAsked(world)
            try await world.kill(try await world.startNight(2, upTo: .select), at: .select)
            _ = try await Self.start(world, 2, hours: 2)
            let nights = try await world.connection.lines(
                """
                select business_date, to_char(logical_now at time zone 'UTC', 'MM-DD HH24:MI'), outcome from subledger.runs
                where job = 'nightly' order by run_id desc limit 1
                """)
            #expect(nights == ["\(NightWorld.businessDate(of: 2))|01-06 02:15|done"])
            #expect(try Self.issues(world) == [1, 2].map(NightWorld.businessDate))
            try await Self.expectNothingToDo(world, 2, hours: 4)
        }
    }

    /// The store refuses the key an hour after the first start, and takes it two hours after: the next start asks by itself.
    private static func expectMendedKeyIsAsked(_ world: NightWorld) async throws {
        for endpoint in ["statuses", "notification_history"] {
            world.stores.faults.plan(.unauthorized, times: 10_000, at: endpoint)
        }
        let refused = try await start(world, 1, hours: 1, expecting: 1)
        #expect(refused.standardError.contains("401"))
        #expect(try hasNoReports(world))
        world.stores.faults.clear()
        _ = try await start(world, 1, hours: 2)
        #expect(try issues(world) == [NightWorld.businessDate(of: 1)])
    }

    /// A night died between the rename of its issue and the record of it.
    @Test func `an issue that was not recorded is recorded by the next start, once`() async throws {
        try await NightWorld.with(seed: 94, customersPerApp: 6, apps: [Self.apps[0]]) { world in
            try await world.moveOn(to: NightWorld.instant(of: 1))
            _ = try await Self.start(world, 1)
            let recorded = "select run_id, seal, business_date, manifest_sha256 from subledger.report_issues"
            let issue = try await world.connection.lines(recorded)
            try await world.connection.script(
                """
                truncate subledger.report_issues cascade;
                update subledger.runs set report_due = true where job = 'nightly'
                """)
            _ = try await Self.start(world, 1, hours: 2)
            #expect(try await world.connection.lines(recorded) == issue && issue.count == 1)
            #expect(try Self.issues(world) == [NightWorld.businessDate(of: 1)])
            try await Self.expectNothingToDo(world, 1, hours: 4)
        }
    }

    /// A file stands where the reports belong when the second start has read what the first could not.
    @Test func `what a later start of a date found is owed beside an issue that says less`() async throws {
        try await NightWorld.with(seed: 91, customersPerApp: 12, apps: Self.apps) { world in
            try await world.moveOn(to: NightWorld.instant(of: 1))
            _ = try await Self.start(world, 1)
            try await world.moveOn(to: NightWorld.instant(of: 30), since: NightWorld.instant(of: 1))
            for endpoint in ["statuses", "notification_history"] {
                world.stores.faults.plan(.emptyServerError, times: 10_000, at: endpoint)
            }
            _ = try await Self.start(world, 30, expecting: 2)
            world.stores.faults.clear()
            let aside = world.directory + "/aside"
            try FileManager.default.moveItem(atPath: world.reports, toPath: aside)
            try Data("full".utf8).write(to: URL(fileURLWithPath: world.reports))
            _ = try await Self.start(world, 30, hours: 2, expecting: 1)
            try FileManager.default.removeItem(atPath: world.reports)
            try FileManager.default.moveItem(atPath: aside, toPath: world.reports)
            try await world.moveOn(to: NightWorld.instant(of: 31), since: NightWorld.instant(of: 30))
            _ = try await Self.start(world, 31)
            let dates = [1, 30, 31].map(NightWorld.businessDate)
            #expect(try Self.issues(world) == [dates[0], dates[1], "\(dates[1]).2", dates[2]])
            #expect(try await world.connection.lines("select 1 from subledger.runs where report_due") == [])
        }
    }

    private static func hasNoReports(_ world: NightWorld) throws -> Bool {
        guard FileManager.default.fileExists(atPath: world.reports) else { return true }
        return try issues(world).isEmpty
    }
}
