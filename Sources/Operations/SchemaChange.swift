// SPDX-License-Identifier: Apache-2.0

import Logging
import Marts
import Postgres
import Runs
import SQLCatalog

/// One attempt to bring the schema up to date: one transaction, which waits a second at most for the locks it needs and changes
/// only what subledger has made.
struct SchemaChange: Sendable {
    /// How long one attempt waits for locks in all.
    private static let lockBudgetMilliseconds: Int64 = 1_000

    let connection: PostgresConnection
    let texts: SchemaTexts
    let logger: Logger

    private var obstacles: SchemaObstacles { SchemaObstacles(connection: connection) }

    /// The names of the files that were applied.
    ///
    /// `outlastingVacuum`: it waits until a vacuum of the server's own gives way.
    func apply(in manner: ReportSchema.Manner, outlastingVacuum: Bool) async throws -> [String] {
        try await connection.withTransaction { connection in
            try await connection.execute(
                SQL.Pipeline.limitLockWaits, [.int(Self.lockBudgetMilliseconds), .bool(outlastingVacuum)])
            let outstanding = try await outstanding()
            guard !outstanding.isEmpty else { return [] }
            if outstanding.isOfNewDatabase {
                try await apply(outstanding, in: manner)
            } else {
                try await change(outstanding, in: manner)
            }
            try await SchemaObjects(connection: connection).record()
            for (name, text) in outstanding.remembered {
                try await connection.execute(SQL.Pipeline.recordSchemaFile, [.text(name), .text(text)])
            }
            try await grant()
            report(outstanding)
            return outstanding.names
        }
    }

    /// One line: a new schema has hundreds of files.
    private func report(_ applied: OutstandingSchema) {
        for name in applied.names { logger.debug("schema file applied", metadata: ["schema.file": "\(name)"]) }
        logger.info(
            applied.isOfNewDatabase ? "the schema was made" : "the schema was brought up to date",
            metadata: ["files": "\(applied.names.count)"])
    }

    private func outstanding() async throws -> OutstandingSchema {
        let reports = ReportSchema(connection: connection)
        guard let schema = try await SchemaOwnership.find(on: connection) else {
            try await begin()
            return try await OutstandingSchema.ofNewDatabase(texts, reports)
        }
        try schema.refuseStranger()
        try await connection.execute(schema.isOwn ? SQL.Pipeline.lockSchema : SQL.Pipeline.shareSchema)
        try await obstacles.refuseShadows()
        try await Schema.refuseNewer(on: connection, knowing: texts.migrations)
        let outstanding = try await OutstandingSchema.of(
            texts, reports, beyond: try await appliedFiles(), on: connection)
        guard !outstanding.isEmpty else { return outstanding }
        try schema.refuseChange()
        try await refuseDuringRuns()
        return outstanding
    }

    /// The first time, the schemas must be empty: what is in them is somebody else's.
    private func begin() async throws {
        try await obstacles.refuseContents()
        try await obstacles.refuseSchemasOfOthers()
        do throws(PostgresError) {
            try await connection.executeScript(SQL.Pipeline.createSchemas)
        } catch {
            guard error.sqlState == "42501" else { throw error }
            throw PipelineError(
                .unsuitableDatabase,
                "the role of database.url may make nothing in this database (\(error.message)): grant it create on the database, or "
                    + "make three empty schemas that belong to it, subledger, marts and report; or run subledger migrate as the role "
                    + "that is to own them, and grant this one subledger_night"
            )
        }
    }

    /// Locks come first, views before tables of migrations: what has to be waited for is waited for before anything is done.
    private func change(_ outstanding: OutstandingSchema, in manner: ReportSchema.Manner) async throws {
        try await obstacles.refuseTakenNames(outstanding.files)
        let taken = outstanding.reports.takenAway(in: manner)
        if !taken.isEmpty {
            try await obstacles.refuseDependents(of: taken, andFunctions: manner >= .functionsFirst)
        }
        let locked = (outstanding.functions.isEmpty ? [] : texts.views) + outstanding.reports.lockedRelations
        try await connection.execute(SQL.Pipeline.lockRelations, [.textArray(locked)])
        let grants = try await SchemaGrants(on: connection)
        try await apply(outstanding, in: manner)
        try await grants.restore(on: connection, logger: logger)
    }

    /// A statement of a migration waits for a lock no longer than the locks of the views have left of the budget.
    private func apply(_ outstanding: OutstandingSchema, in manner: ReportSchema.Manner) async throws {
        for file in outstanding.tables + outstanding.migrations + outstanding.functions {
            try await connection.executeScript(file)
        }
        try await record(outstanding)
        try await ReportSchema(connection: connection).apply(outstanding.reports, in: manner)
    }

    /// What the program brings: a new database has it from the beginning, another one from the run of this migrator on.
    private func record(_ outstanding: OutstandingSchema) async throws {
        guard !outstanding.facts.isEmpty else { return }
        let run = outstanding.isOfNewDatabase ? 0 : try await recordMigration()
        for facts in outstanding.facts { try await connection.execute(facts, [.int(run)]) }
    }

    private func recordMigration() async throws -> Int64 {
        let leader = Leader.current
        let rows = try await connection.query(
            SQL.Pipeline.recordMigration, [.text(leader.host), .int(leader.processID)])
        guard let row = rows.first else {
            throw PipelineError(.failed, "the run of this migrator could not be recorded")
        }
        return try row.int64("run_id")
    }

    private func appliedFiles() async throws(PostgresError) -> [String: String] {
        var applied: [String: String] = [:]
        for row in try await connection.query(SQL.Pipeline.appliedFiles) {
            applied[try row.string("path")] = try row.string("checksum")
        }
        return applied
    }

    private func refuseDuringRuns() async throws {
        guard let row = try await connection.query(SQL.Pipeline.listLivingRuns).first else { return }
        throw PipelineError(
            .alreadyRunning,
            "\(try PipelineError.openRun(row)), and goes on with the schema it began with; this version of subledger "
                + "changes the schema: run it again when that run is done")
    }

    /// Where the database is shared, the roles get their rights on what is new, too.
    private func grant() async throws(PostgresError) {
        let row = try await connection.query(SQL.Pipeline.areRolesGranted).first
        guard try row?.bool("are_granted") == true else { return }
        try await connection.executeScript(SQL.Roles.roles)
    }
}
