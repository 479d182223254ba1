// SPDX-License-Identifier: Apache-2.0

import Postgres
import SQLCatalog

/// What reports and checks there are: the folders and files of `sql/`. Adding one needs no Swift.
enum ReportCatalog {
    /// A folder of `sql/reports/` with a `query.sql`, which gives the rows of a CSV file.
    struct Report {
        let name: String
        let query: Statement

        var fileName: String { name + ".csv" }
    }

    static let reports: [Report] = SQL.Reports.all.compactMap { statement in
        let parts = statement.name.split(separator: "/")
        guard parts.count == 3, parts[2] == "query.sql", let name = parts.dropFirst().first else { return nil }
        return Report(name: String(name), query: statement)
    }

    static let checks: [(name: String, query: Statement)] = SQL.Checks.all.map { statement in
        let file = statement.name.split(separator: "/").last ?? ""
        return (String(file.prefix { $0 != "." }), statement)
    }
}
