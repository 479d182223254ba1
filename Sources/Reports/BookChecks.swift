// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import SQLCatalog

/// The checks of `sql/checks`, over the reports that a session shows.
struct BookChecks {
    let session: SessionTables

    private var line: ReportLine {
        ReportLine(connection: session.connection, timeZone: session.request.timeZone)
    }

    /// What they find, by name; totals up to a day. The reports are read once for all of them, and so are the books.
    func run(on part: CheckedPart, through day: String) async throws(PostgresError) -> [CheckOutcome] {
        try await session.show(from: "-infinity", through: day)
        try await session.hold()
        try await touch(part)
        try await line.stage()
        var outcomes = try await outcomes(of: .rows, part)
        try await readBooks(of: part)
        outcomes += try await self.outcomes(of: .days, part)
        try await session.show(from: "-infinity", through: "infinity")
        outcomes += try await self.outcomes(of: .everything, part)
        try await makeAnew()
        outcomes += try await self.outcomes(of: .history, part)
        return outcomes.sorted { $0.name < $1.name }
    }

    /// The lineages whose rows are looked at.
    func touch(_ part: CheckedPart) async throws(PostgresError) {
        let request = session.request
        if let proven = part.provenSeal { try await line.touch(after: proven, through: request.seal) }
        try await line.touch(checkedOn: part.provenSeal == nil ? nil : request.businessDate.description)
    }

    /// What checks of totals compare the reports with.
    private func readBooks(of part: CheckedPart) async throws(PostgresError) {
        let (inputs, days) = (SQL.Reports.Books.self, Self.days(of: part))
        for script in [inputs.tables, inputs.knownTotals] { try await session.connection.executeScript(script) }
        try await session.connection.execute(inputs.bookedMoney, [days])
        try await session.connection.execute(inputs.periodSteps, [days])
    }

    /// The periods of the lineages whose turn it is, from the history.
    private func makeAnew() async throws(PostgresError) {
        try await line.touch(turnOf: session.request.businessDate.description)
        let periods = KeptTable.intermediates.filter { ["subscription_periods", "paid_periods"].contains($0.name) }
        try await line.make(asOf: session.request.seal, of: periods)
    }

    private func outcomes(
        of scope: ReportCatalog.Check.Scope, _ part: CheckedPart
    ) async throws(PostgresError) -> [CheckOutcome] {
        var outcomes: [CheckOutcome] = []
        for check in ReportCatalog.checks where check.scope == scope {
            let parameters = check.isOfDays ? [Self.days(of: part)] : []
            let rows = try await session.connection.query(check.query, parameters)
            outcomes.append(try CheckOutcome(name: check.name, rows: rows))
        }
        return outcomes
    }

    private static func days(of part: CheckedPart) -> PostgresValue {
        part.days.map { .textArray($0) } ?? .null
    }
}
