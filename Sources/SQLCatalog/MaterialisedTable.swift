// SPDX-License-Identifier: Apache-2.0

package import Postgres

/// A table that reports are made from, in schema `report`, and what fills it: a folder of `sql/reports/intermediate`, or a pair
/// of files (`table.sql` and `movements.sql`) of one of `sql/reports/marts`.
package struct MaterialisedTable: Sendable {
    package let name: String
    /// Makes the table, in the place that `made(in:)` names.
    package let definition: Statement
    /// Of an intermediate table: what its rows are made from within the session, one after the other: files of its folder whose names
    /// begin with a number.
    package let steps: [Statement]
    /// Makes its rows of the lineages at hand: a session table `new_<name>` of an intermediate table; of a mart, what they add.
    package let rows: Statement
    /// Of an intermediate table: puts those rows in place of what is held of the lineages. Nil for a mart.
    package let materialise: Statement?

    /// In the order in which they are made.
    package static let all: [MaterialisedTable] = intermediates + marts
    /// What the report of changes compares: rewritten with each issue, whole.
    package static let comparison = SQL.Reports.Marts.Changes.partsTable
    package static let intermediates = tables(of: SQL.Reports.Intermediate.all, filledBy: "rows.sql")
    package static let marts = tables(of: SQL.Reports.Marts.all, filledBy: "movements.sql")

    /// Every text that what the table holds follows from: its own files and those whose functions and rows they name.
    package var texts: [String] {
        var wanted = [definition, rows]
        var words = Set(wanted.flatMap { Self.words($0.text) })
        var rest = Self.sources
        while true {
            let found = rest.filter { !words.isDisjoint(with: $0.names) }
            guard !found.isEmpty else { break }
            rest.removeAll { source in found.contains { $0.file == source.file } }
            wanted += found.map(\.file)
            for source in found { words.formUnion(source.words) }
        }
        return wanted.sorted { ($0.name, $0.text) < ($1.name, $1.text) }.map(\.text)
    }

    /// A file that tables are made with, the words by which others name what it makes, and all words of it.
    private struct Source {
        let file: Statement
        let names: Set<Substring>
        let words: Set<Substring>
    }

    private static let sources: [Source] =
        (SQL.Reports.Functions.all + SQL.Reports.Staging.all + intermediates.flatMap { $0.steps + [$0.rows] }
        + SQL.Functions.all.flatMap(functions)).map { file in
            let words = words(file.text)
            let made = made(by: words)
            let changed = made.filter { $0.hasPrefix("new_") }.map { "changed_" + $0.dropFirst("new_".count) }
            return Source(file: file, names: Set(made + changed.map { $0[...] }), words: Set(words))
        }

    /// What a file creates functions with, each for itself: whoever names one does not follow from the rest of it.
    static func functions(of file: Statement) -> [Statement] {
        var (functions, current): ([Statement], [Substring]) = ([], [])
        for line in file.text.utf8.split(separator: UInt8(ascii: "\n")).map(Substring.init) {
            let isFirst = line.hasPrefix("create function ") || line.hasPrefix("create or replace function ")
            guard isFirst || !current.isEmpty else { continue }
            current.append(line)
            // What is within a function is indented, or between dollars.
            guard line.hasSuffix(";"), !line.hasPrefix(" ") else { continue }
            let text = current.joined(separator: "\n")
            guard text.split(separator: "$$", omittingEmptySubsequences: false).count != 2 else { continue }
            functions.append(Statement(name: file.name, text: text))
            current = []
        }
        return functions
    }

    /// The words of a text but its comments. Every job asks for those of all texts: bytes, not characters.
    private static func words(_ text: String) -> [Substring] {
        text.utf8.split(separator: UInt8(ascii: "\n"))
            .filter { !$0.drop { $0 == UInt8(ascii: " ") }.starts(with: "--".utf8) }
            .flatMap { line in line.split { !isOfWord($0) }.map(Substring.init) }
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }

    /// The names of the functions and tables that a text creates.
    private static func made(by words: [Substring]) -> [Substring] {
        words.indices.compactMap { index in
            guard words[index] == "create" else { return nil }
            let rest = words[(index + 1)...].drop { ["or", "replace", "temp"].contains($0) }
            guard let kind = rest.first, ["function", "aggregate", "table"].contains(kind) else { return nil }
            return rest.dropFirst().drop { ["report", "subledger"].contains($0) }.first
        }
    }

    /// What `persist.sql` has for each table of `sql/reports/intermediate`, by its name there.
    private static let persisting: [String: Statement] = Dictionary(
        uniqueKeysWithValues: SQL.Reports.Refresh.all.compactMap { statement in
            let parts = statement.name.split(separator: " ")
            return parts.first == "reports/refresh/persist.sql" ? parts.last.map { (String($0), statement) } : nil
        })

    private static func steps(in files: [Statement], below stem: Substring) -> [Statement] {
        files.filter { file in
            file.name.hasPrefix(stem) && file.name.dropFirst(stem.count).first?.isNumber == true
        }
    }

    private static func tables(of files: [Statement], filledBy filling: String) -> [MaterialisedTable] {
        files.compactMap { file in
            guard file.name.hasSuffix("table.sql") else { return nil }
            let stem = file.name.dropLast("table.sql".count)
            guard let name = made(by: words(file.text)).first,
                let filler = files.first(where: { $0.name == stem + filling })
            else { return nil }
            return MaterialisedTable(
                name: String(name), definition: file, steps: steps(in: files, below: stem), rows: filler,
                materialise: persisting["persist_\(name)"])
        }
    }
}
