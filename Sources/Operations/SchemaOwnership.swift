// SPDX-License-Identifier: Apache-2.0

import Postgres
import Runs
import SQLCatalog

/// Whose the schema of a migrated database is, and what the session's role may do in it: its owner changes it, another one, which
/// was granted `subledger_night`, takes it as it is.
struct SchemaOwnership: Sendable {
    /// This role may change the schema.
    let isOwn: Bool
    let owner: String
    private let role: String
    private let database: String
    private let isGranted: Bool
    private let hasTemp: Bool

    /// Nil where the database was never migrated.
    static func find(on connection: PostgresConnection) async throws(PostgresError) -> SchemaOwnership? {
        guard let row = try await connection.query(SQL.Pipeline.findSchema).first else { return nil }
        return try SchemaOwnership(row)
    }

    private init(_ row: PostgresRow) throws(PostgresError) {
        isOwn = try row.bool("is_own")
        owner = try row.string("owner")
        role = try row.string("role")
        database = try row.string("database")
        isGranted = try row.bool("is_granted")
        hasTemp = try row.bool("has_temp")
    }

    /// Throws `PipelineError` `.ownerNeeded` where the role lacks a right that every writing job needs, sooner or later.
    func refuseStranger() throws(PipelineError) {
        try refuseUngranted()
        try refuseWithoutTemp()
    }

    /// The same of a role that may not write at all.
    func refuseUngranted() throws(PipelineError) {
        guard isOwn || isGranted else {
            throw PipelineError(
                .ownerNeeded,
                "role \(role) may not write in this database's schema, which belongs to \(owner): apply sql/roles/roles.sql as "
                    + "\(owner), and grant subledger_night to \(role)")
        }
    }

    /// The same of one that may make no tables of its session.
    func refuseWithoutTemp() throws(PipelineError) {
        guard hasTemp else {
            throw PipelineError(
                .ownerNeeded,
                "role \(role) may make no temporary tables, which every report needs: grant temporary on database \(database) to "
                    + "\(role)")
        }
    }

    /// Throws `PipelineError` `.ownerNeeded` where the schema is another's, and older than this program.
    func refuseChange() throws(PipelineError) {
        guard !isOwn else { return }
        throw PipelineError(
            .ownerNeeded,
            "this database's schema is older than this program, and belongs to \(owner), not to \(role): run subledger migrate as "
                + "\(owner), then this again: nothing was changed")
    }
}
