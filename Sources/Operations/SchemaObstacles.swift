// SPDX-License-Identifier: Apache-2.0

import Postgres
import Rendering
import Runs
import SQLCatalog

/// What others have made that is in the way of a change of the schema.
///
/// It is looked for before anything is changed, and named; everything else of theirs is left alone.
struct SchemaObstacles: Sendable {
    let connection: PostgresConnection

    private var objects: SchemaObjects { SchemaObjects(connection: connection) }

    /// Throws `PipelineError` `.unsuitableDatabase` where a schema of a database that was never migrated holds anything.
    func refuseContents() async throws {
        let found = try await objects.all().map(\.identity)
        guard found.isEmpty else {
            throw PipelineError(
                .unsuitableDatabase,
                "this database was never migrated by subledger, and schemas of its names hold something: "
                    + "\(SchemaObjects.list(found)); give subledger a database in which the schemas subledger, marts and report "
                    + "are absent or empty: nothing was changed")
        }
    }

    /// Throws `PipelineError` `.unsuitableDatabase` where a schema that is there already belongs to a role of others.
    func refuseSchemasOfOthers() async throws {
        guard let row = try await connection.query(SQL.Pipeline.listSchemasOfOthers).first else { return }
        let (name, owner) = (try row.string("name"), try row.string("owner"))
        throw PipelineError(
            .unsuitableDatabase,
            "schema \(name) belongs to \(owner), which could replace whatever is made in it: drop it, or make it the schema of the role "
                + "in database.url (alter schema \(name) owner to …): nothing was changed")
    }

    /// Throws `PipelineError` `.schemaDiffers` where statements would call something of others in place of what is built in.
    func refuseShadows() async throws {
        let found = try await objects.identities(SQL.Pipeline.listShadows)
        guard found.isEmpty else {
            throw PipelineError(
                .schemaDiffers,
                "\(SchemaObjects.list(found)) is not subledger's and would be called in place of what PostgreSQL itself has under that "
                    + "name: rename it or move it to another schema, then run it again")
        }
    }

    /// Throws `PipelineError` `.schemaDiffers` where these files make something under a name that something of others
    /// has.
    ///
    /// The comments of functions name no parameters, so that a name is taken whatever its parameters are.
    func refuseTakenNames(_ files: [Statement]) async throws {
        let names = MadeNames(of: files)
        let taken = try await objects.ofOthers()
            .filter { ($0.isRoutine ? names.routines : names.relations).contains($0.name) }.map(\.identity)
        guard taken.isEmpty else {
            throw PipelineError(
                .schemaDiffers,
                "\(SchemaObjects.list(taken)) stands in the way of this version's schema and is not subledger's: rename it or move it "
                    + "to another schema, then run subledger migrate: nothing was changed")
        }
    }

    /// Throws `PipelineError` `.schemaDiffers` where others have built on views, tables or functions that are to be taken away and
    /// made in another form.
    func refuseDependents(of relations: [String], andFunctions isOfFunctions: Bool) async throws {
        let found = try await objects.identities(
            SQL.Pipeline.listDependents, [.textArray(relations), .bool(isOfFunctions)])
        guard found.isEmpty else {
            throw PipelineError(
                .schemaDiffers,
                "this version makes views or tables of its schemas in another form, and these of yours are built on them: "
                    + "\(SchemaObjects.list(found)); drop them, run subledger migrate, and create them again: nothing was changed"
            )
        }
    }
}
