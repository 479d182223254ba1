// SPDX-License-Identifier: Apache-2.0

import Testing

/// The numbers of rules are in sql/rules.txt, and neither SQL nor Swift says one of them again.
@Suite struct RuleNumberTests {
    @Test func `no statement says how many hours a rule has`() throws {
        let files = try Repository.files(below: "sql", ending: ".sql")
        for file in files {
            let found = file.text.firstMatch(of: /\b(?:24|26) hours\b|\b26 \* 3_?600\b/)
            #expect(found == nil, "\(file.path): \(found.map { String($0.0) } ?? "")")
        }
        #expect(files.filter { $0.text.contains("{rule ") }.count >= 8)
    }

    @Test func `no Swift says how many hours a rule has`() throws {
        for folder in ["Sources", "jobs"] {
            // The simulated stores have numbers of their own.
            for file in try Repository.files(below: folder, ending: ".swift") where !file.path.contains("StoreSim") {
                let found = file.text.firstMatch(of: /\bhours\((?:24|26)\)|\b26 \* 3_?600\b/)
                #expect(found == nil, "\(file.path): \(found.map { String($0.0) } ?? "")")
            }
        }
    }
}
