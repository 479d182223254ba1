// SPDX-License-Identifier: Apache-2.0

package import Logging
package import Model
package import Postgres
internal import Reports
internal import Runs
internal import SQLCatalog

/// Brings the database's schema to what this program was built with: forward only, each file once, checksums compared.
///
/// Migrations never change once applied. The reports' own files are applied anew when their text changed
/// (`ReportSchema`). One migrator at a time, in one transaction.
package struct Migrator: Sendable {
    /// An app as the configuration describes it.
    package struct App: Sendable {
        package let id: AppID
        package let store: StoreKind
        package let environment: PurchaseEnvironment
        package let defaultCountry: String?
        /// The owner also sells on billing of his own.
        package let hasOwnBilling: Bool

        package init(
            id: AppID, store: StoreKind, environment: PurchaseEnvironment, defaultCountry: String?,
            hasOwnBilling: Bool = false
        ) {
            self.id = id
            self.store = store
            self.environment = environment
            self.defaultCountry = defaultCountry
            self.hasOwnBilling = hasOwnBilling
        }
    }

    private let connection: PostgresConnection
    private let logger: Logger

    package init(connection: PostgresConnection, logger: Logger) {
        self.connection = connection
        self.logger = logger
    }

    /// Applies what is missing; returns the names of the files that were applied. Throws `PipelineError`: `.schemaDiffers`
    /// where an applied migration is not one that this program holds, `.alreadyRunning` where something is missing and a
    /// run is open, which goes on with the schema it began with.
    package func migrate() async throws -> [String] {
        try await connection.withTransaction { connection in
            try await connection.execute(SQL.Pipeline.lockSchema)
            try await connection.executeScript(SQL.Pipeline.createSchemaFiles)
            let applied = try await appliedFiles()
            let migrations = try await outstandingMigrations(applied)
            let schema = ReportSchema(connection: connection)
            let reports = try await schema.outstanding(applied, anyMigration: !migrations.isEmpty)
            if !applied.isEmpty, !reports.isEmpty { try await refuseDuringRuns() }
            for file in migrations {
                try await connection.executeScript(file)
                try await record(file.name, file.text)
            }
            try await schema.apply(reports)
            for file in reports.files { try await record(file.name, file.text) }
            if !reports.isEmpty { try await grant() }
            return migrations.map(\.name) + reports.files.map(\.name)
        }
    }

    /// Keeps the table of apps, the access rule and the reporting currency (ISO 4217; nil: as it stands) in step
    /// with the configuration.
    package func keep(
        _ apps: [App], access: AccessPolicy, reportingCurrency: String? = nil
    ) async throws(PostgresError) {
        try await connection.execute(
            SQL.Pipeline.keepApps,
            [
                .textArray(apps.map(\.id.rawValue)), .textArray(apps.map(\.store.rawValue)),
                .textArray(apps.map(\.environment.rawValue)), .textArray(apps.map(\.defaultCountry)),
            ])
        try await connection.execute(
            SQL.Pipeline.keepOwnBilling,
            [
                .textArray(apps.map(\.id.rawValue)),
                .textArray(apps.filter(\.hasOwnBilling).map(\.id.rawValue)),
            ])
        try await connection.execute(
            SQL.Pipeline.keepSettings, [.int(access.buffer.micros), .int(access.unreadLimit.micros)])
        guard let reportingCurrency else { return }
        try await connection.execute(SQL.Pipeline.keepReportingCurrency, [.text(reportingCurrency)])
    }

    /// What is made anew is nobody's but its owner's: where the database is shared, the roles get their rights again.
    private func grant() async throws(PostgresError) {
        let row = try await connection.query(SQL.Pipeline.areRolesGranted).first
        guard try row?.bool("are_granted") == true else { return }
        try await connection.executeScript(SQL.Roles.roles)
    }

    private func record(_ name: String, _ text: String) async throws(PostgresError) {
        try await connection.execute(SQL.Pipeline.recordSchemaFile, [.text(name), .text(text)])
        logger.info("schema file applied", metadata: ["schema.file": "\(name)"])
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

    private func refuseDuringRuns() async throws {
        guard let row = try await connection.query(SQL.Pipeline.listLivingRuns).first else { return }
        throw PipelineError(
            .alreadyRunning,
            "\(try PipelineError.openRun(row)), and goes on with the schema it began with; this version of subledger "
                + "changes the schema: run it again when that run is done")
    }

    private func checksums(of files: [Statement]) async throws(PostgresError) -> [String] {
        var checksums: [String] = []
        for row in try await connection.query(SQL.Pipeline.checksum, [.textArray(files.map(\.text))]) {
            checksums.append(try row.string("checksum"))
        }
        return checksums
    }
}
