// SPDX-License-Identifier: Apache-2.0

package import Postgres

/// The names under which a schema file makes something, with their schema; one without it is of schema `report`.
package struct MadeNames: Sendable {
    /// Tables and views: they share their names with whatever else is a relation or a type.
    package let relations: Set<String>
    /// Functions, procedures and aggregates, whatever their parameters are.
    package let routines: Set<String>

    package init(of files: [Statement]) {
        let text = files.map(\.text).joined(separator: "\n")
        relations = Self.names(text, /(?m)^create (?:or replace )?(?:unlogged )?(?:table|view|sequence|type) ([\w.]+)/)
        routines = Self.names(text, /(?m)^create (?:or replace )?(?:function|procedure|aggregate) ([\w.]+)/)
    }

    private static func names(_ text: String, _ pattern: Regex<(Substring, Substring)>) -> Set<String> {
        Set(text.matches(of: pattern).map { $0.1.contains(".") ? String($0.1) : "report.\($0.1)" })
    }
}
