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

    /// A file of `sql/checks/`.
    struct Check {
        let name: String
        let query: Statement

        /// One that proves rows looks at the subscriptions it is given; the others prove the totals of a report.
        var provesRows: Bool { query.text.contains("$2::bigint[]") }

        /// `subscriptions`: nil for all. `timeZone`: that of the days of the report, so that the sums it keeps are proved.
        func parameters(seal: Int64, subscriptions: [Int64]?, timeZone: String) -> [PostgresValue] {
            if provesRows { return [.int(seal), subscriptions.map(PostgresValue.intArray) ?? .null] }
            return [.int(seal), .text(timeZone)]
        }
    }

    static let checks: [Check] = SQL.Checks.all.map { statement in
        let file = statement.name.split(separator: "/").last ?? ""
        return Check(name: String(file.prefix { $0 != "." }), query: statement)
    }
}
