// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Model
import Notifications
import Operations
import Postgres
import Runs
import Stores
import TestSupport

@testable import subledger

/// An installation with three apps, stores on loopback that answer as a test says, and a real database.
final class NotificationWorld: Sendable {
    typealias Answer = @Sendable (LoopbackServer.Request) -> LoopbackServer.Answer?

    /// 2026-03-10T12:00:00Z, the logical now of a first run.
    static let now = Instant(micros: 1_773_144_000_000_000)
    /// The shared secret of `acme-ios`; the sample's own is that of `acme-receipts`.
    static let secret = "shared-secret-canary"

    let connection: PostgresConnection
    let database: PostgresConfiguration
    let directory: String
    let server: LoopbackServer

    private init(
        _ connection: PostgresConnection, _ database: PostgresConfiguration, _ directory: String,
        _ server: LoopbackServer
    ) {
        (self.connection, self.database, self.directory, self.server) = (connection, database, directory, server)
    }

    private static let template = TestTemplate("notification_template") { connection in
        _ = try await Migrator(connection: connection, logger: silence).migrate()
    }

    /// Makes it, migrated; everything is gone afterwards.
    ///
    /// What the answer leaves out, a store without events says.
    static func with(_ answer: @escaping Answer = { _ in nil }, _ body: (NotificationWorld) async throws -> Void)
        async throws
    {
        try await withTemporaryDirectory { directory in
            try await withTestDatabase(from: template) { connection, database in
                let server = try LoopbackServer { request, _ in answer(request) ?? Self.nothingNew(request) }
                let world = NotificationWorld(connection, database, directory, server)
                try await world.configure()
                let configuration = try world.configuration()
                let today = BusinessDate(lastCompleteDayBefore: Self.now, in: .gmt)
                let migrator = Migrator(connection: connection, logger: Self.silence)
                try await migrator.persist(configuration.apps.map { $0.row(on: today) }, access: configuration.access)
                try await body(world)
            }
        }
    }

    static let silence = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    var file: String { directory + "/subledger.yaml" }

    func configuration() throws -> Configuration { try ConfigurationFile.load(file, environment: [:]) }

    /// Puts a notification in, as the owner's webhook would.
    @discardableResult
    func insert(_ payload: String, _ source: NotificationSource, app: String = "acme-ios") async throws -> Int64 {
        let insert = Statement(
            name: "webhook",
            text:
                "insert into notification_inbox (app_id, source, payload) values ($1, $2, $3) returning notification_id"
        )
        let rows = try await connection.query(insert, [.text(app), .text(source.rawValue), .text(payload)])
        return try rows.first?.int64("notification_id") ?? 0
    }

    /// One run of the job.
    @discardableResult
    func run(
        _ names: String..., now: Instant = now, pulls: Bool = false, logger: Logger = silence
    ) async throws -> NotificationJob.Summary {
        let configuration = try configuration()
        let factory = StoreFactory(configuration, now: now, logger: logger)
        let apps = configuration.apps.filter { names.isEmpty || names.contains($0.id.rawValue) }
            .map(factory.app)
        return try await NotificationJob(sessions: DatabaseSessions(database, logger: logger), logger: logger).run(
            apps, now: now, businessDate: BusinessDate(lastCompleteDayBefore: now, in: .gmt), pulls: pulls)
    }

    /// Runs the program as a person would.
    func subledger(_ arguments: String...) async throws -> CommandLineRun.Result {
        try await CommandLineRun(product: "subledger", arguments: arguments + ["--config", file]).run()
    }

    /// A subscription that ended a while ago: closed, never to be asked again.
    func closed(_ storeKey: String, app: String = "acme-ios") async throws {
        try await connection.script(
            """
            select subledger.record_registration('\(app)', '\(storeKey)');
            update subledger.subscriptions set
                state = 'expired', end_reason = 'voluntary', ended_at = '2025-06-01T00:00:00Z',
                last_checked_at = '2025-06-02T00:00:00Z', next_check_at = null, next_check_reason = 'never'
            where store_key = '\(storeKey)'
            """)
    }

    /// `state|type|the reason's first words` of the inbox, sorted.
    func verdicts() async throws -> [String] {
        try await connection.lines(
            "select state, notification_type, split_part(reason, ':', 1) from notification_inbox"
        ).sorted()
    }

    /// The app holds this transaction of a subscription.
    func know(transaction: String, of storeKey: String, app: String) async throws {
        try await connection.script(
            """
            insert into subledger.transactions (
                subscription_key, transaction_id, product_id, lineage_key, app_id, store, environment, period_key, kind,
                ownership, purchased_at, period_start, period_end, price_source, source_version, recorded_run_id,
                changed_run_id)
            select subscription_key, '\(transaction)', 'gold', subscription_key, '\(app)', store, 'production',
                '\(transaction)', 'renewal', 'purchased', '2025-05-01', '2025-05-01', '2025-06-01', 'missing',
                '2025-06-02', 1, 1
            from subledger.subscriptions where store_key = '\(storeKey)'
            """)
    }

    /// `store key|state|next check|why` of every subscription.
    func subscriptions() async throws -> [String] {
        try await connection.lines(
            """
            select store_key, state, next_check_at, next_check_reason from subledger.subscriptions
            order by store_key collate "C"
            """)
    }

    /// Nothing is ever booked by a notification.
    func bookedRows() async throws -> [String] {
        try await connection.lines(
            """
            select (select count(*) from subledger.transactions) as t, (select count(*) from subledger.ledger_entries) as l,
                (select count(*) from subledger.state_changes) as c
            """)
    }

    private static func nothingNew(_ request: LoopbackServer.Request) -> LoopbackServer.Answer {
        if request.path.hasPrefix("/inApps/v1/notifications/history") {
            return .init(200, #"{"hasMore":false,"notificationHistory":[]}"#)
        }
        if request.path == "/token" { return .init(200, #"{"access_token":"access-canary","expires_in":3600}"#) }
        if request.path.hasPrefix("/v1/projects/") { return .init(200, "{}") }
        return .init(404, #"{"errorCode":4040010,"errorMessage":"Transaction id not found."}"#)
    }
}

extension NotificationWorld {
    private func configure() async throws {
        let store = try SigningStore.shared.get()
        try write(store.privateKey, to: "key.p8")
        try Data(store.root).write(to: URL(fileURLWithPath: directory + "/root.cer"))
        try write(Self.secret, to: "secret")
        try write("f4d35830e3...52aae", to: "sample-secret")
        try write(try ServiceAccountFile.json(tokenURL: server.url + "/token"), to: "play.json")
        try Data(try await yaml().utf8).write(to: URL(fileURLWithPath: file))
    }

    private func write(_ text: String, to name: String) throws {
        let path = directory + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    private func databaseURL() async throws -> String {
        let place =
            try await connection.lines(
                "select current_setting('unix_socket_directories') as s, current_setting('port') as p, "
                    + "current_database() as d, current_user as u"
            ).first?.split(separator: "|").map(String.init) ?? []
        guard place.count == 4 else { throw TestSupportError("the test database does not say where it is") }
        let socket = place[0].addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return "postgresql://\(place[3])@/\(place[2])?host=\(socket)&port=\(place[1])"
    }

    private func yaml() async throws -> String {
        """
        database:
          url: \(try await databaseURL())
        data: \(directory)/data
        clock: simulated
        reports: { directory: \(directory)/reports, currency: USD, time_zone: UTC, language: en }
        apps:
          - id: acme-ios
            store: app_store
            bundle_id: com.acme.app
            app_apple_id: 1234567890
            issuer_id: 57246542-96fe-1a63-e053-0824d011072a
            key_id: 2X9R4HXF34
            private_key_file: key.p8
            root_certificate_file: root.cer
            shared_secret_file: secret
            base_url: \(server.url)
            sandbox_base_url: \(server.url)/sandbox
            http: 1.1
            requests_per_second: 1000
          - id: acme-receipts
            store: app_store
            api: verify_receipt
            bundle_id: com.adapty.sample_app
            shared_secret_file: sample-secret
            verify_receipt_url: \(server.url)/verifyReceipt
            verify_receipt_sandbox_url: \(server.url)/sandbox/verifyReceipt
          - id: acme-android
            store: google_play
            package_name: com.acme.app
            base_url: \(server.url)
            pubsub_subscription: projects/acme/subscriptions/play
            pubsub_url: \(server.url)
            http: 1.1
            credentials:
              service_account_file: play.json
              token_url: \(server.url)/token

        """
    }
}

/// A service account's key file, with a key of its own that `openssl` made.
enum ServiceAccountFile {
    private static let key = Result { () throws -> String in
        String(
            decoding: try OpenSSLCommand().run("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"),
            as: UTF8.self)
    }

    static func json(tokenURL: String) throws -> String {
        let file = [
            "type": "service_account", "client_email": "play@acme.example", "private_key_id": "1",
            "private_key": try key.get(), "token_uri": tokenURL,
        ]
        return String(decoding: try JSONSerialization.data(withJSONObject: file), as: UTF8.self)
    }
}
