// SPDX-License-Identifier: Apache-2.0

/// Columns that several statements list, and the words that are said of each.
///
/// `transaction.columns` names one a line, with words about it behind, for the statements of its folder and those below it; the key of a table is
/// a list within what is repeated for the table.
package struct ColumnList: Equatable, Sendable {
    package struct Column: Equatable, Sendable {
        package let name: String
        package let words: [String]
    }

    package let columns: [Column]

    package init(columns: [Column]) { self.columns = columns }

    /// Reads a file: a line is a column, a `#` begins a comment of a line.
    package init(text: String) {
        columns = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            return words.first.map { Column(name: $0, words: Array(words.dropFirst())) }
        }
    }

    /// How a statement mentions it.
    ///
    /// `{transaction}` is all columns, `{held.transaction}` those of `held`, `{transaction not key}` leaves out those
    /// with the word `key`, `{transaction not key = excluded}` sets each from `excluded`, and `{went.key = held}`
    /// compares those of `went` with those of `held`.
    package struct Mention: Sendable {
        let owner: Substring?
        let without: Substring?
        let other: Substring?

        package init(owner: Substring? = nil, without: Substring? = nil, other: Substring? = nil) {
            self.owner = owner
            self.without = without
            self.other = other
        }
    }

    /// The columns as a mention wants them; nil where it leaves out a word that no column has.
    package func text(_ mention: Mention) -> String? {
        let named = columns.filter { column in !column.words.contains { $0[...] == mention.without } }
        guard mention.without == nil || named.count < columns.count else { return nil }
        let isComparison = mention.owner != nil && mention.other != nil
        return named.map { column in
            let name = mention.owner.map { "\($0).\(column.name)" } ?? column.name
            return mention.other.map { "\(name) = \($0).\(column.name)" } ?? name
        }.joined(separator: isComparison ? " and " : ", ")
    }
}
