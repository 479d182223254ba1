// SPDX-License-Identifier: Apache-2.0

package import Logging
internal import Marts
package import Model
package import Postgres
internal import Runs
package import SQLCatalog

/// Brings the database's schema to what this program was built with: a new database is made from tables and functions, one of an
/// earlier release is led there by migrations, each once, checksums compared.
///
/// Functions and the reports' own files are applied again when their text changed (`ReportSchema`). One migrator at a time, in one
/// transaction (`SchemaChange`) that is tried again where others hold locks.
package struct Migrator: Sendable {
    /// An app as the configuration describes it.
    package struct App: Sendable {
        package let id: AppID
        package let store: StoreKind
        package let environment: PurchaseEnvironment
        package let defaultCountry: String?
        /// The owner also sells on billing of his own.
        package let hasOwnBilling: Bool
        /// Nil: it is not retired, or not yet.
        package let retiredOn: BusinessDate?
        /// Its name for people; nil: its id.
        package let title: String?

        package init(
            id: AppID, store: StoreKind, environment: PurchaseEnvironment, defaultCountry: String?,
            hasOwnBilling: Bool = false, retiredOn: BusinessDate? = nil, title: String? = nil
        ) {
            self.id = id
            self.store = store
            self.environment = environment
            self.defaultCountry = defaultCountry
            self.hasOwnBilling = hasOwnBilling
            self.retiredOn = retiredOn
            self.title = title
        }
    }

    private let connection: PostgresConnection
    private let logger: Logger
    private let patience: LockPatience
    private let texts: SchemaTexts

    package init(
        connection: PostgresConnection, logger: Logger, patience: LockPatience = LockPatience(),
        texts: SchemaTexts = .ofThisProgram
    ) {
        self.connection = connection
        self.logger = logger
        self.patience = patience
        self.texts = texts
    }

    /// Applies what is missing; returns the names of the files that were applied.
    ///
    /// Where it throws nothing was changed.
    ///
    /// Throws `PipelineError`: `.ownerNeeded` where the schema is another role's, and something is missing or this one may not write in
    /// it; `.unsuitableDatabase` where the database was never migrated and a schema of our names holds
    /// anything, `.schemaDiffers` where a commit between two releases made it or a newer program has migrated it, or something of
    /// others is in the way, `.alreadyRunning` where something is missing and a run is open, which goes on with the schema it began
    /// with, `.databaseBusy` where others lock for too long.
    package func migrate() async throws -> [String] {
        let change = SchemaChange(connection: connection, texts: texts, logger: logger)
        let wait = LockWait(connection: connection, patience: patience, logger: logger)
        var manner = ReportSchema.Manner.inPlace
        var isNew = try await SchemaOwnership.find(on: connection) == nil
        while true {
            do {
                let isVacuumed = try await wait.isForVacuum()
                return try await wait.watching { try await change.apply(in: manner, outlastingVacuum: isVacuumed) }
            } catch {
                // Of two that make the schema at once the second finds the first one's, in whatever statement that is.
                if isNew, try await SchemaOwnership.find(on: connection) != nil {
                    isNew = false
                    continue
                }
                guard let error = error as? PostgresError else { throw error }
                if let next = manner.next(after: error) {
                    manner = next
                } else if error.isOfLocks {
                    try await wait.pause()
                } else {
                    throw error
                }
            }
        }
    }

    /// What a writing job would meet in this database; nothing is changed.
    package func inspect() async throws -> SchemaInspection {
        try await SchemaInspection.read(texts, on: connection)
    }

    /// Synchronises the table of apps, the access rule and the reporting currency (ISO 4217; nil: unchanged)
    /// with the configuration.
    package func persist(
        _ apps: [App], access: AccessPolicy, reportingCurrency: String? = nil
    ) async throws(PostgresError) {
        try await connection.execute(
            SQL.Pipeline.persistApps,
            [
                .textArray(apps.map(\.id.rawValue)), .textArray(apps.map(\.store.rawValue)),
                .textArray(apps.map(\.environment.rawValue)), .textArray(apps.map(\.defaultCountry)),
                .textArray(apps.map { $0.retiredOn?.description }), .textArray(apps.map(\.title)),
            ])
        try await connection.execute(
            SQL.Pipeline.persistOwnBilling,
            [
                .textArray(apps.map(\.id.rawValue)),
                .textArray(apps.filter(\.hasOwnBilling).map(\.id.rawValue)),
            ])
        try await connection.execute(
            SQL.Pipeline.persistSettings, [.int(access.buffer.micros), .int(access.unreadLimit.micros)])
        guard let reportingCurrency else { return }
        try await connection.execute(SQL.Pipeline.persistReportingCurrency, [.text(reportingCurrency)])
    }
}
