// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Model
import TestSupport
import Testing

@testable import Reports

/// Exports are folders of their own beside the issues: nothing remembers them, and nothing is rewritten but the same export.
@Suite struct ExportTests {
    private static func request(
        _ seal: Int64, _ day: String, in directory: String, isExport: Bool = true, copies: CSVCopies? = nil,
        first: String? = nil
    ) throws -> ReportRequest {
        ReportRequest(
            seal: seal, runID: seal, businessDate: try #require(BusinessDate(day)),
            asOf: try #require(Instant(iso8601: "\(day)T23:00:00Z")), directory: directory,
            firstDate: first.flatMap { BusinessDate($0) }, upkeep: isExport ? .leftAlone : .movedOn, copies: copies)
    }

    /// Two issues, and a sale of 4.00 on the 3rd of January that was learned between them.
    private static func withIssues(_ body: (ReportWorld, String) async throws -> Void) async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { place in
                let directory = place + "/reports"
                try await world.charged(Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z"))
                for (seal, day) in [(Int64(1), "2026-02-06"), (2, "2026-02-07")] {
                    try await world.night(seal, for: day, issued: false)
                    if seal == 2 {
                        try await world.charged(
                            Sale(
                                key: 2, id: "late", from: "2026-01-03 12:00Z", to: "2026-02-03 12:00Z", price: 4_000_000
                            ),
                            seal: 2)
                    }
                    _ = try await ReportStage().issue(
                        on: world.connection, request: try request(seal, day, in: directory, isExport: false))
                }
                try await body(world, directory)
            }
        }
    }

    private static func manifest(_ folder: String) throws -> Manifest {
        try #require(Manifest.read(in: folder))
    }

    @Test func `an export is a folder of date and seal, and no issue knows it`() async throws {
        try await Self.withIssues { world, directory in
            let recorded = try await world.connection.lines(
                "select run_id, path from subledger.report_issues order by 1")
            let exports = directory + "/exports"
            let exported = try await ReportStage().issue(
                on: world.connection, request: try Self.request(2, "2026-02-07", in: exports))
            #expect(exported.path == exports + "/2026-02-07-2")
            #expect(
                try await world.connection.lines("select run_id, path from subledger.report_issues order by 1")
                    == recorded)
            #expect(
                try FileManager.default.destinationOfSymbolicLink(atPath: directory + "/latest") == "2026-02-07")
            #expect(!FileManager.default.fileExists(atPath: exports + "/latest"))
            let manifest = try Self.manifest(exported.path)
            let issued = try Self.manifest(directory + "/2026-02-07")
            #expect(manifest.isExport && manifest.previous == nil && !issued.isExport && issued.comparedWith == nil)
            // The same rows as the issue of that seal, compared with the issue before it.
            #expect(manifest.comparedWith == issued.previous && manifest.comparedWith?.businessDate == "2026-02-06")
            for (name, file) in issued.files { #expect(manifest.files[name]?.sha256 == file.sha256, "\(name)") }
            let changes = try String(contentsOfFile: exported.path + "/changes.csv", encoding: .utf8)
            #expect(changes.contains("2026-01-03") && changes.contains("late"))
            let page = try String(contentsOfFile: exported.path + "/report.html", encoding: .utf8)
            #expect(page.contains("Compared with the issue of 2026-02-06 (seal 1)."))
        }
    }

    @Test func `the same export again replaces it, and nothing else is replaced`() async throws {
        try await Self.withIssues { world, directory in
            let exports = directory + "/exports"
            let request = try Self.request(2, "2026-02-07", in: exports)
            let first = try await ReportStage().issue(on: world.connection, request: request)
            let second = try await ReportStage().issue(on: world.connection, request: request)
            #expect(second.path == first.path)
            #expect(try FileManager.default.contentsOfDirectory(atPath: exports) == ["2026-02-07-2"])
            // Of other days, too: it can be made again.
            let days = try Self.request(2, "2026-02-07", in: exports, first: "2026-02-01")
            #expect(try await ReportStage().issue(on: world.connection, request: days).path == first.path)
            #expect(try Self.manifest(first.path).stamp.firstDate == "2026-02-01")
            // A file of somebody's own, or one that somebody changed, cannot: it stays, and nothing is left beside it.
            let remark = URL(fileURLWithPath: first.path + "/remark.txt")
            try Data("mine".utf8).write(to: remark)
            await Self.expectRefusal(of: request, "remark.txt in it", in: world)
            try FileManager.default.removeItem(at: remark)
            try Data("mine".utf8).write(to: URL(fileURLWithPath: first.path + "/churn.csv"))
            await Self.expectRefusal(of: request, "churn.csv in it", in: world)
            #expect(try FileManager.default.contentsOfDirectory(atPath: exports) == ["2026-02-07-2"])
            #expect(try Data(contentsOf: URL(fileURLWithPath: first.path + "/churn.csv")) == Data("mine".utf8))

            let other = directory + "/elsewhere"
            try FileManager.default.createDirectory(
                atPath: other + "/2026-02-07-2", withIntermediateDirectories: true)
            try Data("mine".utf8).write(to: URL(fileURLWithPath: other + "/2026-02-07-2/remark.txt"))
            await #expect(throws: ReportError.self) {
                try await ReportStage().issue(
                    on: world.connection, request: try Self.request(2, "2026-02-07", in: other))
            }
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: other + "/2026-02-07-2") == ["remark.txt"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: other) == ["2026-02-07-2"])
        }
    }

    private static func expectRefusal(of request: ReportRequest, _ words: String, in world: ReportWorld) async {
        await #expect {
            _ = try await ReportStage().issue(on: world.connection, request: request)
        } throws: { error in
            "\(error)".contains(words) && "\(error)".contains("--out")
        }
    }

    @Test func `copies for spreadsheets are a folder of the export, under its manifest`() async throws {
        try await Self.withIssues { world, directory in
            let exported = try await ReportStage().issue(
                on: world.connection,
                request: try Self.request(
                    2, "2026-02-07", in: directory + "/exports",
                    copies: CSVCopies(name: "excel", profile: .excel(hasDecimalComma: false))))
            let copy = try Data(contentsOf: URL(fileURLWithPath: exported.path + "/excel/revenue.csv"))
            #expect(copy.starts(with: "\u{FEFF}date,app_id,".utf8))
            let manifest = try Self.manifest(exported.path)
            let names = manifest.files.keys.filter { $0.hasSuffix(".csv") }
            #expect(
                names.filter { $0.hasPrefix("excel/") }.count * 2 == names.count
                    && names.contains("excel/transactions.csv"))
            let verifier = IssueVerifier(connection: world.connection, directory: directory)
            #expect(try await verifier.verify(export: exported.path).findings == [])
            try (copy + Data("x".utf8)).write(to: URL(fileURLWithPath: exported.path + "/excel/revenue.csv"))
            let findings = try await IssueVerifier(connection: world.connection, directory: directory)
                .verify(export: exported.path).findings
            #expect(findings == ["\(exported.path)/excel/revenue.csv was changed since it was issued"])
        }
    }

    @Test func `an export is cited by its path or its name, as its own manifest has it`() async throws {
        try await Self.withIssues { world, directory in
            let exports = directory + "/exports"
            let exported = try await ReportStage().issue(
                on: world.connection, request: try Self.request(1, "2026-02-06", in: exports))
            let stage = CitationStage(connection: world.connection, directory: directory)
            for name in [exported.path, "2026-02-06-1"] {
                let cited = try await stage.cite("revenue[date=2026-01-01..2026-01-31].net", issue: name)
                #expect(cited.issue.isExport && cited.issue.name == "2026-02-06-1" && cited.issue.seal == 1)
                #expect(cited.issued.text == "9.990000" && cited.today?.amount.text == "13.990000")
            }
            // The path of an issue names the issue.
            let issued = try await stage.cite("revenue[date=2026-01-05].net", issue: directory + "/2026-02-06")
            #expect(!issued.issue.isExport && issued.issue.seal == 1)
            await #expect(throws: CitationError.self) {
                try await stage.cite("revenue[date=2026-01-05].net", issue: exports)
            }
        }
    }
}
