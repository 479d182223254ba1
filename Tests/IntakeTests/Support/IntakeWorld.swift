// SPDX-License-Identifier: Apache-2.0

import Foundation
import Intake
import Logging
import Model
import Operations
import Postgres
import Runs
import TestSupport

@testable import subledger

/// An installation with an app of each kind.
///
/// Its stores are loopback servers; all else is what an owner would run.
struct IntakeWorld: Sendable {
    /// 2026-03-10T12:00:00Z.
    static let now = Instant(milliseconds: Apple.signed)

    let connection: PostgresConnection
    let database: PostgresConfiguration
    let desk: StoreDesk
    let configuration: Configuration
    private let logger: Logger

    private static let template = TestTemplate("intake_template") { connection in
        _ = try await Migrator(connection: connection, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            .migrate()
    }

    static func with(
        licenceKey: Bool = true, _ body: (IntakeWorld) async throws -> Void
    ) async throws {
        let desk = try StoreDesk()
        let configuration = try await withTemporaryDirectory { folder in
            try write(in: folder, asking: desk.url, licenceKey: licenceKey)
            return try ConfigurationFile.load(folder + "/subledger.yaml", environment: [:])
        }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await withTestDatabase(from: template) { connection, database in
            let today = BusinessDate(lastCompleteDayBefore: Self.now, in: .gmt)
            let migrator = Migrator(connection: connection, logger: logger)
            try await migrator.persist(configuration.apps.map { $0.row(on: today) }, access: configuration.access)
            try await body(
                IntakeWorld(
                    connection: connection, database: database, desk: desk, configuration: configuration, logger: logger
                ))
        }
    }

    /// Puts a purchase into the inbox, as the backend does.
    @discardableResult
    func handIn(
        _ app: String, _ kind: String, _ payload: String, signature: String? = nil, account: String? = "alice",
        product: String? = nil
    ) async throws -> Int64 {
        let insert = Statement(
            name: "hand in",
            text: """
                insert into subledger.purchase_inbox (app_id, kind, payload, signature, account_id, product_id)
                values ($1, $2, $3, $4, $5, $6) returning purchase_id
                """)
        let rows = try await connection.query(
            insert,
            [
                .text(app), .text(kind), .text(payload), PostgresValue(signature), PostgresValue(account),
                PostgresValue(product),
            ])
        guard let row = rows.first else { throw TestSupportError("the inbox took nothing") }
        return try row.int64("purchase_id")
    }

    /// Runs the job, for all apps or one, on a connection of its own.
    @discardableResult
    func intake(
        at now: Instant = now, app: String? = nil, roundSize: Int64 = 200, patience: Duration = .zero
    ) async throws -> IntakeSummary {
        let factory = StoreFactory(configuration, now: now, logger: logger)
        let apps = configuration.apps.filter { app == nil || $0.id.rawValue == app }.map(factory.app)
        var options = IntakeRun.Options(
            now: now, businessDate: BusinessDate(lastCompleteDayBefore: now, in: .gmt))
        options.roundSize = roundSize
        options.waiting.patience = patience
        let connection = try await PostgresConnection.connect(database, logger: logger)
        defer { Task { await connection.close() } }
        return try await IntakeRun(
            connection: connection, database: database, apps: apps, options: options, logger: logger
        ).run()
    }

    /// State and verdicts in the order of handing in: genuine, ours, new, current.
    func verdicts() async throws -> [String] {
        try await connection.lines(
            "select state, genuine, ours, is_new, is_current from subledger.purchase_inbox order by purchase_id")
    }

    func reasons() async throws -> [String] {
        try await connection.lines("select reason from subledger.purchase_inbox order by purchase_id")
    }

    func subscriptions() async throws -> [String] {
        try await connection.lines(
            """
            select store_key, account_id, product_id, environment, state,
                to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as expires
            from subledger.subscriptions order by store_key
            """)
    }

    func transactions() async throws -> [String] {
        try await connection.lines(
            """
            select transaction_id, product_id, environment, kind, price_micros, currency
            from subledger.transactions order by purchased_at, transaction_id
            """)
    }

    func entries() async throws -> [String] {
        try await connection.lines("select transaction_id, kind, amount_micros, currency from subledger.ledger_entries")
    }
}

extension IntakeWorld {
    private static func write(in folder: String, asking url: String, licenceKey: Bool) throws {
        let store = try SigningStore.shared.get()
        try secret(store.privateKey, folder + "/key.p8")
        try secret("shared-canary", folder + "/shared")
        try secret("client-canary", folder + "/client")
        try secret("refresh-canary", folder + "/refresh")
        try secret(try PlaySigner.shared.get().publicKey, folder + "/licence")
        try Data(store.root).write(to: URL(fileURLWithPath: folder + "/root.cer"))
        let receipts =
            "api: verify_receipt, shared_secret_file: shared, verify_receipt_url: '\(url)/verifyReceipt', "
            + "verify_receipt_sandbox_url: '\(url)/sandbox/verifyReceipt'"
        let play =
            "http: '1.1', base_url: '\(url)', requests_per_second: 1000, credentials: { client_id: c, "
            + "client_secret_file: client, refresh_token_file: refresh, token_url: '\(url)/token' }"
            + (licenceKey ? ", licence_key_file: licence" : "")
        let yaml = """
            clock: simulated
            apps:
              - { id: acme-ios, store: app_store, bundle_id: com.acme.app, app_apple_id: 1234567890, http: '1.1',
                  issuer_id: issuer, key_id: 2X9R4HXF34, private_key_file: key.p8, root_certificate_file: root.cer,
                  base_url: '\(url)', sandbox_base_url: '\(url)/sandbox', requests_per_second: 1000 }
              - { id: weekly, store: app_store, bundle_id: com.adapty.sample_app, http: '1.1', \(receipts) }
              - { id: example, store: app_store, bundle_id: jp.example.app, http: '1.1', \(receipts) }
              - { id: acme-android, store: google_play, package_name: com.acme.app, \(play) }
              - { id: example-android, store: google_play, package_name: jp.example.app, api: v1, \(play) }
            """
        try Data(yaml.utf8).write(to: URL(fileURLWithPath: folder + "/subledger.yaml"))
    }

    private static func secret(_ text: String, _ path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
}
