// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import SQLCatalog

/// What the checks of an issue look at: rows by lineage, totals by day.
struct CheckedPart {
    /// The seal up to which the books are known to close; nil: all lineages are looked at. Else those that were written of since,
    /// and a thirtieth of the others.
    let provenSeal: Int64?
    /// `yyyy-mm-dd` of the report time zone; nil: all.
    let days: [String]?

    static let everything = CheckedPart(provenSeal: nil, days: nil)

    /// What was written since the books were last found to close, and a thirtieth of the rest; once in seven days, and where the
    /// books did not close, everything.
    static func next(
        _ request: ReportRequest, _ connection: PostgresConnection
    ) async throws(PostgresError) -> CheckedPart {
        let statements = SQL.Reports.Manifest.self
        let date = PostgresValue.date(request.businessDate.description)
        let proof = try await connection.query(statements.checkedThrough, [.int(request.seal), date])
        guard let proven = try proof.first?.optionalInt64("seal") else { return .everything }
        let days = try await connection.query(statements.daysToCheck, [.int(proven), date])
        return CheckedPart(provenSeal: proven, days: try days.first?.textArray("days").compactMap(\.self) ?? [])
    }
}
