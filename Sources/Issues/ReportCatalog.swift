// SPDX-License-Identifier: Apache-2.0

import Foundations
import Postgres
import SQLCatalog

/// What reports and checks there are: the folders and files of `sql/`.
///
/// Adding one needs no Swift.
enum ReportCatalog {
    /// A folder of `sql/reports/marts/` with a `query.sql`, which gives the rows of a CSV file.
    struct Report {
        let name: String
        let query: Statement
        /// How the page shows it, `page.json`; nil: its newest rows as they are.
        let page: Document?

        var fileName: String { name + ".csv" }
    }

    static let reports: [Report] = SQL.Reports.Marts.all.compactMap { statement in
        let parts = statement.name.split(separator: "/")
        guard parts.last == "query.sql", let name = parts.dropLast().last else { return nil }
        let page = SQL.Reports.Marts.documents.first { $0.name.hasSuffix("/\(name)/page.json") }
        return Report(name: String(name), query: statement, page: page)
    }

    /// A file of `sql/checks/`.
    struct Check {
        /// What a check looks at: its folder.
        enum Scope: String {
            /// The rows of the lineages at hand.
            case rows
            /// The days up to the last one of the report.
            case days
            /// All totals, of reports whose days stand for themselves those of days to come included.
            case everything
            /// What the tables have of some lineages, whose rows are made again from the history.
            case history
        }

        let name: String
        let scope: Scope
        let query: Statement

        /// Whose days it is given, as it says at its head.
        ///
        /// Nil: it adds up all.
        var figures: CheckedFigures? {
            SQL.heads[query.name]?["days of"]?.first.flatMap(CheckedFigures.init)
        }
    }

    static let checks: [Check] = SQL.Checks.all.compactMap { statement in
        let parts = statement.name.split(separator: "/").suffix(2)
        guard parts.count == 2, let scope = parts.first.flatMap({ Check.Scope(rawValue: String($0)) }),
            let file = parts.last
        else { return nil }
        return Check(name: String(file.prefix { $0 != "." }), scope: scope, query: statement)
    }.sorted { $0.name < $1.name }
}
