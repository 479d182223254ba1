// SPDX-License-Identifier: Apache-2.0

package import Postgres
internal import SQLCatalog

/// The schema of a database, beside the one that this program was built with.
package enum Schema {
    /// Keeps migrators out for the rest of a transaction, and throws as `refuseNewer` does.
    package static func share(on connection: PostgresConnection) async throws {
        try await connection.execute(SQL.Pipeline.shareSchema)
        try await refuseNewer(on: connection)
    }

    /// Throws `PipelineError` `.schemaDiffers` where a newer program has migrated the database.
    ///
    /// `migrations`: those that this one knows.
    package static func refuseNewer(
        on connection: PostgresConnection, knowing migrations: [Statement] = SchemaTexts.ofThisProgram.migrations
    ) async throws {
        let known = PostgresValue.textArray(migrations.map(\.name))
        guard let row = try await connection.query(SQL.Pipeline.listUnknownMigrations, [known]).first else { return }
        throw PipelineError(
            .schemaDiffers,
            "this database holds \(try row.string("path")), which this version of subledger does not know: a newer one "
                + "has migrated it; use that one, this one leaves it alone")
    }
}
