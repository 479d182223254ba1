// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import Rendering
import SQLCatalog

/// What totals of days are about: a renewal moves money on one day, and periods on others.
enum CheckedFigures: String, CaseIterable {
    case money, periods

    fileprivate var column: String {
        switch self {
        case .money: "money_days"
        case .periods: "period_days"
        }
    }
}

/// What the checks of an issue look at: rows by lineage, totals by day.
struct CheckExtent {
    /// The seal up to which the books are known to close; nil: all lineages are looked at.
    ///
    /// Else those that were written of since, and a sample of the others.
    let provenSeal: Int64?
    /// Days of the report time zone, `yyyy-mm-dd`: whose money and whose periods are looked at; nil: all.
    let days: [CheckedFigures: [String]]?

    static let everything = CheckExtent(provenSeal: nil, days: nil)

    /// What was written since the books were last found to close, and a sample of the rest; once in seven days, and where the
    /// books did not close, everything.
    static func next(
        _ request: ReportRequest, _ connection: PostgresConnection
    ) async throws(PostgresError) -> CheckExtent {
        let statements = SQL.Reports.Manifest.self
        let date = PostgresValue.date(request.businessDate.description)
        let proof = try await connection.query(statements.checkedThrough, [.int(request.seal), date])
        guard let proven = try proof.first?.optionalInt64("seal") else { return .everything }
        let row = try await connection.query(statements.daysToCheck, [.int(proven), date]).first
        var days: [CheckedFigures: [String]] = [:]
        for figures in CheckedFigures.allCases {
            days[figures] = try row?.textArray(figures.column).compactMap(\.self) ?? []
        }
        return CheckExtent(provenSeal: proven, days: days)
    }
}
