// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Names are those of the field: docs/glossary.md has the words that are not used, and what is said instead.
@Suite struct GlossaryTests {
    private static let covered = [
        "sql/schema", "sql/data", "sql/functions", "sql/migrations", "sql/load", "sql/extract", "sql/pipeline",
        "sql/intake",
        "sql/notifications", "sql/import", "sql/send", "sql/status", "sql/explain", "sql/roles",
        "sql/reports", "sql/checks",
        "Sources/Foundations", "Sources/Model", "Sources/Stores", "Sources/AppStore", "Sources/GooglePlay",
        "Sources/Extract", "Sources/Fetch",
        "Sources/Transform", "Sources/Load", "Sources/Runs", "Sources/Nightly", "Sources/Intake", "Sources/Imports",
        "Sources/Notifications", "Sources/Operations", "Sources/Delivery", "Sources/Diagnosis", "Sources/Postgres",
        "Sources/PrivateServer", "Sources/HTTP",
        "Sources/Signing", "Sources/SQLCatalog", "Sources/SQLTemplates", "Sources/EmbedSQL", "Sources/EmbedSQLPlugin",
        "Sources/Program",
        "Sources/TLSServer", "Sources/Workbook", "Sources/Marts", "Sources/Rendering", "Sources/Issues", "jobs",
        "Tests/FoundationsTests", "Tests/ModelTests", "Tests/StoresTests", "Tests/AppStoreTests",
        "Tests/GooglePlayTests", "Tests/ExtractTests",
        "Tests/FetchTests", "Tests/TransformTests", "Tests/LoadTests", "Tests/RunsTests", "Tests/NightlyTests",
        "Tests/IntakeTests", "Tests/NotificationTests", "Tests/OperationsTests", "Tests/DeliveryTests",
        "Tests/DiagnosisTests",
        "Tests/PostgresTests", "Tests/PrivateServerTests", "Tests/RenderingTests", "Tests/MartsTests",
        "Tests/IssuesTests", "Tests/ReportSupport",
        "Tests/HTTPTests", "Tests/SigningTests", "Tests/JobsTests", "Tests/HouseTests", "Tests/SQLTemplatesTests",
        "Tests/ClientTests",
        "Tests/TestSupport", "Tests/MeasuredSteps", "Tests/NextRelease",
    ]
    /// To follow: the simulated stores and the lives that tests play.
    private static let notCoveredYet = [
        "Sources/StoreSimulator",
        "Sources/SimulatorServer",
        "Sources/StoreSim", "Tests/StoreSimulatorTests",
        "Tests/StoreCoverage",
        "Tests/NightTests",
    ]
    private static let phrases = ["nobody", "in vain", "anew", "none such"]

    @Test func `no name has a word that the glossary replaces`() throws {
        let (words, exempt) = (try Self.replacedWords(), try Self.exemptNames())
        var looked = 0
        for (path, text) in try Self.files() {
            for name in text.names.subtracting(exempt) {
                looked += 1
                #expect(words.isDisjoint(with: SourceText.words(of: name)), "\(path): \(name)")
            }
        }
        #expect(looked > 20_000)
    }

    @Test func `no title of a test has such a word`() throws {
        let words = try Self.replacedWords()
        var looked = 0
        for (path, text) in try Self.files() {
            for title in text.titles {
                looked += 1
                let spoken = title.replacing("account hold", with: "").lowercased().split { !$0.isLetter }
                #expect(words.isDisjoint(with: spoken.map(String.init)), "\(path): \(title)")
            }
        }
        #expect(looked > 1_000)
    }

    @Test func `comments are plain`() throws {
        let quotation = try Regex("`[^`]*`|\"[^\"]*\"")
        var looked = 0
        for (path, text) in try Self.files() {
            for comment in text.comments {
                looked += 1
                let isQuoting = comment.contains("\"") || comment.contains("`")
                let spoken = isQuoting ? comment.replacing(quotation, with: "") : comment
                #expect(!Self.phrases.contains { spoken.lowercased().contains($0) }, "\(path): \(comment)")
            }
        }
        #expect(looked > 3_000)
    }

    @Test func `every folder is covered or named as not covered`() throws {
        let manager = FileManager.default
        let all = try ["Sources", "Tests", "sql"].flatMap { top in
            try manager.contentsOfDirectory(atPath: Repository.root.appending(path: top).path).map { "\(top)/\($0)" }
        }
        let folders = all.filter { !$0.contains(".") && !$0.contains("/C") || $0.hasPrefix("Tests/") }
        #expect(Set(folders) == Set(Self.covered + Self.notCoveredYet).subtracting(["jobs"]))
    }

    @Test func `a name's words, titles and comments are found`() {
        let text = SourceText(swift: "/// told\nlet isTold_2 = \"kept \\\" held\" // said\n@Test func `a told b`() {}")
        #expect(text.names == ["let", "isTold_2", "func", "Test"])
        #expect(SourceText(swift: "@Suite(\"Told\") struct A {}").titles == ["Told"])
        #expect(text.titles == ["a told b"] && text.comments == ["/// told", "// said"])
        #expect(SourceText.words(of: "isTold_2URLs") == ["is", "told", "u", "r", "ls"])
        #expect(SourceText(sql: "select 'told' as held -- why").names == ["select", "as", "held"])
    }

    private static func files() throws -> [(path: String, text: SourceText)] {
        try covered.flatMap { folder in
            let isSQL = folder.hasPrefix("sql/")
            return try Repository.files(below: folder, ending: isSQL ? ".sql" : ".swift").map { file in
                (file.path, isSQL ? SourceText(sql: file.text) : SourceText(swift: file.text))
            }
        }
    }

    /// The words of the table's first column.
    private static func replacedWords() throws -> Set<String> {
        let words = try firstCells(of: "not this word").flatMap { $0.split(separator: ",") }
        try #require(words.count > 40)
        return Set(words.map { $0.trimmingCharacters(in: .whitespaces) })
    }

    /// What stands in backticks in the first column of the table of exemptions.
    private static func exemptNames() throws -> Set<String> {
        Set(try firstCells(of: "exempt").flatMap { SourceText(swift: $0).names })
    }

    /// The first column of the glossary's table with that heading.
    private static func firstCells(of heading: String) throws -> [String] {
        let text = try String(contentsOf: Repository.root.appending(path: "docs/glossary.md"), encoding: .utf8)
        let table = try #require(text.components(separatedBy: "| \(heading) |").dropFirst().first)
        let rows = table.split(separator: "\n").dropFirst(2).prefix { $0.hasPrefix("| ") }
        return rows.compactMap { $0.split(separator: "|").first.map(String.init) }
    }
}
