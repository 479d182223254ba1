// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreSimulator
import TestSupport
import Testing

/// The page of a few nights as a reader sees it: opened in Chromium, compared with the issue's files by a program of its own.
@Suite(.hangLimit) struct PageNightsTests {
    private struct Given: Encodable {
        let page: String
        let chromium: String
        let folder: String
        let choices: [[String]]
    }

    private struct Seen: Decodable {
        struct Chart: Decodable {
            let report: String
            let colours: Int
            let labels: Int
            let values: [Int]
        }

        /// The notes that are shown, and where they stand on charts.
        struct Notes: Decodable, Equatable {
            struct Chart: Decodable, Equatable {
                let report: String
                let labels: [String]
                let marks: [Mark]

                /// Each mark's day or month, and the notes there.
                var places: [String] { marks.map { "\($0.label) \($0.numbers)" } }
            }

            struct Mark: Decodable, Equatable {
                let label: String
                let numbers: [Int]
                /// Of the chart's height that is drawn in their colour, in hundredths.
                let share: Int

                var isDrawn: Bool { share > 40 }
            }

            let title: String
            let rows: [[String]]
            /// Elements within their texts.
            let elements: Int
            let charts: [Chart]
        }

        struct Look: Decodable, Equatable {
            struct Table: Decodable, Equatable {
                let rows: String
                let title: String
                let columns: [String]
                let cells: [[String]]
            }

            struct Section: Decodable, Equatable {
                let name: String
                let tables: [Table]

                init(from decoder: any Decoder) throws {
                    var parts = try decoder.unkeyedContainer()
                    name = try parts.decode(String.self)
                    tables = try parts.decode([Table].self)
                }
            }

            let figures: [[String]]
            let tables: [Section]
            let options: [String]?
            let notes: Notes?

            func figure(_ card: String) -> String? { figures.first { $0[0] == "card-" + card }?[1] }
        }

        struct Sort: Decodable {
            let before: [String]
            let first: [String]
            let second: [String]
            let hash: String
        }

        let complaints: [String]
        let deadLinks: [String]
        let terms: Int
        let sort: Sort
        let requests: [String]
        let plain: Look
        let seen: Look
        let again: Look
        let chosen: [String: Look]
        let charts: [Chart]
        let notes: Notes
        let folded: [Int]
        let pdf: String
        let pdfPages: Int
    }

    private static let apps: [SimulatorConfiguration.App] = [
        .server(id: "acme-ios", bundleID: "com.acme.app"),
        .play(id: "acme-android", packageName: "com.acme.app", api: .v2, grant: .serviceAccount),
    ]

    @Test func `the page shows what the files say, draws it, filters it and prints, in either language`() async throws {
        try await NightWorld.with(
            seed: 47, customersPerApp: 150, apps: Self.apps, adapting: { $0.requestsPerSecond = 1_000 }
        ) { world in
            try await Self.importRates(into: world)
            try await Self.writeNotes(into: world)
            for night in 1...4 { try await world.night(night) }
            let english = try await Self.look(at: world, "latest")
            Self.expectSound(english, filters: "google_play")
            Self.expectNotes(english)
            let visit = PageVisit(page: world.reports + "/latest/report.html", folder: world.directory)
            try await visit.expectFigures()
            try await visit.expectPrint()
            try await visit.expectAccess()
            try await Self.speak("ja", world)
            let out = world.directory + "/ja"
            let issued = try await world.subledger(
                "report", "--as-of", NightWorld.instant(of: 4).iso8601, "--out", out)
            try #require(issued.exitCode == 0, "\(issued.standardError)")
            try FileManager.default.createSymbolicLink(
                atPath: world.reports + "/ja", withDestinationPath: issued.folder)
            let japanese = try await Self.look(at: world, "ja")
            #expect(japanese.complaints == [] && japanese.plain == japanese.seen)
            // The same figures in other words.
            #expect(japanese.seen.figures.map { $0[1] } == english.seen.figures.map { $0[1] })
            #expect(Self.cells(of: japanese.seen) == Self.cells(of: english.seen))
            #expect(japanese.notes.title == "メモ" && japanese.notes.rows[0].last == "グラフの期間外(印なし)")
            // How much of a line other things cover depends on the language's letters: where it stands does not.
            #expect(japanese.notes.charts.map(\.places) == english.notes.charts.map(\.places))
            #expect(japanese.notes.charts.flatMap(\.marks).allSatisfy { $0.isDrawn })
            let page = try String(contentsOfFile: issued.folder + "/report.html", encoding: .utf8)
            #expect(page.contains("売上と解約") && page.contains(#"<html lang="ja">"#))
        }
    }

    private static func expectSound(_ page: Seen, filters store: String) {
        #expect(page.complaints == [])
        // Nothing but the file itself.
        #expect(page.requests.count == 1 && page.requests.allSatisfy { $0.hasPrefix("file://") })
        // Without scripts the tables are the same.
        #expect(page.plain == page.seen)
        #expect(page.charts.count >= 14)
        for chart in page.charts {
            #expect(chart.colours > 3 && chart.labels > 0 && chart.values.contains { $0 > 0 }, "\(chart)")
        }
        // A filter changes the figures, and both stores come to what there is without one.
        let one = page.chosen["store=google_play"]
        let other = page.chosen["store=app_store"]
        #expect(one?.options == ["", "app_store", "google_play"])
        #expect(page.seen.figure("activeSubscribers").flatMap { Int($0) } != nil)
        let parts = [one, other].compactMap { $0?.figure("activeSubscribers") }.compactMap { Int($0) }
        #expect(parts.count == 2 && String(parts.reduce(0, +)) == page.seen.figure("activeSubscribers"))
        #expect(page.chosen["range=allMonths"]?.tables != page.seen.tables)
        #expect(page.again == page.seen)
        // Every term leads to what it means, and a heading's button sorts without leading anywhere.
        #expect(page.deadLinks == [] && page.terms > 60)
        #expect(page.sort.before != page.sort.second && page.sort.hash.isEmpty)
        #expect(page.sort.first == page.sort.before.sorted { Self.number($0) > Self.number($1) })
        #expect(page.sort.second == page.sort.first.reversed())
        // On paper nothing is folded away.
        #expect(page.folded[0] > 0 && page.folded[1] == 0)
        // The head, a page for each section at most, and what the checks and the glossary take.
        #expect(page.pdf == "%PDF-" && page.pdfPages > 10)
        #expect(page.pdfPages <= 1 + page.seen.tables.count + 9)
    }

    private static func number(_ cell: String) -> Int {
        Int(cell.filter(\.isNumber)).map { cell.hasPrefix("−") ? -$0 : $0 } ?? .min
    }

    /// Out of order, two on one day, one before everything the charts show and one after.
    private static let notes = [
        (day: "2026-01-06", app: "", text: #"Price test: "gold" <b>+10 %</b>"#),
        (day: "2019-06-01", app: "", text: "Before everything"),
        (day: "2026-01-06", app: "acme-ios", text: "=cmd|' /C calc'!A0"),
        (day: "2026-01-03", app: "acme-android", text: "שלום 🎩"),
        (day: "2027-06-01", app: "acme-android", text: "After everything"),
    ]

    private static func writeNotes(into world: NightWorld) async throws {
        let lines = notes.map { "\($0.day),\($0.app),\"\($0.text.replacing("\"", with: "\"\""))\"" }
        try (["date,app,text"] + lines).joined(separator: "\n")
            .write(toFile: world.directory + "/notes.csv", atomically: true, encoding: .utf8)
        let text = try String(contentsOfFile: world.configuration, encoding: .utf8)
        try text.replacing("language: en }", with: "language: en, notes: notes.csv }")
            .write(toFile: world.configuration, atomically: true, encoding: .utf8)
    }

    /// By day they are: 1 of 2019, 2 of 3 January (Android), 3 and 4 of 6 January (all; iOS), 5 of 2027 (Android).
    private static func expectNotes(_ page: Seen) {
        let outside = "on no chart: outside the days they show"
        let rows = [
            ["1", "2019-06-01", "all apps", "Before everything", outside],
            ["2", "2026-01-03", "acme-android", "שלום 🎩", ""],
            ["3", "2026-01-06", "all apps", #"Price test: "gold" <b>+10 %</b>"#, ""],
            ["4", "2026-01-06", "acme-ios", "=cmd|' /C calc'!A0", ""],
            ["5", "2027-06-01", "acme-android", "After everything", outside],
        ]
        #expect(page.notes.title == "Notes" && page.notes.rows == rows && page.notes.elements == 0)
        expectMarks(page.notes, on: ["2026-01-03": [2], "2026-01-06": [3, 4], "2026-01": [2, 3, 4]])
        // The app's own and those of all.
        if let ios = page.chosen["app_id=acme-ios"]?.notes {
            #expect(ios.rows == [rows[0], rows[2], rows[3]] && ios.elements == 0)
            expectMarks(ios, on: ["2026-01-06": [3, 4], "2026-01": [3, 4]])
        } else {
            Issue.record("the app was not chosen")
        }
        #expect(page.chosen["store=google_play"]?.notes?.rows == rows)
    }

    /// On every chart over time, at these labels and no others, from its top to its bottom.
    private static func expectMarks(_ notes: Seen.Notes, on places: [String: [Int]]) {
        for chart in notes.charts {
            let expected = chart.labels.filter { places[$0] != nil }
            #expect(chart.marks.map(\.label) == expected, "\(chart.report)")
            #expect(chart.marks.map(\.numbers) == expected.map { places[$0] ?? [] }, "\(chart.report)")
            #expect(chart.marks.allSatisfy { $0.isDrawn }, "\(chart.report): \(chart.marks)")
        }
        #expect(notes.charts.count { !$0.marks.isEmpty } > 8)
    }

    /// What stands in the tables beside the names of their rows.
    private static func cells(of page: Seen.Look) -> [[[String]]] {
        page.tables.flatMap(\.tables).map { $0.cells.map { Array($0.dropFirst()) } }
    }

    private static func look(at world: NightWorld, _ issue: String) async throws -> Seen {
        try await PythonProgram.run(
            "NightTests/Browser/page_probe.py",
            given: Given(
                page: world.reports + "/\(issue)/report.html", chromium: try PageVisit.chromium(),
                folder: world.directory,
                choices: [
                    ["app_id", "acme-ios"], ["range", "days30"], ["store", "google_play"], ["store", "app_store"],
                    ["money", "EUR"], ["range", "months13"],
                    ["range", "allMonths"],
                ]))
    }

    private static func speak(_ language: String, _ world: NightWorld) async throws {
        let text = try String(contentsOfFile: world.configuration, encoding: .utf8)
        try text.replacingOccurrences(of: "language: en", with: "language: \(language)")
            .write(toFile: world.configuration, atomically: true, encoding: .utf8)
    }

    private static func importRates(into world: NightWorld) async throws {
        let file = world.directory + "/rates.csv"
        let rates = ["EUR": "0.8", "JPY": "150", "GBP": "0.7", "BRL": "5", "IDR": "16000", "KRW": "1300"]
        try (["date,currency,rate"] + rates.sorted { $0.key < $1.key }.map { "2020-01-01,\($0.key),\($0.value)" })
            .joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
        let result = try await world.subledger(
            "import", "fx", file, "--base", "USD", "--now", NightWorld.instant(of: 0).iso8601)
        try #require(result.exitCode == 0, "\(result.standardError)")
    }
}
