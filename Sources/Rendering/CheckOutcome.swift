// SPDX-License-Identifier: Apache-2.0

import Postgres

/// What one of `sql/checks/` found: no rows when the books agree.
package struct CheckOutcome: Sendable, Hashable {
    /// One place where two figures that should be equal are not.
    package struct Difference: Sendable, Hashable {
        package let subject: String
        package let expected: String
        package let found: String
    }

    /// The file's name without its extension, for example `churn_opening_closes`.
    package let name: String
    /// How many differences there are in all.
    package let rowCount: Int
    /// The first of them.
    package let differences: [Difference]

    package var passed: Bool { rowCount == 0 }
    /// The name as people read it.
    package var title: String { name.replacing("_", with: " ") }
}

extension CheckOutcome {
    init(name: String, rows: [PostgresRow]) throws(PostgresError) {
        var differences: [Difference] = []
        for row in rows {
            differences.append(
                Difference(
                    subject: try row.string("subject"), expected: try row.string("expected"),
                    found: try row.string("found")))
        }
        self.init(name: name, rowCount: try rows.first?.int("row_count") ?? 0, differences: differences)
    }
}
