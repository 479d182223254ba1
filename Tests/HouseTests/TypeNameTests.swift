// SPDX-License-Identifier: Apache-2.0

import Testing

/// Types are named with the words of billing, ETL and Swift: `docs/glossary.md` has those of this house.
@Suite struct TypeNameTests {
    /// Words that say nothing to a stranger, or something else than they meant here.
    private static let foreign = [
        "Vain", "Letter", "Told", "HandedIn", "News", "Oddit", "Glimpse", "Standing", "Judge", "Subject", "Setback",
        "Permits", "Conversation", "Conclusion", "SideRow", "Settled", "Sums", "Utils", "Manager", "Helper", "Desk",
        "Theme", "Chapter", "Census", "Casting", "Revelation",
    ]
    private static let allowed: Set<Substring> = ["DeadLetter", "DeadLetters"]

    private static func names(in text: String) -> [Substring] {
        text.matches(of: /\b(?:struct|enum|class|actor|protocol|typealias) ([A-Z]\w+)/).map(\.1)
    }

    @Test func `types bear no word that is not the field's`() throws {
        let files =
            try Repository.files(below: "Sources", ending: ".swift")
            + Repository.files(below: "jobs", ending: ".swift")
        #expect(files.count > 300)
        for file in files {
            for name in Self.names(in: file.text) where !Self.allowed.contains(name) {
                let found = Self.foreign.filter { name.contains($0) }
                #expect(found.isEmpty, "\(file.path): \(name)")
            }
        }
    }

    @Test(arguments: ["struct NewsRound {", "    private enum Judgement: Sendable", "typealias Told = Int"])
    func `a word that is not ours is found`(line: String) {
        #expect(Self.names(in: line).contains { name in Self.foreign.contains { name.contains($0) } })
    }
}
