// SPDX-License-Identifier: Apache-2.0

package import Postgres

/// Where the tables and views of the reports are made from the same texts, which name no schema.
///
/// What reads and writes them follows the search path. What makes them cannot: `pg_catalog` is first in it, where no user
/// creates anything.
package enum ReportPlace: Sendable {
    /// Tables in schema `marts`, which last from night to night, and views in schema `report`. A view that is there is replaced and
    /// its rights stay.
    case schema
    /// The session that makes a report.
    case session
}

extension Statement {
    /// A definition that begins `create table x` or `create view x`, for that place.
    package func made(in place: ReportPlace) -> Statement {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let words = line.split(separator: " ", maxSplits: 2).map(String.init)
            guard words.count == 3, words[0] == "create", ["table", "view"].contains(words[1]) else {
                return String(line)
            }
            return switch (place, words[1]) {
            case (.session, let kind): "create temp \(kind) \(words[2])"
            case (.schema, "view"): "create or replace view report.\(words[2])"
            case (.schema, let kind): "create \(kind) marts.\(words[2])"
            }
        }
        return Statement(name: name, text: lines.joined(separator: "\n"))
    }
}
