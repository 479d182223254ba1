// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// `docs/report.schema.json`, by which others read `report.json`: Python's jsonschema holds documents against it.
@Suite struct ReportSchemaFileTests {
    private struct Given: Encodable {
        let schema: String
        let documents: [String]
    }

    /// What is wrong with each of the documents.
    private static func complaints(of documents: [String]) async throws -> [[String]] {
        let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try await PythonProgram.run(
            "ReportSupport/Readers/validate_json.py",
            given: Given(
                schema: repository.appending(path: "docs/report.schema.json").path, documents: documents))
    }

    private static func document(
        of world: ReportWorld, seal: Int64, for day: String, first: String? = nil, notes: [String] = []
    ) async throws -> String {
        var document = ""
        try await withTemporaryDirectory { directory in
            let issued = try await ReportStage().issue(
                on: world.connection,
                request: ReportRequest(
                    seal: seal, runID: seal, businessDate: try #require(BusinessDate(day)),
                    asOf: try #require(Instant(iso8601: "\(day)T23:00:00Z")), directory: directory,
                    firstDate: first.flatMap { BusinessDate($0) },
                    notes: notes.isEmpty ? nil : try Self.notes(notes, on: day)))
            document = try String(contentsOfFile: "\(issued.path)/report.json", encoding: .utf8)
        }
        return document
    }

    private static func notes(_ texts: [String], on day: String) throws -> ReportNotes {
        let date = try #require(BusinessDate(day))
        return ReportNotes(
            texts.map { ReportNotes.Note(date: date, app: $0 == "here" ? AppID("acme-ios") : nil, text: $0) },
            of: Array(day.utf8))
    }

    /// Something for every report: two products, both stores, a trial, a refund, an end, one who will not renew, currencies with
    /// and without a rate, a product whose name must be escaped, and a charge that is learned after its day was reported.
    private static func history(_ world: ReportWorld) async throws {
        try await world.night(1, for: "2026-02-19")
        try await world.rate("USD", "1.25", on: "2026-01-01")
        try await world.charged(Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z"))
        try await world.charged(
            Sale(id: "t2", kind: "renewal", from: "2026-02-05 12:00Z", to: "2026-03-05 12:00Z", price: 12_990_000))
        try await world.became(
            "active", at: "2026-02-06 12:00Z", expires: "2026-03-05 12:00Z", autoRenew: false)
        try await world.charged(
            Sale(key: 2, id: "e1", product: "a \"b\"\t<c>", from: "2026-01-10 12:00Z", to: "2026-02-10 12:00Z"))
        try await world.became(
            "expired", key: 2, at: "2026-02-10 12:00Z", reason: "voluntary", expires: "2026-02-10 12:00Z")
        var refunded = Sale(key: 3, id: "r1", from: "2026-02-12 12:00Z", to: "2026-03-12 12:00Z", currency: "NOK")
        (refunded.refundedAt, refunded.refundKind, refunded.refund) = ("2026-02-15 12:00Z", "full", 9_990_000)
        try await world.charged(refunded)
        try await world.booked("refund", -9_990_000, at: "2026-02-15 12:00Z", of: refunded)
        try await world.sold(
            Sale(key: 4, id: "f1", kind: "trial", from: "2026-02-12 12:00Z", to: "2026-02-19 12:00Z", price: 0))
        try await world.charged(
            Sale(
                key: 5, id: "GPA.1", product: "play", from: "2026-02-01 12:00Z", to: "2026-03-01 12:00Z",
                currency: "EUR", country: nil, store: "google_play", tax: 1_600_000, proceeds: 7_100_000))
        try await world.night(2, for: "2026-02-20")
        try await world.charged(
            Sale(key: 6, id: "late", from: "2026-01-20 12:00Z", to: "2026-02-20 12:00Z"), seal: 2)
    }

    @Test func `report.json is as its schema says, with rows in every list, of some days, and of no history`()
        async throws
    {
        var documents: [String] = []
        try await ReportWorld.with { world in
            try await Self.history(world)
            documents.append(
                try await Self.document(of: world, seal: 2, for: "2026-02-20", notes: ["here", "\"there\" <b>"]))
            documents.append(try await Self.document(of: world, seal: 2, for: "2026-02-20", first: "2026-02-01"))
        }
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-06")
            documents.append(try await Self.document(of: world, seal: 1, for: "2026-02-06"))
        }
        #expect(try await Self.complaints(of: documents) == [[], [], []])
        let whole = documents[0]
        #expect(
            whole.components(separatedBy: "\"rows\":[[").count == ReportCatalog.reports.count + 1, "a report has no row"
        )
        #expect(documents[2].components(separatedBy: "\"rows\":[]").count == ReportCatalog.reports.count + 1)
        #expect(documents[1].contains("\"first_date\":\"2026-02-01\"") && !whole.contains("first_date"))
    }

    /// What is broken, the text of the document that is replaced, and what by.
    private static let faults = [
        ("a number as text", "\"seal\":2", "\"seal\":\"2\""),
        ("an amount as a number", "\"9.990000\"", "9.99"),
        ("an amount that is none", "\"9.990000\"", "\"9.99 USD\""),
        ("a count as text", ",1,0,\"9.990000\"", ",\"1\",0,\"9.990000\""),
        ("a day that is none", "[\"2026-01-05\",", "[\"5 January\","),
        ("a text as a number", "\"acme-ios\"", "7"),
        ("a missing field of the issue", "\"time_zone\":\"UTC\"", "\"last_date\":\"2026-02-20\""),
        ("a missing field of a report", "\"name\":\"churn\",", ""),
        ("no rows", ",\"rows\":[", ",\"lines\":["),
        ("a cell too few", "[\"2026-01-05\",\"acme-ios\",", "[\"2026-01-05\","),
        ("a cell too many", "[\"2026-01-05\",", "[null,\"2026-01-05\","),
        ("an unknown field of the document", "{\"issue\":", "{\"more\":1,\"issue\":"),
        ("an unknown field of the issue", "{\"as_of\":", "{\"more\":1,\"as_of\":"),
        ("an unknown field of a column", "\"type\":\"text\"", "\"type\":\"text\",\"more\":1"),
        ("a column by another name", "\"name\":\"churn_rate\"", "\"name\":\"rate\""),
        (
            "a column of another type", "\"name\":\"churned\",\"type\":\"count\"",
            "\"name\":\"churned\",\"type\":\"text\""
        ),
        ("a note without its app", "\"app_id\":\"acme-ios\",\"date\"", "\"date\""),
        ("a note of no day", "\"date\":\"2026-02-20\",\"number\"", "\"date\":null,\"number\""),
        ("an unknown field of a note", "\"text\":\"here\"", "\"text\":\"here\",\"more\":1"),
        ("a checksum that is none", "\"notes_sha256\":\"", "\"notes_sha256\":\"x"),
        ("a report by another name", "\"name\":\"revenue\"", "\"name\":\"income\""),
    ]

    @Test func `a document with a wrong type, a missing or an unknown field is refused`() async throws {
        var sound = ""
        try await ReportWorld.with { world in
            try await Self.history(world)
            sound = try await Self.document(of: world, seal: 2, for: "2026-02-20", notes: ["here"])
        }
        var broken: [String] = []
        for (fault, old, new) in Self.faults {
            let place = try #require(sound.range(of: old), "the document has no \(old) to break: \(fault)")
            broken.append(sound.replacingCharacters(in: place, with: new))
        }
        let complaints = try await Self.complaints(of: [sound] + broken)
        #expect(complaints.first == [])
        for ((fault, _, _), found) in zip(Self.faults, complaints.dropFirst()) {
            #expect(!found.isEmpty, "the schema lets \(fault) pass")
        }
        #expect(complaints.count == Self.faults.count + 1)
    }
}
