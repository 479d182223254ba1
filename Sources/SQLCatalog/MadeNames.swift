// SPDX-License-Identifier: Apache-2.0

package import Postgres

/// The names under which a schema file makes something, with their schema.
///
/// The texts of the reports name tables of schema `marts` and views of schema `report` without it. What has such a name in the other
/// schema could be read in its place, so that a table or view of either counts as made in both.
package struct MadeNames: Sendable {
    private static let reportSchemas = ["marts", "report"]

    /// Tables and views: they share their names with whatever else is a relation or a type.
    package let relations: Set<String>
    /// Functions, procedures and aggregates, whatever their parameters are: they are always named with their schema.
    package let routines: Set<String>

    package init(of files: [Statement]) {
        let text = files.map(\.text).joined(separator: "\n")
        let made = Self.names(text, /(?m)^create (?:or replace )?(?:unlogged )?(?:table|view|sequence|type) ([\w.]+)/)
        relations = Set(made.flatMap(Self.takenNames))
        routines = Self.names(text, /(?m)^create (?:or replace )?(?:function|procedure|aggregate) ([\w.]+)/)
    }

    private static func takenNames(_ name: String) -> [String] {
        let parts = name.split(separator: ".").map(String.init)
        guard let last = parts.last, parts.count == 1 || reportSchemas.contains(parts[0]) else { return [name] }
        return reportSchemas.map { "\($0).\(last)" }
    }

    private static func names(_ text: String, _ pattern: Regex<(Substring, Substring)>) -> Set<String> {
        Set(text.matches(of: pattern).map { String($0.1) })
    }
}
