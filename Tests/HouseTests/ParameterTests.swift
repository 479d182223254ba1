// SPDX-License-Identifier: Apache-2.0

import Testing

/// A call is read without its declaration: of three values in a row without a name it cannot be told which is which.
@Suite struct ParameterTests {
    /// The heads of functions and initializers, from `(` to `)`, that have three unlabelled parameters or more.
    private static func unlabelled(in text: String) -> [String] {
        text.matches(of: /\b(?:func [^\s(]+|init[?!]?)(?:<[^>]*>)?\(/).compactMap { match in
            let head = parameters(text[match.range.upperBound...])
            let count = head.matches(of: /(?:^|,)\s*_ \w+:/).count
            return count > 2 ? String(text[match.range] + head) : nil
        }
    }

    /// What is between the parentheses that are open, without what is within further ones.
    private static func parameters(_ rest: Substring) -> String {
        var (head, depth) = ("", 1)
        for character in rest {
            if "([{".contains(character) { depth += 1 }
            if ")]}".contains(character) { depth -= 1 }
            if depth == 0 { return head }
            if depth == 1 { head.append(character) }
        }
        return head
    }

    @Test func `no function has three unlabelled parameters`() throws {
        let files =
            try Repository.files(below: "Sources", ending: ".swift")
            + Repository.files(below: "jobs", ending: ".swift")
        #expect(files.count > 700)
        for file in files {
            let found = Self.unlabelled(in: file.text)
            #expect(found.isEmpty, "\(file.path): \(found.joined(separator: "; "))")
        }
    }

    @Test func `unlabelled parameters are counted`() {
        #expect(Self.unlabelled(in: "func a(_ b: Int, _ c: (Int, _: Int), d: Int) { f(_ in) }").isEmpty)
        #expect(Self.unlabelled(in: "init(\n    _ a: [Int: Int], _ b: (Int) -> Int,\n    _ c: Int\n)").count == 1)
        #expect(Self.unlabelled(in: "func map<T>(_ a: T, b: Int, _ c: T, _ d: inout T)").count == 1)
        #expect(Self.unlabelled(in: "func use(_ body: (Int, Int, Int) -> Void, _ a: Int)").isEmpty)
    }
}
