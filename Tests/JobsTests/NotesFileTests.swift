// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Rendering
import Testing
import TestSupport

@testable import subledger

/// The owner's notes on days, as their file is read.
@Suite struct NotesFileTests {
    private static let apps = [AppID("acme-ios"), AppID("acme-android")]

    /// The notes, and what is wrong with the file.
    private static func read(_ text: String, apps: [AppID]? = apps) -> (notes: ReportNotes?, lines: [String]) {
        let findings = Findings(file: "notes.csv")
        return (NotesFile(findings: findings, apps: apps).read(Array(text.utf8)), findings.lines)
    }

    private static func note(_ date: String, _ app: String?, _ text: String) throws -> ReportNotes.Note {
        ReportNotes.Note(date: try #require(BusinessDate(date)), app: app.map { AppID($0) }, text: text)
    }

    @Test(arguments: ["", "\u{FEFF}"], ["\n", "\r\n"])
    func `notes are read with whatever they say, as text editors and spreadsheets save them`(
        mark: String, lineEnd: String
    ) throws {
        let lines = [
            "date,app,text", "2026-02-01,acme-ios,\"Price, \"\"gold\"\": <b>+10 %</b>\"", "", "2026-01-15,,=1+1",
            "2026-02-01,acme-android,שלום עולם 🎩", "2024-02-29,,'", "",
        ]
        let file = mark + lines.joined(separator: lineEnd)
        let (notes, problems) = Self.read(file)
        #expect(problems == [])
        let expected = ReportNotes(
            [
                try Self.note("2026-02-01", "acme-ios", "Price, \"gold\": <b>+10 %</b>"),
                try Self.note("2026-01-15", nil, "=1+1"), try Self.note("2026-02-01", "acme-android", "שלום עולם 🎩"),
                try Self.note("2024-02-29", nil, "'"),
            ], of: Array(file.utf8))
        #expect(notes == expected)
    }

    @Test func `a file with a header alone has no notes`() throws {
        let (notes, problems) = Self.read("date,app,text\n")
        #expect(notes == ReportNotes([], of: Array("date,app,text\n".utf8)) && problems == [])
    }

    @Test(arguments: [
        "date,text\n2026-01-01,a\n", "2026-01-01,,a\n", "date;app;text\n", "Date,App,Text\n", "\n\n", "\"date\n",
    ])
    func `another header is named`(file: String) {
        let (notes, problems) = Self.read(file)
        #expect(notes == nil && problems == ["notes.csv:1: the header must be date,app,text"])
    }

    @Test func `every line that is wrong is named, and why`() {
        let long = String(repeating: "é", count: 501)
        let file = """
            date,app,text
            2026-02-30,,no such day
            1 March 2026,,no day
            2026-03-01,acme-ois,a slip
            2026-03-01,other,nobody's
            2026-03-01,acme-ios
            2026-03-01,acme-ios,one,more
            2026-03-01,,
            2026-03-01,,"  "
            2026-03-01,,"two
            lines"
            2026-03-01,,\(long)
            2026-03-01,,"quoted" on
            2026-03-01,,right
            2026-03-01,,"open
            """
        let control = "text must be one line of 1000 bytes at most, without control characters"
        #expect(
            Self.read(file).lines == [
                "notes.csv:2: date must be a day such as 2026-03-01, not `2026-02-30`",
                "notes.csv:3: date must be a day such as 2026-03-01, not `1 March 2026`",
                "notes.csv:4: app `acme-ois` is no app of the configuration; did you mean acme-ios?",
                "notes.csv:5: app `other` is no app of the configuration",
                "notes.csv:6: it has 2 fields, and not 3", "notes.csv:7: it has 4 fields, and not 3",
                "notes.csv:8: text is empty", "notes.csv:9: text is empty", "notes.csv:10: \(control)",
                "notes.csv:12: \(control)", "notes.csv:13: a quoted field goes on after its quote",
                "notes.csv:15: a quoted field is not closed",
            ])
        #expect(Self.read("date,app,text\n2026-03-01,other,x\n", apps: nil).lines == [])
    }

    private static let yaml = "reports: { notes: notes.csv }\n" + ConfigurationFolder.good

    @Test func `the configuration has them, and refuses a file that is wrong or away`() async throws {
        try await ConfigurationFolder.with(Self.yaml) { folder in
            _ = #expect(throws: UsageError("subledger.yaml:1: reports.notes names notes.csv, which is not there")) {
                try folder.load().get()
            }
            try folder.write("date,app,text\n2026-03-01,acme-ios,Launch\n", to: "notes.csv")
            #expect(try folder.load().get().reports.notes != nil)
            try folder.write("date,app,text\n2026-03-01,,Launch\n1.3.2026,acme,Launch\n", to: "notes.csv")
            _ = #expect(
                throws: UsageError("notes.csv:3: date must be a day such as 2026-03-01, not `1.3.2026`")
            ) { try folder.load().get() }
        }
        try await ConfigurationFolder.with { folder in
            let configuration = try folder.load().get()
            #expect(configuration.reports.notes == nil)
        }
    }

    @Test(arguments: [["nightly"], ["report"]])
    func `a bad line exits 64 and changes nothing`(_ arguments: [String]) async throws {
        try await ConfigurationFolder.with(Self.yaml) { folder in
            try folder.write("date,app,text\n2026-03-01,acme-io,Launch\n2026-03,,Launch\n", to: "notes.csv")
            let before = folder.contents
            let run = try await CommandLineRun(
                product: "subledger", arguments: arguments, environment: ["SUBLEDGER_CONFIG": ""], folder: folder.path
            ).run()
            #expect(run.exitCode == 64 && run.standardOutput == "")
            #expect(
                run.standardError == """
                    \(folder.path)/notes.csv:2: app `acme-io` is no app of the configuration; did you mean acme-ios?
                    \(folder.path)/notes.csv:3: date must be a day such as 2026-03-01, not `2026-03`

                    """)
            #expect(folder.contents == before)
        }
    }
}
