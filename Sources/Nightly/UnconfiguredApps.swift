// SPDX-License-Identifier: Apache-2.0

package import Logging
package import Model
package import Postgres
internal import SQLCatalog

/// Apps that the database follows and the configuration no longer names: nothing is asked about them, and nothing else says so.
package enum UnconfiguredApps {
    /// Warns of each whose subscriptions would be checked.
    ///
    /// `configured`: every app of the configuration, those that are retired included.
    package static func warn(
        besides configured: [AppID], on connection: PostgresConnection, _ logger: Logger
    ) async throws(PostgresError) {
        let rows = try await connection.query(
            SQL.Pipeline.listUnconfiguredApps, [.textArray(configured.map(\.rawValue))])
        for row in rows {
            let (app, subscriptions) = (try row.string("app_id"), try row.int64("subscriptions"))
            logger.warning(
                """
                \(subscriptions) followed subscriptions belong to app \(app), which the configuration does not name: nothing is asked about \
                them. Name it again, with `retired: DATE` where it is over; an app's id cannot be changed
                """, metadata: ["app": "\(app)"])
        }
    }
}
