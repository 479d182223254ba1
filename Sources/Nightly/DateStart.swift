// SPDX-License-Identifier: Apache-2.0

package import Model
package import Postgres
internal import SQLCatalog

/// When the nights of a business date began.
package enum DateStart {
    /// How long ago the first of them did, by the database's clock; nil where none did.
    package static func elapsed(
        since date: BusinessDate, on connection: PostgresConnection
    ) async throws(PostgresError) -> Span? {
        let rows = try await connection.query(SQL.Pipeline.findFirstStart, [.date(date.description)])
        return try rows.first?.optionalInt64("micros").map { Span(micros: $0) }
    }
}
