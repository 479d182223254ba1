// SPDX-License-Identifier: Apache-2.0

import AppStore
import Foundation
import HTTP
import Model
import Testing

@testable import subledger

/// What a right configuration says.
@Suite struct ConfigurationTests {
    @Test func `what is left out has its default`() async throws {
        try await ConfigurationFolder.with { folder in
            let configuration = try folder.load().get()
            guard case .privateCluster(let directory) = configuration.database else {
                Issue.record("no database is configured, so it must be the private one")
                return
            }
            #expect(directory == folder.path + "/data")
            #expect(configuration.access.buffer == .days(1))
            #expect(configuration.access.unreadLimit == .days(3))
            #expect(configuration.nightly.retryBudgetPercent == 10)
            #expect(configuration.reports.directory == folder.path + "/reports")
            #expect(configuration.reports.timeZone == .utc)
            #expect(configuration.archiveRetention == .days(90))
            let app = try #require(configuration.apps.first)
            #expect(app.environment == .production)
            #expect(app.httpVersion == .http2)
            #expect(app.requestsPerSecond == 40)
            #expect(app.maxInFlight == 64)
            #expect(!app.readsReceipts)
        }
    }

    @Test func `every key of an App Store app is read`() async throws {
        let more = """
                environment: sandbox
                api: server
                base_url: https://127.0.0.1:8443/
                shared_secret_file: secret
                requests_per_second: 12.5
                max_in_flight: 8
                default_country: JP
                http: 1.1
                ca_file: root.cer
            grace_buffer: 36h
            access: { unread_limit: 5d }
            nightly: { finish_within: 90m, retry_budget: 5% }
            reports: { directory: /var/reports, currency: JPY, time_zone: Asia/Tokyo, language: en }
            archive: { keep: 30d }
            secrets: { trusted_dirs: [] }
            database: { url: "postgresql://etl@db.internal/billing?sslmode=verify-full" }
            """
        let unclocked = ConfigurationFolder.good.replacing("clock: simulated\n", with: "")
        try await ConfigurationFolder.with(unclocked.trimmingCharacters(in: .newlines) + "\n" + more) { folder in
            try folder.write("geheim\n", to: "secret")
            let configuration = try folder.load().get()
            guard case .server = configuration.database, let app = configuration.apps.first,
                case .appStore(let settings) = app.store, case .server(let server) = settings.api
            else {
                Issue.record("another kind of database or app was read")
                return
            }
            #expect(app.environment == .sandbox)
            #expect(server.sandboxURL == "https://127.0.0.1:8443", "a sandbox app's base_url is the sandbox's")
            #expect(server.addresses.production == nil)
            #expect(settings.appAppleID == 1_234_567_890)
            #expect(app.requestsPerSecond == 12.5)
            #expect(app.maxInFlight == 8)
            #expect(app.defaultCountry == "JP")
            #expect(app.httpVersion == .http1)
            #expect(app.authorityFile == folder.path + "/root.cer")
            #expect(configuration.access.buffer == .hours(36))
            #expect(configuration.access.unreadLimit == .days(5))
            #expect(configuration.nightly.finishWithin == .minutes(90))
            #expect(configuration.nightly.retryBudgetPercent == 5)
            #expect(configuration.reports.directory == "/var/reports")
            #expect(configuration.reports.timeZone == ReportTimeZone(named: "Asia/Tokyo"))
            #expect(configuration.archiveRetention == .days(30))
        }
    }

    @Test func `a receipt app needs its bundle id and shared secret only`() async throws {
        let yaml = """
            apps:
              - id: acme-old
                store: app_store
                api: verify_receipt
                bundle_id: com.acme.old
                shared_secret_file: secret
                verify_receipt_url: https://127.0.0.1:8443/verifyReceipt

            """
        try await ConfigurationFolder.with(yaml) { folder in
            try folder.write("geheim\n", to: "secret")
            let app = try #require(folder.load().get().apps.first)
            guard case .appStore(let settings) = app.store, case .verifyReceipt(let receipts) = settings.api else {
                Issue.record("another kind of app was read")
                return
            }
            #expect(app.readsReceipts)
            #expect(receipts.sharedSecret.reveal() == "geheim", "without the line break at the file's end")
            #expect(receipts.productionURL == "https://127.0.0.1:8443/verifyReceipt")
            #expect("\(app)".contains("geheim") == false)
        }
    }

    @Test func `a key that others can read is refused, unless its folder is trusted`() async throws {
        try await ConfigurationFolder.with { folder in
            for mode in [0o640, 0o604, 0o660, 0o644] {
                try folder.setMode(mode, of: "key.p8")
                let line =
                    "subledger.yaml:8: apps[0].private_key_file names key.p8, which can be read by others "
                    + "(mode \(String(mode, radix: 8))); run chmod 600 on it"
                #expect(throws: UsageError(line)) { try folder.load().get() }
            }
            for mode in [0o600, 0o400] {
                try folder.setMode(mode, of: "key.p8")
                _ = try folder.load().get()
            }
            try folder.setMode(0o644, of: "key.p8")
            _ = try folder.load(environment: ["CREDENTIALS_DIRECTORY": folder.path]).get()
            #expect(throws: UsageError.self) {
                try folder.load(environment: ["CREDENTIALS_DIRECTORY": folder.path + "/key"]).get()
            }
            try folder.write(
                "secrets: { trusted_dirs: [.] }\n" + ConfigurationFolder.good, to: "subledger.yaml")
            _ = try folder.load().get()
        }
    }

    @Test func `a file that is no key or no certificate is refused before a night begins`() async throws {
        try await ConfigurationFolder.with { folder in
            try folder.write("no key", to: "key.p8")
            try folder.write("no certificate", to: "root.cer")
            guard case .failure(let error) = folder.load() else {
                Issue.record("rubbish was taken for a key")
                return
            }
            #expect(error.lines.count == 2)
            #expect(
                error.lines[0].hasPrefix(
                    "subledger.yaml:8: apps[0].private_key_file names a file that is no App Store key"))
            #expect(
                error.lines[1].hasPrefix(
                    "subledger.yaml:9: apps[0].root_certificate_file names a file that is no certificate"))
        }
    }

    @Test func `a simulated clock has the time that its file says, and no real clock has a file`() async throws {
        try await ConfigurationFolder.with(ConfigurationFolder.good + "clock_file: clock\n") { folder in
            let line = "subledger.yaml:11: clock_file names "
            #expect(throws: UsageError(line + "clock, which is not there")) { try folder.load().get() }
            try folder.write("2026-03-01T02:15:00Z\n", to: "clock")
            for keys in [KeyFiles.ofStores, .ofRecipients, .none] {
                #expect(
                    try folder.load(reading: keys).get().simulatedNow == Instant(iso8601: "2026-03-01T02:15:00Z"))
            }
            try folder.write("1 March\n", to: "clock")
            #expect(
                throws: UsageError(line + "a file that does not hold an instant such as 2026-03-01T02:15:00Z")
            ) { try folder.load().get() }
        }
        let real = ConfigurationFolder.good.replacing("clock: simulated", with: "clock_file: clock")
        try await ConfigurationFolder.with(real) { folder in
            try folder.write("2026-03-01T02:15:00Z\n", to: "clock")
            #expect(throws: UsageError("subledger.yaml:10: clock_file is only for trials: it needs clock: simulated")) {
                try folder.load().get()
            }
        }
    }

    @Test func `a simulated clock may have short leases, and no real clock has`() async throws {
        #expect(try await Self.leaseSeconds(ConfigurationFolder.good) == 60)
        #expect(try await Self.leaseSeconds(ConfigurationFolder.good + "lease: 3s\n") == 3)
        await #expect(throws: UsageError("subledger.yaml:11: lease must be from 1s to 60s")) {
            _ = try await Self.leaseSeconds(ConfigurationFolder.good + "lease: 61s\n")
        }
        let real = ConfigurationFolder.good.replacing("clock: simulated", with: "lease: 3s")
        await #expect(throws: UsageError("subledger.yaml:10: lease is only for trials: it needs clock: simulated")) {
            _ = try await Self.leaseSeconds(real)
        }
    }

    private static func leaseSeconds(_ text: String) async throws -> Int64 {
        try await ConfigurationFolder.with(text) { try $0.load().get().leaseSeconds }
    }

    @Test func `the configuration comes from the option, else the environment, else the folder`() {
        #expect(ConfigurationFile.path(option: "a.yaml", environment: ["SUBLEDGER_CONFIG": "b.yaml"]) == "a.yaml")
        #expect(ConfigurationFile.path(option: nil, environment: ["SUBLEDGER_CONFIG": "b.yaml"]) == "b.yaml")
        #expect(ConfigurationFile.path(option: nil, environment: ["SUBLEDGER_CONFIG": ""]) == "subledger.yaml")
        #expect(ConfigurationFile.path(option: nil, environment: [:]) == "subledger.yaml")
    }

    @Test(arguments: [
        ("1d", Span.days(1)), ("90d", .days(90)), ("5h", .hours(5)), ("30m", .minutes(30)), ("10s", .seconds(10)),
    ])
    func `lengths of time are read`(_ text: String, _ span: Span) {
        #expect(SpanText.parse(text) == span)
    }

    @Test(arguments: ["", "d", "0d", "-1d", "+1d", "1", "1w", "1.5h", " 1d", "1 d", "9999999999999999999d", "40000d"])
    func `what is no length of time is refused`(_ text: String) {
        #expect(SpanText.parse(text) == nil)
    }
}
