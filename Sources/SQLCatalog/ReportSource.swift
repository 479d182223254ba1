// SPDX-License-Identifier: Apache-2.0

package import Postgres

/// What a report can rest on: a table, a session's table of `sql/reports/staging`, or a function, with the files that make it.
///
/// Files say at their heads what they rest on (`-- rests on: …`), whatever functions they call included; a test compares each
/// list with the catalogue of PostgreSQL. Tables of `sql/schema` are named in the lists and are no source here: a migrator keeps
/// them.
package struct ReportSource: Sendable {
    /// A function's with its schema.
    package let name: String
    package let files: [Statement]
    /// The names that its file has at its head.
    package let restsOn: [String]

    private init(name: String, files: [Statement], head: Statement?) {
        self.name = name
        self.files = files
        restsOn = head.map(Self.names) ?? []
    }

    /// What a file says that it rests on.
    package static func names(of file: Statement) -> [String] { SQL.heads[file.name]?["rests on"] ?? [] }

    /// By their names.
    package static let all: [String: ReportSource] = Dictionary(
        (tables + comparison + staging + functions).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    /// It, and whatever it rests on.
    static func all(below name: String) -> [ReportSource] {
        var (found, next): ([String: ReportSource], [String]) = ([:], [name])
        while let name = next.popLast() {
            guard found[name] == nil, let source = all[name] else { continue }
            found[name] = source
            next += source.restsOn
        }
        return Array(found.values)
    }

    private static var tables: [ReportSource] {
        MaterialisedTable.all.map { table in
            ReportSource(
                name: table.name, files: [table.definition] + table.steps + [table.rows], head: table.definition)
        }
    }

    /// What the report of changes compares; no table is filled from it.
    private static var comparison: [ReportSource] {
        [ReportSource(name: "figure_parts", files: [MaterialisedTable.comparison], head: nil)]
    }

    private static var staging: [ReportSource] {
        SQL.Reports.Staging.all.map { file in
            let name = file.name.split(separator: "/").last?.dropLast(".sql".count) ?? ""
            return ReportSource(name: String(name), files: [file], head: file)
        }
    }

    private static var functions: [ReportSource] {
        (SQL.Reports.Functions.all + SQL.Functions.all).flatMap(functions).map { function in
            let words = function.text.prefix { $0 != "(" }.split(separator: " ")
            return ReportSource(name: words.last.map(String.init) ?? "", files: [function], head: nil)
        }
    }

    /// What a file creates functions and aggregates with, each for itself: whoever rests on one does not rest on the others.
    static func functions(of file: Statement) -> [Statement] {
        var (functions, current): ([Statement], [Substring]) = ([], [])
        func end() {
            let whole = current.prefix(through: current.lastIndex { $0.hasSuffix(";") } ?? current.startIndex - 1)
            if !whole.isEmpty { functions.append(Statement(name: file.name, text: whole.joined(separator: "\n"))) }
            current = []
        }
        for line in file.text.utf8.split(separator: UInt8(ascii: "\n")).map(Substring.init) {
            // One whose last line is indented is over where something else begins.
            if line.hasPrefix("create ") || line.hasPrefix("comment on ") { end() }
            guard isFirst(line) || !current.isEmpty else { continue }
            current.append(line)
            // What is within a function is indented, or between dollars.
            guard line.hasSuffix(";"), !line.hasPrefix(" ") else { continue }
            let dollars = current.joined(separator: "\n").split(separator: "$$", omittingEmptySubsequences: false)
            if dollars.count != 2 { end() }
        }
        end()
        return functions
    }

    private static func isFirst(_ line: Substring) -> Bool {
        ["function", "aggregate"].contains { kind in
            line.hasPrefix("create \(kind) ") || line.hasPrefix("create or replace \(kind) ")
        }
    }
}
