// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Model
import TestSupport
import Testing

@testable import Reports

/// The CSV files of an export once more for spreadsheets, read back with Python's own csv.
@Suite struct CSVCopiesTests {
    private struct ReadFiles: Decodable {
        /// The rows of each file, its header first.
        let files: [String: [[String]]]
        let marked: [String]
        let crlf: [String]

        static func read(_ folder: String, delimiter: String = ",") async throws -> ReadFiles {
            try await PythonProgram.run(
                "ReportsTests/Readers/read_csv.py", given: ["folder": folder, "delimiter": delimiter])
        }
    }

    private static func request(_ directory: String, _ copies: CSVCopies?) throws -> ReportRequest {
        ReportRequest(
            seal: 1, runID: 1, businessDate: try #require(BusinessDate("2026-02-06")),
            asOf: try #require(Instant(iso8601: "2026-02-07T02:00:00Z")), directory: directory,
            upkeep: copies == nil ? .movedOn : .leftAlone, copies: copies)
    }

    /// A sale of a product with an awkward name; its refund makes money negative.
    private static func history(_ world: ReportWorld) async throws {
        try await world.night(1, for: "2026-02-06")
        for (key, product) in [(1, "=1+1"), (2, "a;b, \"c\""), (3, "プラン")] as [(Int64, String)] {
            let january = Sale(
                key: key, id: "t\(key)", product: product, from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z")
            try await world.charged(january)
        }
        var refunded = Sale(key: 9, id: "r1", product: "back", from: "2026-01-30 12:00Z", to: "2026-02-28 12:00Z")
        (refunded.refundedAt, refunded.refundKind, refunded.refund) = ("2026-02-01 12:00Z", "full", 9_990_000)
        try await world.charged(refunded)
        try await world.booked("refund", -9_990_000, at: "2026-02-01 12:00Z", of: refunded)
    }

    /// 9.99 of 1 February are given back: minus 9,99 net that day.
    @Test(arguments: [("en", ",", "."), ("de", ";", ",")])
    func `copies hold what the files hold, as Excel of that language reads it, and these are the same as an issue's`(
        language: String, delimiter: String, decimalSign: String
    ) async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await Self.history(world)
                let profile = try #require(CSVProfile(excelFor: language))
                let plain = try await ReportStage().issue(
                    on: world.connection, request: try Self.request("\(directory)/plain", nil))
                let exported = try await ReportStage().issue(
                    on: world.connection,
                    request: try Self.request("\(directory)/for", CSVCopies(name: "excel", profile: profile)))
                #expect(exported.path == "\(directory)/for/2026-02-06-1")
                let folder = "\(exported.path)/excel"
                for name in try FileManager.default.contentsOfDirectory(atPath: plain.path)
                where name != "manifest.json" {
                    #expect(
                        FileManager.default.contentsEqual(
                            atPath: "\(plain.path)/\(name)", andPath: "\(exported.path)/\(name)"), "\(name)")
                }
                let held = try await ReadFiles.read(exported.path)
                let copied = try await ReadFiles.read(folder, delimiter: delimiter)
                let names = (ReportCatalog.reports.map(\.fileName) + [TransactionsFile.fileName]).sorted()
                #expect(held.marked.isEmpty && held.crlf.isEmpty && held.files.keys.sorted() == names)
                #expect(copied.marked == names && copied.crlf == names)
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == names)
                try await Self.expect(copied, toBe: held, decimalSign, world)
            }
        }
    }

    /// Cell by cell, with the decimal sign in amounts alone.
    private static func expect(
        _ copied: ReadFiles, toBe held: ReadFiles, _ decimalSign: String, _ world: ReportWorld
    ) async throws {
        for report in ReportCatalog.reports {
            let shape = try await ReportShape.read(report.name, on: world.connection)
            let rows = try #require(held.files[report.fileName]).enumerated().map { place, row in
                zip(row, shape.columns).map { cell, column in
                    place > 0 && column.kind == .decimal ? cell.replacing(".", with: decimalSign) : cell
                }
            }
            #expect(copied.files[report.fileName] == rows, "\(report.name)")
        }
        let revenue = try #require(copied.files["revenue.csv"])
        #expect(revenue.contains { $0[0] == "2026-02-01" && $0[10] == "-9\(decimalSign)990000" })
        #expect(Set(revenue.dropFirst().map { $0[3] }) == ["'=1+1", "a;b, \"c\"", "プラン", "back"])
    }

    @Test func `a report's folder, whatever leads to it, takes no export`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await world.night(1, for: "2026-02-06")
                let reports = "\(directory)/reports"
                let issued = try await ReportStage().issue(
                    on: world.connection, request: try Self.request(reports, nil))
                try FileManager.default.createSymbolicLink(
                    atPath: "\(directory)/link", withDestinationPath: issued.path)
                try FileManager.default.copyItem(atPath: issued.path, toPath: "\(directory)/moved")
                try FileManager.default.createDirectory(
                    atPath: "\(directory)/site", withIntermediateDirectories: true)
                try "{}".write(toFile: "\(directory)/site/manifest.json", atomically: true, encoding: .utf8)
                func refusal(_ name: String) -> String? {
                    ExportPlace.refusal(of: "\(directory)/\(name)", beside: reports)
                }
                for name in [
                    "reports/2026-02-06", "reports/2026-02-06/excel", "reports/latest", "reports/latest/a/b", "link",
                    "reports/2026-02-07", "reports/2026-02-06.2", "reports/x/../2026-02-06", "moved",
                ] { #expect(refusal(name)?.contains("is the folder of a report") == true, "\(name)") }
                for name in ["excel", "reports/excel", "2026-02-06", "site", "reports"] {
                    #expect(refusal(name) == nil, "\(name)")
                }
            }
        }
    }
}
