// SPDX-License-Identifier: Apache-2.0

package import Postgres

/// A table that reports are made from, in schema `marts`, and what fills it: a folder of `sql/reports/intermediate`, or a pair
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
    /// Of an intermediate table: puts those rows in place of what is held of the lineages.
    ///
    /// Nil for a mart.
    package let materialise: Statement?

    /// In the order in which they are made.
    package static let all: [MaterialisedTable] = intermediates + marts
    /// What the report of changes compares: rewritten with each issue, whole.
    package static let comparison = SQL.Reports.Marts.Changes.partsTable
    package static let intermediates = tables(of: SQL.Reports.Intermediate.all, filledBy: "rows.sql")
    package static let marts = tables(of: SQL.Reports.Marts.all, filledBy: "movements.sql")

    /// Every text that what the table holds follows from: its own files and those of what it rests on.
    package var texts: [String] {
        ReportSource.all(below: name).flatMap(\.files).sorted { ($0.name, $0.text) < ($1.name, $1.text) }.map(\.text)
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
            guard let name = file.text.firstMatch(of: /(?m)^create table (\w+)/)?.1,
                let filler = files.first(where: { $0.name == stem + filling })
            else { return nil }
            return MaterialisedTable(
                name: String(name), definition: file, steps: steps(in: files, below: stem), rows: filler,
                materialise: persisting["persist_\(name)"])
        }
    }
}
