// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Links of the documents lead somewhere: to a file of the tree, and to a heading that it has.
@Suite struct LinkTests {
    private typealias Document = (path: String, text: String)

    private static func documents() throws -> [Document] {
        let names = try FileManager.default.contentsOfDirectory(atPath: Repository.root.path)
        return try names.filter { $0.hasSuffix(".md") }.sorted().map { ($0, try Repository.text(of: $0)) }
            + ["docs", "sql"].flatMap { try Repository.files(below: $0, ending: ".md") }
    }

    /// What links name, outside of code.
    private static func links(in text: String) -> [String] {
        let prose = text.replacing(/(?ms)^ *```.*?^ *```/, with: "").replacing(/`[^`\n]*`/, with: "")
        return prose.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
            .filter { !$0.hasPrefix("http") && !$0.hasPrefix("mailto:") }
    }

    /// As a forge makes them of headings.
    private static func anchors(of text: String) -> Set<String> {
        let prose = text.replacing(/(?ms)^ *```.*?^ *```/, with: "")
        let headings = prose.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
            line.drop { "# ".contains($0) }.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
                .replacing(" ", with: "-")
        }
        return Set(headings)
    }

    private static func broken(_ link: String, in document: Document) throws -> Bool {
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let folder = Repository.root.appending(path: document.path).deletingLastPathComponent()
        let file = parts[0].isEmpty ? Repository.root.appending(path: document.path) : folder.appending(path: parts[0])
        guard FileManager.default.fileExists(atPath: file.path) else { return true }
        guard parts.count == 2, file.pathExtension == "md" else { return false }
        return !anchors(of: try String(contentsOf: file, encoding: .utf8)).contains(parts[1])
    }

    @Test func `every link leads to a file and a heading of it`() throws {
        var checked = 0
        for document in try Self.documents() {
            for link in Self.links(in: document.text) {
                #expect(try !Self.broken(link, in: document), "\(document.path): \(link)")
                checked += 1
            }
        }
        #expect(checked > 50)
    }

    @Test func `a missing file and a missing heading are found, and links in code are ignored`() throws {
        let text =
            "# A b, c\n[one](README.md) [two](#a-b-c) `[three](no.md)`\n"
            + "```\n[four](no.md)\n```\n[five](http://x)"
        #expect(Self.links(in: text) == ["README.md", "#a-b-c"])
        #expect(Self.anchors(of: text) == ["a-b-c"])
        #expect(try Self.broken("nowhere.md", in: ("README.md", "")))
        #expect(try Self.broken("README.md#nothing-of-the-kind", in: ("CHANGELOG.md", "")))
        #expect(try !Self.broken("docs/install.md", in: ("README.md", "")))
    }
}
