// SPDX-License-Identifier: Apache-2.0

import Logging
import Postgres
import Reports
import Runs
import SQLCatalog

/// One attempt to bring the schema up to date: one transaction, which waits a second at most for each lock and touches only
/// what subledger has made.
struct SchemaChange: Sendable {
    let connection: PostgresConnection
    let logger: Logger

    private var objects: SchemaObjects { SchemaObjects(connection: connection) }

    /// The names of the files that were applied.
    func apply(in manner: ReportSchema.Manner) async throws -> [String] {
        try await connection.withTransaction { connection in
            try await connection.execute(SQL.Pipeline.limitLockWaits)
            try await connection.execute(SQL.Pipeline.lockSchema)
            try await begin()
            let applied = try await appliedFiles()
            let migrations = try await outstandingMigrations(applied)
            let schema = ReportSchema(connection: connection)
            let reports = try await schema.outstanding(applied, anyMigration: !migrations.isEmpty)
            guard !reports.isEmpty else { return [] }
            if !applied.isEmpty { try await refuseDuringRuns() }
            try await objects.guardingThoseOfOthers {
                for file in migrations { try await connection.executeScript(file) }
                try await schema.apply(reports, in: manner)
            }
            let files = migrations.map { ($0.name, $0.text) } + reports.files
            for (name, text) in files { try await record(name, text) }
            try await grant()
            return files.map(\.0)
        }
    }

    /// What PostgreSQL refused, in the words of whoever has to mend it.
    func explain(_ error: PostgresError) async throws -> any Error {
        if error.sqlState == "2BP01" {
            let readers = try await objects.readersOfOurs()
            guard !readers.isEmpty else { return error }
            return PipelineError(
                .schemaDiffers,
                "this version makes views of its schemas in another form, and these views of yours read them: "
                    + "\(readers.joined(separator: ", ")); drop them, run subledger migrate, and create them again: nothing was "
                    + "changed")
        }
        guard let obstacle = try await objects.obstacle(namedIn: error.message) else { return error }
        return SchemaObjects.standsInTheWay([obstacle])
    }

    /// The first time, the schemas must be empty: what is in them is somebody else's.
    private func begin() async throws {
        let row = try await connection.query(SQL.Pipeline.hasSchemaFiles).first
        guard try row?.bool("is_there") != true else { return }
        let found = try await objects.all().map(\.identity)
        guard found.isEmpty else {
            throw PipelineError(
                .unsuitableDatabase,
                "this database was never migrated by subledger, and schemas of its names hold something: "
                    + "\(SchemaObjects.list(found)); give subledger a database in which the schemas subledger and report are "
                    + "absent or empty: nothing was changed")
        }
        try await connection.executeScript(SQL.Pipeline.createSchemaFiles)
        try await objects.recordNew(but: [])
    }

    private func appliedFiles() async throws(PostgresError) -> [String: String] {
        var applied: [String: String] = [:]
        for row in try await connection.query(SQL.Pipeline.appliedMigrations) {
            applied[try row.string("path")] = try row.string("checksum")
        }
        return applied
    }

    private func outstandingMigrations(_ applied: [String: String]) async throws -> [Statement] {
        let files = SQL.Migrations.all
        try await Schema.refuseNewer(on: connection)
        for (file, checksum) in zip(files, try await checksums(of: files)) {
            guard let known = applied[file.name], known != checksum else { continue }
            throw PipelineError(
                .schemaDiffers,
                "\(file.name) was applied to this database with another text; migrations never change once applied: "
                    + "use the version of subledger that made this database, or a newer one")
        }
        return files.filter { applied[$0.name] == nil }
    }

    private func checksums(of files: [Statement]) async throws(PostgresError) -> [String] {
        var checksums: [String] = []
        for row in try await connection.query(SQL.Pipeline.checksum, [.textArray(files.map(\.text))]) {
            checksums.append(try row.string("checksum"))
        }
        return checksums
    }

    private func refuseDuringRuns() async throws {
        guard let row = try await connection.query(SQL.Pipeline.listLivingRuns).first else { return }
        throw PipelineError(
            .alreadyRunning,
            "\(try PipelineError.openRun(row)), and goes on with the schema it began with; this version of subledger "
                + "changes the schema: run it again when that run is done")
    }

    private func record(_ name: String, _ text: String) async throws(PostgresError) {
        try await connection.execute(SQL.Pipeline.recordSchemaFile, [.text(name), .text(text)])
        logger.info("schema file applied", metadata: ["schema.file": "\(name)"])
    }

    /// Where the database is shared, the roles get their rights on what is new, too.
    private func grant() async throws(PostgresError) {
        let row = try await connection.query(SQL.Pipeline.areRolesGranted).first
        guard try row?.bool("are_granted") == true else { return }
        try await connection.executeScript(SQL.Roles.roles)
    }
}
