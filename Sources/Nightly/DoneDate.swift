// SPDX-License-Identifier: Apache-2.0

package import Model
package import Postgres
internal import SQLCatalog

/// Whether a business date needs no further night: what a night that schedules start several times a morning asks first.
package struct DoneDate: Sendable {
    private let connection: PostgresConnection

    package init(connection: PostgresConnection) { self.connection = connection }

    /// True where a sealed night of that date finished every app, and not late, where no check of theirs is due because
    /// it failed, and what is to be reported is issued.
    ///
    /// Reads only.
    package func isDone(_ apps: [AppID], _ options: NightlyOptions) async throws(PostgresError) -> Bool {
        let rows = try await connection.query(
            SQL.Pipeline.isDateDone,
            [
                .textArray(apps.map(\.rawValue)), .date(options.businessDate.description),
                PostgresValue(options.now), .bool(options.reports),
            ])
        return try rows.first?.bool("is_done") ?? false
    }
}
