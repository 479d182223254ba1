// SPDX-License-Identifier: Apache-2.0

package import Postgres

extension SQL.Reports {
    /// One view for each report, and those that only BI tools read, in the order of their names. They name tables without a
    /// schema: the same text shows the kept tables, and those of a session.
    package static let views: [Statement] = named("/view.sql")
    /// What the views and their columns mean: comments.
    package static let columns: [Statement] = named("/columns.sql")
    /// Functions, views and their comments: the change of one applies all of them.
    package static let definitions: [Statement] =
        [Refresh.upkeep] + Functions.all + [Refresh.scope] + views + columns

    private static func named(_ ending: String) -> [Statement] {
        (Marts.all + Analysis.all).filter { $0.name.hasSuffix(ending) }
    }
}
