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
}
