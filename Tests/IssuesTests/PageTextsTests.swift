// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Model
import SQLCatalog
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// The page's words, in both languages, and names that somebody else has chosen.
@Suite struct PageTextsTests {
    private struct Language: Decodable {
        let texts: [String: String]
        let script: [String: String]

        var all: [String: String] { texts.merging(script) { $1 } }
    }

    private struct Translation: Decodable {
        let title: String
        let columns: [String: String]
    }

    private static func languages() throws -> [String: Language] {
        try JSONDecoder().decode([String: Language].self, from: Data(PageFiles.texts.text.utf8))
    }

    @Test func `both languages have every sentence, with the same words to fill in`() throws {
        let languages = try Self.languages()
        let (english, japanese) = (try #require(languages["en"]).all, try #require(languages["ja"]).all)
        #expect(Set(english.keys) == Set(japanese.keys))
        for (name, text) in english {
            let words = [text, japanese[name] ?? ""].map { Set($0.matches(of: /\{[a-z]+\}/).map { String($0.output) }) }
            #expect(words[0] == words[1], "\(name)")
        }
        let inFrame = PageFiles.page.text.matches(of: /\{\{texts\.([A-Za-z]+)\}\}/).map { String($0.1) }
        let script = PageScript.parts
        let inScript =
            script.matches(of: /texts\.([A-Za-z]+)/).map { String($0.1) }.filter { $0 != "script" }
            + script.matches(of: /\btext\("([A-Za-z]+)"/).map { String($0.1) }
        let known = try #require(languages["en"])
        #expect(inFrame.count > 20 && inScript.count > 15)
        for name in inFrame { #expect(known.all[name] != nil, "\(name) has no sentence") }
        for name in inScript where !["labels", "values"].contains(name) {
            #expect(known.script[name] != nil, "\(name) has no sentence for the script")
        }
    }

    /// Words that columns have by their definitions: of states, kinds, reasons, types and customers.
    private static let words = [
        "grace", "billing_retry", "set_to_cancel", "full", "partial", "reversal", "sandbox", "bundled", "family_shared",
        "assigned", "promotional", "trial", "zero_price", "missing_price", "invalid_period", "prepaid",
        "unknown_credit",
        "unknown_currency", "missing_rate", "auto_renewable", "one_time", "new", "returning", "imported", "app_store",
        "google_play",
    ]

    @Test(arguments: ["en", "ja"])
    func `no word of a program reaches a reader, and a name that somebody gave stays what it is`(language: String)
        throws
    {
        let texts = try PageTexts(language: language, documents: SQL.Reports.Marts.documents)
        for word in Self.words {
            let said = texts.value(word, of: "state")
            #expect(said != word && !said.contains("_"), "\(word)")
        }
        #expect(texts.value("new", of: "product_id") == "new" && texts.value("trial", of: "app_id") == "trial")
        #expect(!texts.figure("churn_voluntary EUR").contains("_") && texts.figure("gross EUR").hasSuffix(", EUR"))
    }

    @Test func `every report is described in Japanese, column by column`() async throws {
        try await ReportWorld.with { world in
            for report in ReportCatalog.reports {
                let shape = try await ReportShape.read(report.name, on: world.connection)
                let text = SQL.Reports.Marts.documents.first { $0.name.hasSuffix("/\(report.name)/ja.json") }?.text
                let own = try JSONDecoder().decode(Translation.self, from: Data(try #require(text).utf8))
                #expect(Set(own.columns.keys) == Set(shape.columns.map(\.name)), "\(report.name)")
                #expect(own.columns.values.allSatisfy { !$0.isEmpty } && !own.title.isEmpty)
            }
        }
    }

    @Test(arguments: [
        #"<script>alert(1)</script>"#, #"=cmd|' /C calc'!A0"#, #""onload="x"#, "שלום עולם", "🎩 & <b>",
        "</script><script>",
    ])
    func `whatever a product is called, it is text and nothing else`(name: String) async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-06")
            var sale = Sale(key: 1, from: "2026-02-06 10:00Z", to: "2026-03-06 10:00Z")
            sale.product = name
            try await world.charged(sale)
            try await withTemporaryDirectory { directory in
                let issued = try await ReportStage().issue(
                    on: world.connection,
                    request: ReportRequest(
                        seal: 1, runID: 1, businessDate: try #require(.init("2026-02-06")),
                        asOf: try #require(.init(iso8601: "2026-02-07T02:00:00Z")), directory: directory))
                let page = try String(contentsOfFile: "\(issued.path)/report.html", encoding: .utf8)
                #expect(page.contains("<bdi>\(HTMLText.escaped(name))</bdi>"))
                // The frame's two scripts and its data, and no other element.
                #expect(page.components(separatedBy: "<script").count == 3)
                #expect(!page.contains("<b>"))
            }
        }
    }
}
