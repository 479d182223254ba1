// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Issues
import Model
import Nightly
import Postgres
import Runs
import Stores
import Testing

@testable import subledger

/// The command line: what is scheduled parses, what ends a job has its code.
@Suite struct CommandTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test func `every command of the crontab is one of the program's`() throws {
        let text = try String(contentsOf: Self.root.appendingPathComponent("cron/subledger.crontab"), encoding: .utf8)
        // Those that wait in a comment are meant to be used, too.
        let lines = text.split(separator: "\n").filter { !$0.contains("=") && $0.contains(" subledger ") }
        #expect(lines.count >= 4)
        for line in lines {
            let fields = line.drop { "# ".contains($0) }.split(separator: " ", omittingEmptySubsequences: true)
            #expect(fields.count >= 7)
            #expect(fields[..<5].allSatisfy { $0.allSatisfy { "0123456789*,-/".contains($0) } })
            let words = fields[5...].map(String.init)
            #expect(words.first == "subledger")
            let command = try Subledger.parseAsRoot(Array(words.dropFirst()))
            #expect(
                command is Nightly || command is Work || command is Intake || command is Notifications.Read
                    || command is Report)
        }
    }

    @Test func `work takes how long it waits, and ends as the night it was for`() throws {
        let work = try #require(try Subledger.parseAsRoot(["work", "--wait", "10m", "--app", "acme-ios"]) as? Work)
        #expect(work.wait == .minutes(10) && work.apps == ["acme-ios"])
        for wrong in [["work"], ["work", "--wait", "10"], ["work", "--wait", "10m", "--workers", "0"]] {
            #expect(throws: (any Error).self) { try Subledger.parseAsRoot(wrong) }
        }
        #expect(JobEnding(.sealed) == .done && JobEnding(.alreadyDone) == .done)
        #expect(JobEnding(.noNight) == .tryLater && JobEnding(.leaderless(run: 7)) == .tryLater)
    }

    private static let down = StoreFailure(.storeDown, reason: "store_down", message: "x")
    private static let refused = StoreFailure(.credential, reason: "http_401", message: "x")

    @Test func `each kind of error has its exit code`() {
        let expected: [(any Error, JobEnding)] = [
            (UsageError("x"), .usage),
            (PipelineError(.alreadyRunning, "x"), .tryLater),
            (PipelineError(.clockRunsBackwards, "x"), .usage),
            (PipelineError(.wrongTime, "x"), .usage),
            (PipelineError(.clockDiffers, "x"), .tryLater),
            (PipelineError(.schemaDiffers, "x"), .failed),
            (PipelineError(.failed, "x"), .failed),
            (PostgresError(.configuration, "x"), .usage),
            (PostgresError(.connectionLost, "x"), .tryLater),
            (PostgresError(.connectionFailed, "x"), .tryLater),
            (PostgresError(.blocked, "x"), .tryLater),
            (PostgresError(.privateServer, "x"), .failed),
            (CocoaError(.fileNoSuchFile), .failed),
        ]
        for (error, status) in expected { #expect(JobEnding(error) == status, "\(error)") }
        #expect(JobEnding(RunResult(unfinished: [], of: 1, isClean: false)) == .partial)
        #expect(JobEnding(RunResult(unfinished: [Self.down], of: 1)) == .tryLater)
        #expect(JobEnding(RunResult(unfinished: [Self.down, Self.refused], of: 2)) == .failed)
        #expect(JobEnding.allCases.map(\.rawValue) == [0, 1, 2, 64, 75])
        #expect(JobEnding.interrupted(by: 1).rawValue == 129)
        #expect(JobEnding.interrupted(by: 2).rawValue == 130)
        #expect(JobEnding.interrupted(by: 15).rawValue == 143)
    }

    @Test func `the help of every job lists the exit codes`() {
        for job in Subledger.configuration.subcommands {
            let help = Subledger.helpMessage(for: job, columns: 500)
            for code in ["0 done", "1 failed", "2 partial", "64 ", "75 ", "129, 130 or 143"] {
                #expect(help.contains(code))
            }
        }
    }

    @Test func `every job takes a logical clock`() throws {
        let commands = [
            ["nightly"], ["migrate"], ["status"], ["report"], ["explain", "x"], ["cite", "mrr"],
            ["import", "subscriptions", "x"], ["db", "start"], ["db", "stop"],
        ]
        for command in commands { _ = try Subledger.parseAsRoot(command + ["--now", "2026-03-01T02:15:00Z"]) }
        #expect(throws: (any Error).self) { try Subledger.parseAsRoot(["nightly", "--now", "yesterday"]) }
        #expect(throws: (any Error).self) { try Subledger.parseAsRoot(["nightly", "--workers", "0"]) }
    }

    @Test func `periods are half open, months and last days`() throws {
        let date = try #require(BusinessDate("2026-03-05"))
        func days(_ text: String) throws -> [String?] {
            let bounds = try #require(ReportPeriod(argument: text)).bounds(businessDate: date)
            return [bounds.first?.description, bounds.last.description]
        }
        #expect(try days("2026-02") == ["2026-02-01", "2026-02-28"])
        #expect(try days("2025-12") == ["2025-12-01", "2025-12-31"])
        #expect(try days("2026-03-01..2026-04-01") == ["2026-03-01", "2026-03-31"])
        #expect(try days("30d") == ["2026-02-04", "2026-03-05"])
        for text in [
            "", "2026", "2026-13", "2026-03-01", "2026-03-02..2026-03-02", "0d", "-3d", "2026-02-30..2026-03-01",
        ] {
            #expect(ReportPeriod(argument: text) == nil, "\(text)")
        }
    }

    @Test func `amounts are printed exactly`() {
        #expect((1_234_000_000 as Int64).amount == "1,234")
        #expect((4_990_000 as Int64).amount == "4.99")
        #expect((4_900_000 as Int64).amount == "4.90")
        #expect((-4_990_000 as Int64).amount == "-4.99")
        #expect((123_456 as Int64).amount == "0.123456")
        #expect((0 as Int64).amount == "0")
        #expect(Int64.min.grouped == "-9,223,372,036,854,775,808")
    }

    @Test func `progress states how much is done, how fast and how long is left`() {
        let start = ContinuousClock.now
        var progress = AppProgress(due: 10_000, startedAt: start)
        #expect(progress.text(at: start, hasBar: false) == "0/10,000")
        progress.done = 2_500
        let text = progress.text(at: start + .seconds(10), hasBar: true)
        #expect(text == "[#####---------------] 2,500/10,000 250/s 30 s left")
        #expect(progress.text(at: start + .seconds(2_500), hasBar: false) == "2,500/10,000 1/s 2 h 5 min left")
        progress.done = 10_000
        #expect(progress.text(at: start + .seconds(10), hasBar: false) == "10,000/10,000")
    }
}
