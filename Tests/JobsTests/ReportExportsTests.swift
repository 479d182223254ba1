// SPDX-License-Identifier: Apache-2.0

import Foundation
import Postgres
import TestSupport
import Testing

/// `report` with the options of an export, as a person runs it.
@Suite struct ReportExportsTests {
    private static func report(_ arguments: [String], in folder: ConfigurationFolder) async throws
        -> CommandLineRun.Result
    {
        try await CommandLineRun(
            product: "subledger", arguments: ["report", "--quiet"] + arguments,
            environment: ["SUBLEDGER_CONFIG": ""], folder: folder.path
        ).run()
    }

    /// After an issue of the 9th of March, sealed as of two in the morning of the 10th.
    private static func withIssue(
        isClockSimulated: Bool = false, _ body: (PostgresConnection, ConfigurationFolder) async throws -> Void
    ) async throws {
        try await withTestDatabase { connection, server in
            let good =
                isClockSimulated
                ? ConfigurationFolder.good : ConfigurationFolder.good.replacing("clock: simulated\n", with: "")
            let yaml = "database: { url: '\(server)' }\nreports: { language: ja }\n" + good
            try await ConfigurationFolder.with(yaml) { folder in
                let issued = try await report(["--now", "2026-03-10T02:00:00Z"], in: folder)
                #expect(issued.exitCode == 0, "\(issued.standardError)")
                #expect(issued.folder == "\(folder.path)/reports/2026-03-09")
                try await body(connection, folder)
            }
        }
    }

    private static func books(_ connection: PostgresConnection) async throws -> [String] {
        try await connection.lines(
            """
            select (select count(*) from subledger.runs), (select count(*) from subledger.report_issues), last_seal
            from subledger.settings
            """)
    }

    @Test func `an export opens no run, moves no latest and is a folder of date and seal`() async throws {
        try await Self.withIssue { connection, folder in
            let before = try await Self.books(connection)
            let (later, reports) = (["--now", "2026-03-10T05:00:00Z"], "\(folder.path)/reports")
            for (profile, opening) in [("excel", "\u{FEFF}date,app_id,"), ("excel:de", "\u{FEFF}date;app_id;")] {
                let run = try await Self.report(["--csv-profile", profile] + later, in: folder)
                #expect(run.exitCode == 0, "\(run.standardError)")
                #expect(run.folder == "\(reports)/exports/2026-03-09-1")
                // As bytes: a text that is read from a file loses its mark.
                let copy = try Data(contentsOf: URL(fileURLWithPath: "\(run.folder)/\(profile)/revenue.csv"))
                #expect(copy.starts(with: opening.utf8) && copy.suffix(2).elementsEqual("\r\n".utf8))
            }
            let out = try await Self.report(["--out", "for/them"] + later, in: folder)
            #expect(out.folder == "for/them/2026-03-09-1")
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(reports)/exports") == ["2026-03-09-1"])
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(reports)/latest") == "2026-03-09")
            #expect(try await Self.books(connection) == before)

            let proof = try await Self.report(["--verify"], in: folder)
            #expect(proof.standardOutput == "1 issues, 24 files: as they were issued\n")
            let ofExport = try await Self.report(["--verify", "\(reports)/exports/2026-03-09-1"], in: folder)
            #expect(ofExport.exitCode == 0)
            #expect(
                ofExport.standardOutput
                    == "45 files: as the export's own manifest has them; the database has no record of it\n")
            let ofIssue = try await Self.report(["--verify", "\(reports)/2026-03-09"], in: folder)
            #expect(ofIssue.exitCode == 1 && ofIssue.standardOutput.contains("is no export"))
            let within = try await Self.report(["--out", "reports/latest"] + later, in: folder)
            #expect(within.exitCode == 64)
            #expect(
                within.standardError == """
                    subledger: --out reports/latest is the folder of a report, or lies in one, and reports are never \
                    written to again: name another one

                    """)
        }
    }

    @Test func `an instant in the future and a period without a known day exit 64 and write nothing`() async throws {
        try await Self.withIssue { connection, folder in
            let before = try await Self.books(connection)
            let now = ["--now", "2026-03-10T05:00:00Z"]
            let refusals = [
                ["--as-of", "2026-03-10T05:00:01Z"]:
                    "--as-of 2026-03-10T05:00:01Z lies in the future (it is 2026-03-10T05:00:00Z): name an earlier instant",
                ["--period", "2026-03-10..2026-03-11"]:
                    "--period begins on 2026-03-10, and the last day that is known is 2026-03-09: name earlier days",
                ["--period", "2026-04"]:
                    "--period begins on 2026-04-01, and the last day that is known is 2026-03-09: name earlier days",
                ["--as-of", "2026-03-10T01:59:59Z"]:
                    "nothing was sealed by 2026-03-10T01:59:59Z: there is no report as of then",
                ["--as-of", "seal:2"]: "there is no seal 2 (the last one is 1): manifest.json names an issue's",
                ["--as-of", "seal:x"]: "'seal:x' is invalid",
            ]
            for (arguments, sentence) in refusals {
                let run = try await Self.report(arguments + now, in: folder)
                #expect(run.exitCode == 64 && run.standardError.contains(sentence), "\(run.standardError)")
            }
            #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/reports/exports"))
            #expect(try await Self.books(connection) == before)
            // What is known now, and part of what is known, are there.
            for arguments in [
                ["--as-of", "2026-03-10T05:00:00Z"], ["--as-of", "seal:1"], ["--period", "2026-03"],
                ["--period", "30d"],
            ] {
                #expect(try await Self.report(arguments + now, in: folder).exitCode == 0)
            }
            // An open run may yet be known as of its clock and later; not by a seal, and not as of before.
            try await connection.script(
                """
                insert into subledger.runs (job, business_date, logical_now, host, process_id, leased_until)
                values ('nightly', '2026-03-09', '2026-03-10 04:00Z', 'there', 7, null)
                """)
            let early = try await Self.report(["--as-of", "2026-03-10T04:00:00Z"] + now, in: folder)
            #expect(early.exitCode == 75, "\(early.standardError)")
            #expect(early.standardError.contains("is not settled yet: a nightly run"))
            for asOf in ["2026-03-10T03:59:59Z", "seal:1"] {
                #expect(try await Self.report(["--as-of", asOf] + now, in: folder).exitCode == 0)
            }
        }
    }

    @Test func `where the clock is simulated the last seal is the end of what is known`() async throws {
        try await Self.withIssue(isClockSimulated: true) { _, folder in
            let late = try await Self.report(
                ["--as-of", "2026-03-10T02:00:01Z", "--now", "2027-01-01T00:00:00Z"], in: folder)
            #expect(late.exitCode == 64)
            #expect(
                late.standardError.contains(
                    "lies in the future (the last run was sealed as of 2026-03-10T02:00:00Z)"), "\(late.standardError)")
            let known = try await Self.report(
                ["--as-of", "2026-03-10T02:00:00Z", "--now", "2027-01-01T00:00:00Z"], in: folder)
            #expect(known.exitCode == 0)
        }
    }

    @Test(.hangLimit) func `an export whose session is lost is made over another one`() async throws {
        try await Self.withIssue { connection, folder in
            let proxy = try CuttingProxy(toSocket: try await connection.socketPath())
            let url = try await connection.url(throughPort: proxy.port) + "?sslmode=disable"
            let good = ConfigurationFolder.good.replacing("clock: simulated\n", with: "")
            try folder.write("database: { url: '\(url)' }\nreports: { language: ja }\n" + good, to: "lossy.yaml")
            let now = ["--now", "2026-03-10T05:00:00Z"]
            let whole = try await Self.report(["--out", "whole"] + now, in: folder)
            proxy.plan(.cut, at: .words("declare report_rows", time: 5))
            let lossy = try await Self.report(["--out", "lossy", "--config", "lossy.yaml"] + now, in: folder)
            #expect(lossy.exitCode == 0 && proxy.struck == 1, "\(lossy.standardError)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/lossy") == ["2026-03-09-1"])
            let manifests = try [whole, lossy].map {
                try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\($0.folder)/manifest.json"))
            }
            #expect(manifests[0] == manifests[1])
        }
    }
}
