// SPDX-License-Identifier: Apache-2.0

package import Model
package import Postgres
internal import SQLCatalog

/// What a run did, counted from its rows.
extension RunLedger {
    private static let names = [
        "due", "checked", "discovered", "unread", "changed", "renewed", "ended", "refunded", "dead_letters",
    ]

    /// Due, checked, renewed, ended, refunded and so on, by name.
    package func figures(of run: Run) async throws(PostgresError) -> [String: Int64] {
        guard let row = try await database.query(SQL.Pipeline.runFigures, [.int(run.id)]).first else { return [:] }
        var figures: [String: Int64] = [:]
        for name in Self.names { figures[name] = try row.int64(name) }
        return figures
    }

    /// Fields and values of answers that this version does not know, by name.
    package func unknownValues(of run: Run) async throws(PostgresError) -> [String: Int64] {
        var counts: [String: Int64] = [:]
        for row in try await database.query(SQL.Pipeline.countUnknownValues, [.int(run.id)]) {
            counts[try row.string("name")] = try row.int64("times")
        }
        return counts
    }

    /// Records how much of an app a run had to look at.
    package func setDue(_ count: Int, of app: AppID, in run: Run) async throws(PostgresError) {
        try await database.execute(SQL.Pipeline.setDue, [.int(run.id), PostgresValue(app), PostgresValue(count)])
    }
}
