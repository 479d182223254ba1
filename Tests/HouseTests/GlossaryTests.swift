// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Names are those of the field: docs/glossary.md has the words that are not used, and what is said instead.
@Suite struct GlossaryTests {
    /// Held against the table.
    private static let covered = ["sql/schema", "sql/functions", "sql/migrations"]
    /// To follow: the stages' statements and the program; the reports; the simulated stores and the tests.
    private static let notCoveredYet = [
        "sql/load", "sql/extract", "sql/pipeline", "sql/reports", "sql/checks", "Sources", "jobs", "Tests",
    ]

    /// The words of the table's first column.
    private static func words() throws -> Set<String> {
        let text = try String(contentsOf: Repository.root.appending(path: "docs/glossary.md"), encoding: .utf8)
        let table = text.components(separatedBy: "## Not this word, but").last ?? ""
        let rows = table.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| --") }.dropFirst()
        let cells = rows.compactMap { $0.split(separator: "|").first }
        let words = cells.flatMap { $0.split(separator: ",") }.map { $0.trimmingCharacters(in: .whitespaces) }
        try #require(words.count > 10)
        return Set(words)
    }

    /// What a schema file names: tables, views, columns, constraints, indexes, triggers, functions and their parameters.
    private static func names(in text: String) -> [String] {
        let code = text.replacing(/--[^\n]*/, with: "").replacing(/'(?:[^']|'')*'/, with: "''")
        let identifiers = code.matches(of: /[a-z][a-z0-9]*(?:_[a-z0-9]+)*/).map { String($0.0) }
        return Array(Set(identifiers)).sorted()
    }

    @Test func `no name of the schema has a word that the glossary replaces`() throws {
        let words = try Self.words()
        var looked = 0
        for folder in Self.covered {
            for file in try Repository.files(below: folder, ending: ".sql") {
                for name in Self.names(in: file.text) {
                    looked += 1
                    let found = name.split(separator: "_").map(String.init).filter(words.contains)
                    #expect(found.isEmpty, "\(file.path): \(name)")
                }
            }
        }
        #expect(looked > 500)
    }

    @Test func `the folders that are not covered yet are there`() {
        for folder in Self.notCoveredYet {
            let path = Repository.root.appending(path: folder).path
            #expect(FileManager.default.fileExists(atPath: path), "\(folder)")
        }
    }
}
