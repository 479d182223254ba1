// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The references in `docs/` know every key of the configuration and every column of the reports.
@Suite struct DocumentationTests {
    private static func document(_ name: String) throws -> String {
        try #require(try Repository.files(below: "docs", ending: name).first).text
    }

    @Test func `every configuration key is described`() throws {
        let document = try Self.document("configuration.md")
        let text = try Repository.files(below: "jobs/Configuration", ending: ".swift").map(\.text).joined()
        let lists = text.matches(of: /[kK]eys(?: =|:) \[([^\]]+)\]/).map { String($0.1) }
        let keys = Set(lists.flatMap { $0.matches(of: /"([a-z_]+)"/).map { String($0.1) } })
        #expect(keys.isSuperset(of: ["apps", "retry_for", "bundle_id", "token_url", "language"]))
        let missing = keys.filter { key in
            !document.contains("`\(key)`") && !document.contains(".\(key)`") && !document.contains("`\(key).")
        }
        #expect(missing.sorted() == [])
    }

    @Test func `every report and column is described as it is printed`() throws {
        let document = try Self.document("reports.md")
        var columns = 0
        let folders = ["sql/reports/marts", "sql/reports/analysis"]
        for file in try folders.flatMap({ try Repository.files(below: $0, ending: "columns.sql") }) {
            for comment in file.text.matches(of: /comment on (view|column) (\S+) is '((?:[^']|'')*)';/) {
                let meaning = comment.3.replacing("''", with: "'").replacing("|", with: "\\|")
                    .replacing("\nKey: ", with: ".\n\nKey: ")
                let name = comment.2.split(separator: ".").last ?? ""
                let line = comment.1 == "view" ? "## \(name)\n\n\(meaning).\n" : "| `\(name)` | \(meaning) |\n"
                #expect(document.contains(line), "\(file.path): \(comment.2): run scripts/document-reports")
                columns += 1
            }
        }
        #expect(document.split(separator: "\n").count { $0.hasPrefix("| `") || $0.hasPrefix("## ") } == columns)
    }

    /// The paths in the rows of tables, up to the next heading.
    private static func paths(in document: String, below heading: String) throws -> [String] {
        let section = try #require(document.components(separatedBy: "\n## \(heading)\n").dropFirst().first)
        return (section.components(separatedBy: "\n## ").first ?? "").split(separator: "\n").filter {
            $0.hasPrefix("|")
        }
        .flatMap { $0.matches(of: /`((?:sql|Sources|docs)\/[\w\/.+]+)`/).map { String($0.1) } }
    }

    @Test func `a stranger finds every file where a figure is decided`() throws {
        let paths = try Self.paths(in: try Repository.text(of: "CONTRIBUTING.md"), below: "Where a figure is decided")
        #expect(paths.count > 10)
        for path in paths {
            #expect(FileManager.default.fileExists(atPath: Repository.root.appending(path: path).path), "\(path)")
        }
    }

    @Test func `paths are read from the tables of one section alone`() throws {
        let document = "# A\n\n## B\n\n`sql/c.sql`\n| `Sources/D+E.swift`, `no/f` |\n\n## G\n| `sql/h.sql` |\n"
        #expect(try Self.paths(in: document, below: "B") == ["Sources/D+E.swift"])
    }
}
