// SPDX-License-Identifier: Apache-2.0

/// What a file says of itself in the comment that it begins with, for the build and the program.
///
///     -- key: lineage_key, place
///     -- rests on: known_transactions, marts.day_of
///     -- days of: money
///
/// A line of the same word goes on with the list. The other lines of the comment are for people.
package struct FileHead: Equatable, Sendable {
    /// What it says, by the word before the colon.
    package let lists: [String: [String]]

    private static let words = ["key", "rests on", "days of"]

    package init(of text: String) {
        var lists: [String: [String]] = [:]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("--") else { break }
            guard let word = Self.words.first(where: { line.hasPrefix("-- \($0): ") }) else { continue }
            let names = line.dropFirst(word.count + 5).split(separator: ",").map { $0.filter { $0 != " " } }
            lists[word, default: []] += names.filter { !$0.isEmpty }
        }
        self.lists = lists
    }
}
