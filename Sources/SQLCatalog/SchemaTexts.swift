// SPDX-License-Identifier: Apache-2.0

package import Postgres

/// The texts that schema `subledger` is made of.
///
/// Tables and functions are always today's: a new database is made from them alone; migrations bring a database of an
/// earlier release there.
package struct SchemaTexts: Sendable {
    /// A file for each table, each after those that it refers to.
    package let tables: [Statement]
    /// Functions, triggers and views, applied again whenever one of the texts changed.
    package let functions: [Statement]
    /// In the order of their numbers.
    package let migrations: [Statement]
    /// What the program brings into tables of dated facts: each takes the run that records it.
    package let facts: [Statement]

    package init(
        tables: [Statement], functions: [Statement], migrations: [Statement], facts: [Statement] = []
    ) {
        self.tables = Self.ordered(tables)
        self.functions = functions
        self.migrations = migrations
        self.facts = facts
    }

    /// Those that this program was built with.
    ///
    /// A task may have others for all it does, which only code can say: the trial of an upgrade is a program of its own that adds a
    /// migration (`Tests/NextRelease`), and no file, flag or variable does.
    @TaskLocal package static var ofThisProgram = SchemaTexts(
        tables: SQL.Schema.all, functions: SQL.Functions.all, migrations: SQL.Migrations.all,
        facts: SQL.Data.all)

    /// The views that the functions' files define, with their schema.
    package var views: [String] {
        functions.flatMap { file in
            file.text.matches(of: /create or replace view ([\w.]+)/).map { String($0.1) }
        }
    }

    /// A table comes when all that it refers to are there.
    ///
    /// A file that refers to none of the others comes in its turn.
    private static func ordered(_ files: [Statement]) -> [Statement] {
        var waiting = files.map {
            (file: $0, made: names($0, /create table ([\w.]+)/), wanted: names($0, /references ([\w.]+)/))
        }
        let known = Set(waiting.flatMap(\.made))
        var (ordered, made): ([Statement], Set<Substring>) = ([], [])
        while let place = waiting.firstIndex(where: { next in
            next.wanted.intersection(known).subtracting(next.made).isSubset(of: made)
        }) {
            let next = waiting.remove(at: place)
            ordered.append(next.file)
            made.formUnion(next.made)
        }
        // PostgreSQL refuses tables that refer to each other in a circle, and names one.
        return ordered + waiting.map(\.file)
    }

    private static func names(_ file: Statement, _ pattern: Regex<(Substring, Substring)>) -> Set<Substring> {
        Set(file.text.matches(of: pattern).map(\.1))
    }
}
