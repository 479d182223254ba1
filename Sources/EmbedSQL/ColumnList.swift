// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Columns that several statements of a folder list: `transaction.columns` names one a line, with words about it behind.
///
/// In a statement of that folder `{transaction}` stands for all of them, `{held.transaction}` for the same of `held`,
/// `{held.transaction not key}` leaves out those with the word `key`, and `{transaction not key = excluded}` sets each from
/// `excluded`.
struct ColumnList {
    private let name: String
    private let columns: [(name: String, words: [Substring])]

    init(name: String, text: String) {
        self.name = name
        columns = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
            let words = line.split(separator: " ")
            return words.first.map { (String($0), Array(words.dropFirst())) }
        }
    }

    /// The text with every mention of the list written out; a word that no column bears is an error.
    func writtenOut(in text: String) throws -> String {
        let mention = /\{(?:(?<owner>\w+)\.)?(?<list>\w+)(?: not (?<word>\w+))?(?: = (?<source>\w+))?\}/
        return try text.replacing(mention) { match in
            guard match.list == name else { return String(match.0) }
            return try names(without: match.word).map { column in
                if let source = match.source { return "\(column) = \(source).\(column)" }
                return match.owner.map { "\($0).\(column)" } ?? column
            }.joined(separator: ", ")
        }
    }

    private func names(without word: Substring?) throws -> [String] {
        guard let word else { return columns.map(\.name) }
        let named = columns.filter { !$0.words.contains(word) }
        guard named.count < columns.count else {
            throw EmbedError(message: "no column of \(name).columns says '\(word)'")
        }
        return named.map(\.name)
    }
}
