// SPDX-License-Identifier: Apache-2.0

import Postgres
import Rendering

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
