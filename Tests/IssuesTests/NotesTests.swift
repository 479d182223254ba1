// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// The owner's notes on days: on the page, in the workbook and in `report.json`, and in the stamp of all of them.
@Suite struct NotesTests {
    /// SHA-256 of `abc`, as FIPS 180-4 gives it.
    private static let ofABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    /// As they stand in the file: out of order, two on one day.
    private static let given: [(date: String, app: String?, text: String)] = [
        ("2026-02-01", "acme-ios", #"<script>alert("1")</script>"#), ("2026-01-05", nil, "=cmd|' /C calc'!A0"),
        ("2026-02-01", nil, "שלום עולם"), ("2019-06-01", nil, "🎩 & {{texts.title}}"),
        ("2027-01-01", "acme-android", "\u{0600}<img src=x>"),
    ]
    /// By day, those of one day as the file has them.
    private static let ordered = [3, 1, 0, 2, 4].map { given[$0] }

    private static func notes(_ file: String = "abc") throws -> ReportNotes {
        ReportNotes(
            try given.map {
                ReportNotes.Note(
                    date: try #require(BusinessDate($0.date)), app: $0.app.map { AppID($0) }, text: $0.text)
            }, of: Array(file.utf8))
    }

    private static func issue(
        _ world: ReportWorld, _ directory: String, _ notes: ReportNotes?, language: String = "en"
    ) async throws -> IssuedReport {
        try await ReportStage().issue(
            on: world.connection,
            request: ReportRequest(
                seal: 1, runID: 1, businessDate: try #require(BusinessDate("2026-02-06")),
                asOf: try #require(Instant(iso8601: "2026-02-07T02:00:00Z")), directory: directory,
                page: PageOptions(language: language), notes: notes))
    }

    private static func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    private static func withWorld(_ body: (ReportWorld, String) async throws -> Void) async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await world.night(1, for: "2026-02-06")
                try await world.charged(Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z"))
                try await body(world, directory)
            }
        }
    }

    @Test func `notes are on the page by day, and whatever they say is text`() async throws {
        try await Self.withWorld { world, directory in
            let page = try Self.text(
                try await Self.issue(world, directory, try Self.notes()).path + "/report.html")
            let rows = page.matches(
                of: /<tr data-app="(.*?)"><th scope="row" class="n">(.*?)<\/th><td><time datetime="(.*?)">/
            ).map { "\($0.1)|\($0.2)|\($0.3)" }
            #expect(
                rows == [
                    "|1|2019-06-01", "|2|2026-01-05", "acme-ios|3|2026-02-01", "|4|2026-02-01",
                    "acme-android|5|2027-01-01",
                ])
            for text in [
                "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;", "=cmd|&#39; /C calc&#39;!A0", "שלום עולם",
                "🎩 &amp; {{texts.title}}", "\u{0600}&lt;img src=x&gt;",
            ] { #expect(page.contains("<bdi>\(text)</bdi>"), "\(text)") }
            // The page's data and its own script, and no other.
            #expect(page.unicodeScalars.split(separator: "<").count { String($0).hasPrefix("script") } == 2)
            #expect(!page.utf8.contains("<img".utf8))
            // 2026-01-05 is the 20,458th day since 1970.
            #expect(page.contains(#","notes":[[1,18048,""],[2,20458,""],[3,20485,"acme-ios"],[4,20485,""],"#))
            #expect(page.contains("<h2>Notes</h2>") && page.contains("<td><bdi>all apps</bdi></td>"))
            #expect(page.contains("<dt>Notes (SHA-256 of their file)</dt><dd>\(Self.ofABC)</dd>"))
            let japanese = try Self.text(
                try await Self.issue(world, directory + "/ja", try Self.notes(), language: "ja").path + "/report.html")
            #expect(japanese.contains("<h2>メモ</h2>") && japanese.contains("<td><bdi>すべてのアプリ</bdi></td>"))
        }
    }

    private struct Document: Decodable {
        struct Note: Decodable {
            let number: Int
            let date: String
            let app_id: String?
            let text: String
        }

        struct Issue: Decodable {
            let notes_sha256: String?
        }

        let issue: Issue
        let notes: [Note]
    }

    private static func document(_ issued: IssuedReport) throws -> Document {
        try JSONDecoder().decode(
            Document.self, from: Data(contentsOf: URL(fileURLWithPath: issued.path + "/report.json")))
    }

    private static func manifest(_ issued: IssuedReport) throws -> Manifest {
        try Manifest(json: Data(contentsOf: URL(fileURLWithPath: issued.path + "/manifest.json")))
    }

    @Test func `workbook and report.json have the same notes, as text, and the stamp names their file's checksum`()
        async throws
    {
        try await Self.withWorld { world, directory in
            let issued = try await Self.issue(world, directory, try Self.notes())
            let document = try Self.document(issued)
            #expect(document.notes.map(\.number) == [1, 2, 3, 4, 5])
            #expect(document.notes.map(\.date) == Self.ordered.map(\.date))
            #expect(document.notes.map(\.app_id) == Self.ordered.map(\.app))
            #expect(document.notes.map(\.text) == Self.ordered.map(\.text))
            #expect(try Self.text(issued.path + "/report.json").contains(#""app_id":null"#))
            #expect(document.issue.notes_sha256 == Self.ofABC)
            #expect(try Self.manifest(issued).stamp.notesSHA256 == Self.ofABC)
            let book = try await ReadWorkbook.read(in: issued.path)
            let sheet = try #require(book.sheet("Notes"))
            #expect(book.sheets.last?.name == "Notes" && book.formulas == 0)
            #expect(sheet.texts(0) == ["number", "date", "app_id", "text"])
            #expect(sheet.column("number").map { $0?[1] } == ["1", "2", "3", "4", "5"])
            #expect(sheet.column("date").map { $0?[0] } == Array(repeating: "d", count: 5))
            #expect(sheet.column("date").map { $0?[1] } == Self.ordered.map { $0.date + " 00:00:00" })
            #expect(sheet.column("app_id").map { $0?[1] } == Self.ordered.map(\.app))
            #expect(sheet.column("text").map { $0?[0] } == Array(repeating: "s", count: 5))
            #expect(sheet.column("text").map { $0?[1] } == Self.ordered.map(\.text))
            let readme = try #require(book.sheet("README")).rows.map { $0.compactMap { $0?[1] } }
            #expect(readme.contains(["notes, SHA-256 of their file", Self.ofABC]))
            #expect(readme.contains(["Notes", "5", WorkbookNotes.definition]))
        }
    }

    @Test func `the same notes are the same bytes; other ones are another issue, and the first stays`() async throws {
        try await Self.withWorld { world, directory in
            let first = try await Self.issue(world, directory, try Self.notes())
            let files = try FileManager.default.contentsOfDirectory(atPath: first.path)
            let bytes = try files.map { try Data(contentsOf: URL(fileURLWithPath: "\(first.path)/\($0)")) }
            let again = try await Self.issue(world, directory, try Self.notes())
            #expect(!again.isNew && again.path == first.path)
            let elsewhere = try await Self.issue(world, directory + "/elsewhere", try Self.notes())
            for (name, data) in zip(files, bytes) {
                #expect(try Data(contentsOf: URL(fileURLWithPath: "\(elsewhere.path)/\(name)")) == data, "\(name)")
            }
            let other = try await Self.issue(world, directory, try Self.notes("abd"))
            #expect(other.isNew && other.path == first.path + ".2")
            let none = try await Self.issue(world, directory, nil)
            #expect(none.isNew && none.path == first.path + ".3")
            #expect(try files.map { try Data(contentsOf: URL(fileURLWithPath: "\(first.path)/\($0)")) } == bytes)
        }
    }

    @Test func `without a file nothing is said of notes`() async throws {
        try await Self.withWorld { world, directory in
            let issued = try await Self.issue(world, directory, nil)
            let document = try Self.document(issued)
            #expect(document.notes.isEmpty && document.issue.notes_sha256 == nil)
            #expect(!(try Self.text(issued.path + "/manifest.json").contains("notes")))
            #expect(!(try Self.text(issued.path + "/report.html").contains("<h2>Notes</h2>")))
            #expect(try await ReadWorkbook.read(in: issued.path).sheet("Notes") == nil)
        }
    }
}
