// SPDX-License-Identifier: Apache-2.0

import Marts
import Postgres
import Runs
import SQLCatalog

/// What a writing job would meet in a database, found without changing anything.
package struct SchemaInspection: Sendable, Hashable {
    /// The role that the schema belongs to; nil where the database was never migrated.
    package var owner: String?
    /// The session's role may change the schema.
    package var isOwn = false
    /// The role may read and write in it, and what is in it is the program's.
    package var isUsable = false
    /// How many files of this program the schema lacks; of a new database all.
    package var outstanding = 0
    /// Why the job would refuse, and what to do; nil where it would not.
    package var obstacle: String?

    static func read(_ texts: SchemaTexts, on connection: PostgresConnection) async throws -> SchemaInspection {
        guard let schema = try await SchemaOwnership.find(on: connection) else {
            return try await ofNewDatabase(texts, on: connection)
        }
        var inspection = SchemaInspection(owner: schema.owner, isOwn: schema.isOwn)
        inspection.obstacle = try await Self.obstacle {
            try schema.refuseUngranted()
            try await SchemaObstacles(connection: connection).refuseShadows()
            try await Schema.refuseNewer(on: connection, knowing: texts.migrations)
            inspection.isUsable = true
            let outstanding = try await OutstandingSchema.of(
                texts, ReportSchema(connection: connection), beyond: try await appliedFiles(on: connection),
                on: connection)
            inspection.outstanding = outstanding.names.count
            if !outstanding.isEmpty { try schema.refuseChange() }
            try schema.refuseWithoutTemp()
        }
        return inspection
    }

    private static func ofNewDatabase(
        _ texts: SchemaTexts, on connection: PostgresConnection
    ) async throws -> SchemaInspection {
        let obstacle = try await obstacle {
            let obstacles = SchemaObstacles(connection: connection)
            try await obstacles.refuseContents()
            try await obstacles.refuseSchemasOfOthers()
        }
        return SchemaInspection(outstanding: texts.tables.count, obstacle: obstacle)
    }

    /// The sentence of a refusal; what fails otherwise is thrown.
    private static func obstacle(_ body: () async throws -> Void) async throws -> String? {
        do {
            try await body()
            return nil
        } catch let refusal as PipelineError {
            return refusal.message
        }
    }

    private static func appliedFiles(
        on connection: PostgresConnection
    ) async throws(PostgresError) -> [String: String] {
        var applied: [String: String] = [:]
        for row in try await connection.query(SQL.Pipeline.appliedFiles) {
            applied[try row.string("path")] = try row.string("checksum")
        }
        return applied
    }
}
