// SPDX-License-Identifier: Apache-2.0

import Testing

/// A file is read from its first line to its last: what is longer has two duties.
@Suite struct FileLengthTests {
    private static let limit = 250

    /// The lines of a file, where they are more than may be.
    private static func excess(of text: String) -> Int? {
        let count = text.utf8.count { $0 == UInt8(ascii: "\n") }
        return count > limit ? count : nil
    }

    @Test func `no file of the program is longer than 250 lines`() throws {
        let files =
            try Repository.files(below: "Sources", ending: ".swift")
            + Repository.files(below: "jobs", ending: ".swift")
        #expect(files.count > 700)
        for file in files {
            let lines = Self.excess(of: file.text)
            #expect(lines == nil, "\(file.path) has \(lines ?? 0) lines: part it by duty")
        }
    }

    @Test func `a longer file is found`() {
        #expect(Self.excess(of: String(repeating: "let a = 1\n", count: 250)) == nil)
        #expect(Self.excess(of: String(repeating: "let a = 1\n", count: 251)) == 251)
    }
}
