// SPDX-License-Identifier: Apache-2.0

import Marts
import Model
import Postgres
import Rendering
import SQLCatalog

/// The checks of `sql/checks`, over the reports that a session shows.
struct BookChecks {
    /// The reports whose totals are compared with those of the books, days to come included.
    private static let ofAllDays = ["exclusions", "refunds", "revenue"]

    let session: SessionTables
    /// Of the report; a sample of the lineages is looked at that goes by it.
    let businessDate: BusinessDate

    private var line: RowPipeline {
        RowPipeline(connection: session.connection, timeZone: session.timeZone)
    }

    /// What they find, by name; totals up to a day.
    ///
    /// The reports are read once for all of them, and so are the books.
    func run(on extent: CheckExtent, through day: String) async throws(PostgresError) -> [CheckOutcome] {
        try await session.scopeSession(from: "-infinity", through: day)
        try await session.materialiseReports()
        try await gather(extent)
        var outcomes = try await outcomes(of: .rows, extent)
        try await readBooks(of: extent)
        outcomes += try await self.outcomes(of: .days, extent)
        try await session.materialiseDaysToCome(of: Self.ofAllDays)
        outcomes += try await self.outcomes(of: .everything, extent)
        if extent.provenSeal == nil {
            try await line.unmarkLineages()
            try await remakePeriods()
        }
        outcomes += try await self.outcomes(of: .history, extent)
        return outcomes.sorted { $0.name < $1.name }
    }

    /// The lineages whose rows are looked at, with these: what a night wrote and the sample of its date, or all.
    func gather(_ extent: CheckExtent) async throws(PostgresError) {
        guard let proven = extent.provenSeal else {
            try await line.markAllLineages()
            return try await line.stageRows([SQL.Reports.Staging.knownTransactions, SQL.Reports.Staging.knownEntries])
        }
        try await line.markLineages(writtenAfter: proven, through: session.seal)
        try await remakePeriods()
    }

    /// What checks of totals compare the reports with.
    private func readBooks(of extent: CheckExtent) async throws(PostgresError) {
        let inputs = SQL.Reports.Books.self
        for script in [inputs.tables, inputs.knownTotals] { try await session.connection.executeScript(script) }
        try await session.connection.execute(inputs.bookedMoney, [Self.days(of: extent, .money)])
        try await session.connection.execute(inputs.periodSteps, [Self.days(of: extent, .periods)])
    }

    /// Adds the sample of the date to the lineages at hand, and makes their periods from the history.
    private func remakePeriods() async throws(PostgresError) {
        try await line.markLineages(sampledOn: businessDate.description)
        let periods = ["subscription_periods", "paid_periods"]
        try await line.makeRows(of: MaterialisedTable.intermediates.filter { periods.contains($0.name) })
    }

    private func outcomes(
        of scope: ReportCatalog.Check.Scope, _ extent: CheckExtent
    ) async throws(PostgresError) -> [CheckOutcome] {
        var outcomes: [CheckOutcome] = []
        for check in ReportCatalog.checks where check.scope == scope {
            let parameters = check.figures.map { [Self.days(of: extent, $0)] } ?? []
            let rows = try await session.connection.query(check.query, parameters)
            outcomes.append(try CheckOutcome(name: check.name, rows: rows))
        }
        return outcomes
    }

    private static func days(of extent: CheckExtent, _ figures: CheckedFigures) -> PostgresValue {
        extent.days.map { .textArray($0[figures] ?? []) } ?? .null
    }
}
