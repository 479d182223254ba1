// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Model
import Signing
import TestSupport
import Testing

@testable import Reports

/// What was issued is proved to stand, and every way of changing it is found.
@Suite struct IssueVerifierTests {
    private static func issue(_ world: ReportWorld, _ seal: Int64, _ day: String, in directory: String) async throws
        -> String
    {
        let request = ReportRequest(
            seal: seal, runID: seal, businessDate: try #require(BusinessDate(day)),
            asOf: try #require(Instant(iso8601: "\(day)T23:00:00Z")), directory: directory)
        return try await ReportStage().issue(on: world.connection, request: request).path
    }

    /// Three issues of three days.
    private static func withIssues(_ body: (ReportWorld, String, [String]) async throws -> Void) async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { place in
                let directory = place + "/reports"
                try await world.charged(Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z"))
                var paths: [String] = []
                for (seal, day) in [(Int64(1), "2026-02-06"), (2, "2026-02-07"), (3, "2026-02-08")] {
                    try await world.night(seal, for: day, issued: false)
                    paths.append(try await issue(world, seal, day, in: directory))
                }
                try await body(world, directory, paths)
            }
        }
    }

    private static func findings(_ world: ReportWorld, _ directory: String) async throws -> [String] {
        try await IssueVerifier(connection: world.connection, directory: directory).verify().findings
    }

    @Test func `issues that nobody changed are proved, each manifest naming the one before`() async throws {
        try await Self.withIssues { world, directory, paths in
            let proof = try await IssueVerifier(connection: world.connection, directory: directory).verify()
            // 19 tables, the page, the JSON, the workbook, the summary and the manifest.
            #expect(proof.findings == [] && proof.issueCount == 3 && proof.fileCount == 72)
            let manifests = try paths.map {
                try Manifest(json: Data(contentsOf: URL(fileURLWithPath: $0 + "/manifest.json")))
            }
            #expect(manifests.map { $0.previous?.businessDate } == [nil, "2026-02-06", "2026-02-07"])
            let first = [UInt8](try Data(contentsOf: URL(fileURLWithPath: paths[0] + "/manifest.json")))
            #expect(manifests[1].previous?.sha256 == Hex.encode(SHA256.digest(first)))
        }
    }

    @Test func `a changed figure, a lost file and a lost issue are named`() async throws {
        try await Self.withIssues { world, directory, paths in
            let revenue = paths[0] + "/revenue.csv"
            try String(contentsOfFile: revenue, encoding: .utf8).replacing("9.990000", with: "9.980000")
                .write(toFile: revenue, atomically: true, encoding: .utf8)
            try FileManager.default.removeItem(atPath: paths[1] + "/churn.csv")
            try FileManager.default.removeItem(atPath: paths[2])
            let findings = try await Self.findings(world, directory)
            #expect(findings.count == 3)
            #expect(findings.first == "\(revenue) was changed since it was issued")
            #expect(findings.dropFirst().first?.hasPrefix("\(paths[1])/churn.csv cannot be read: ") == true)
            #expect(
                findings.last
                    == "the issue 2026-02-08 of seal 3 is gone: it is neither at \(paths[2]), where it was written, nor "
                    + "below \(directory)")
        }
    }

    @Test func `who changes a manifest, too, is found by the database, and who changes that by the next issue`()
        async throws
    {
        try await Self.withIssues { world, directory, paths in
            let manifest = paths[1] + "/manifest.json"
            let text = try String(contentsOfFile: manifest, encoding: .utf8).replacing(
                "\"time_zone\"", with: "\"time_zone\" ")
            try text.write(toFile: manifest, atomically: true, encoding: .utf8)
            #expect(try await Self.findings(world, directory) == ["\(manifest) is not the one that was issued"])
            let forged = Hex.encode(SHA256.digest(of: text))
            try await world.connection.script(
                """
                alter table subledger.report_issues disable trigger append_only;
                update subledger.report_issues set manifest_sha256 = '\(forged)' where seal = 2
                """)
            #expect(
                try await Self.findings(world, directory) == [
                    "\(paths[2])/manifest.json follows another issue of 2026-02-07 than the database knows (seal 2)"
                ])
        }
    }

    @Test func `issues from before checksums were kept are counted, not proved`() async throws {
        try await Self.withIssues { world, directory, _ in
            try await world.night(4, for: "2026-02-09")
            let proof = try await IssueVerifier(connection: world.connection, directory: directory).verify()
            #expect(proof.findings == [] && proof.issueCount == 3 && proof.unprovenCount == 1)
        }
    }

    @Test func `issues whose folder was moved are found where they are now`() async throws {
        try await Self.withIssues { world, directory, paths in
            let moved = directory + "-moved"
            try FileManager.default.moveItem(atPath: directory, toPath: moved)
            #expect(try await Self.findings(world, moved) == [])
            // Deeper, too, and under another name.
            try FileManager.default.createDirectory(atPath: moved + "/2026", withIntermediateDirectories: true)
            try FileManager.default.moveItem(atPath: moved + "/2026-02-07", toPath: moved + "/2026/february")
            #expect(try await Self.findings(world, moved) == [])
            let revenue = moved + "/2026/february/revenue.csv"
            try Data().write(to: URL(fileURLWithPath: revenue))
            #expect(try await Self.findings(world, moved) == ["\(revenue) was changed since it was issued"])
            #expect(!FileManager.default.fileExists(atPath: paths[1]))
        }
    }

    /// What has the name of an issue that is gone is another one's: of another folder, or issued there later.
    @Test func `no other file is accused of an issue that is gone`() async throws {
        try await Self.withIssues { world, directory, paths in
            let other = directory + "-other"
            try await world.night(4, for: "2026-02-09", issued: false)
            let elsewhere = try await Self.issue(world, 4, "2026-02-07", in: other)
            #expect(elsewhere == other + "/2026-02-07")
            try FileManager.default.removeItem(atPath: other)
            try await world.night(5, for: "2026-02-10", issued: false)
            try FileManager.default.removeItem(atPath: paths[0])
            #expect(try await Self.issue(world, 5, "2026-02-06", in: directory) == paths[0])
            #expect(
                try await Self.findings(world, directory) == [
                    "the issue 2026-02-06 of seal 1 is gone: it is neither at \(paths[0]), where it was written, nor below "
                        + directory,
                    "the issue 2026-02-07 of seal 4 is gone: it is neither at \(elsewhere), where it was written, nor below "
                        + directory,
                ])
            // A name is that of an issue in the reports' folder, whatever was issued elsewhere.
            let stage = CitationStage(connection: world.connection, directory: directory)
            let cited = try await stage.cite("revenue[date=2026-01-05].net", issue: "2026-02-06")
            #expect(cited.issue.seal == 5)
            #expect(try await stage.cite("revenue[date=2026-01-05].net", issue: "2026-02-07").issue.seal == 2)
            await #expect(throws: CitationError.self) {
                try await stage.cite("revenue[date=2026-01-05].net", issue: elsewhere)
            }
        }
    }

    @Test func `a pruned issue is counted and no fault, and its citation says what to write instead`() async throws {
        try await Self.withIssues { world, directory, paths in
            try await world.connection.script("insert into subledger.pruned_issues (run_id) values (2)")
            #expect(try await Self.findings(world, directory) == [])
            try FileManager.default.removeItem(atPath: paths[1])
            let proof = try await IssueVerifier(connection: world.connection, directory: directory).verify()
            #expect(proof.findings == [] && proof.issueCount == 2 && proof.prunedCount == 1)
            let stage = CitationStage(connection: world.connection, directory: directory)
            let refusal = await #expect(throws: CitationError.self) {
                try await stage.cite("revenue[date=2026-01-05].net", issue: "2026-02-07")
            }
            #expect(refusal?.code == .gone)
            #expect(
                refusal?.description.hasPrefix(
                    "the issue 2026-02-07 was pruned: `subledger report --as-of 2026-02-08T02:00:00Z` writes") == true)
        }
    }
}
