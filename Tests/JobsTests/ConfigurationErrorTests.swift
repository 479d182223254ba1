// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import subledger

/// Every way a configuration can be wrong, with the line its owner reads.
@Suite struct ConfigurationErrorTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Replaced in the good configuration, and with what.
        let change: (String, String)
        let lines: [String]

        init(_ what: String, _ old: String, _ new: String, _ lines: String...) {
            testDescription = what
            change = (old, new)
            self.lines = lines
        }
    }

    static let cases = [
        Case(
            "a mistyped key", "key_id: 2X9R4HXF34", "key_id: 2X9R4HXF34\n    privte_key_file: key.p8",
            "subledger.yaml:8: apps[0].privte_key_file is no known key; did you mean private_key_file?"),
        Case(
            "a mistyped section", "apps:", "grace_bufer: 1d\napps:",
            "subledger.yaml:1: grace_bufer is no known key; did you mean grace_buffer?"),
        Case(
            "a key nobody could have meant", "apps:", "colour: red\napps:",
            "subledger.yaml:1: colour is no known key"),
        Case(
            "the other store's key", "key_id: 2X9R4HXF34", "key_id: 2X9R4HXF34\n    package_name: com.acme",
            "subledger.yaml:8: apps[0].package_name is no key of app_store apps"),
        Case(
            "a missing id", "id: acme-ios\n    store", "store",
            "subledger.yaml:2: apps[0].id is missing"),
        Case(
            "an id with a space", "acme-ios", "acme ios",
            "subledger.yaml:2: apps[0].id must be a short name of letters, digits, '.', '_' and '-', not `acme ios`"),
        Case(
            "an unknown store", "app_store", "amazon",
            "subledger.yaml:3: apps[0].store must be app_store or google_play, not `amazon`"),
        Case(
            "an unknown environment", "bundle_id:", "environment: live\n    bundle_id:",
            "subledger.yaml:4: apps[0].environment must be production or sandbox, not `live`"),
        Case(
            "a mapping for a value", "com.acme.app", "{ a: b }",
            "subledger.yaml:4: apps[0].bundle_id must be a single value"),
        Case(
            "an empty value", " com.acme.app", "",
            "subledger.yaml:4: apps[0].bundle_id is empty"),
        Case(
            "a word for a number", "1234567890", "many",
            "subledger.yaml:5: apps[0].app_apple_id must be a whole number from 1 to 9223372036854775807, not `many`"),
        Case(
            "a production app without its number", "    app_apple_id: 1234567890\n", "",
            "subledger.yaml:2: apps[0].app_apple_id is missing: production answers are compared with it"),
        Case(
            "a key file that is not there", "key.p8", "nowhere.p8",
            "subledger.yaml:8: apps[0].private_key_file names nowhere.p8, which is not there"),
        Case(
            "a folder for a key file", "key.p8", "/etc",
            "subledger.yaml:8: apps[0].private_key_file names /etc, which is no file"),
        Case(
            "no root certificate", "    root_certificate_file: root.cer\n", "",
            "subledger.yaml:2: apps[0].root_certificate_file is missing: Apple's root certificate (AppleRootCA-G3.cer)"),
        Case(
            "a plain-http URL", "bundle_id:", "base_url: http://example.com\n    bundle_id:",
            "subledger.yaml:4: apps[0].base_url must begin with https:// (http:// only to a loopback host)"),
        Case(
            "an address of another interface", "    app_apple_id: 1234567890\n",
            "    api: verify_receipt\n    shared_secret_file: key.p8\n    base_url: https://example.com\n",
            "subledger.yaml:7: apps[0].base_url has no meaning with api: verify_receipt: name verify_receipt_url"),
        Case(
            "a URL with a user", "bundle_id:", "base_url: https://u:secret@example.com\n    bundle_id:",
            "subledger.yaml:4: apps[0].base_url must be a URL such as https://host:port, without user, query or fragment"
        ),
        Case(
            "a remote database without TLS verified", "apps:",
            "database: { url: postgresql://u:geheim@db.example/b }\napps:",
            "subledger.yaml:1: database.url must name a server on this machine or say sslmode=verify-full"),
        Case(
            "a remote standby without TLS verified", "apps:",
            "database: { url: postgresql://u@localhost/b, read_url: postgresql://u:geheim@db.example/b }\napps:",
            "subledger.yaml:1: database.read_url must name a server on this machine or say sslmode=verify-full"),
        Case(
            "a standby of no server", "apps:", "database: { read_url: postgresql://u:geheim@localhost/b }\napps:",
            "subledger.yaml:1: database.read_url needs a database.url: a private server has no standby"),
        Case(
            "an unencoded @ in the standby's password", "apps:",
            "database: { url: postgresql://u@localhost/b, read_url: 'postgresql://u:ge@heim@localhost/b' }\napps:",
            "subledger.yaml:1: database.read_url cannot be used: the database URL has an @ or a / more than its parts need; "
                + "in user, password and database write @ as %40 and / as %2F"),
        Case(
            "a wrong length of time", "apps:", "grace_buffer: 1 day\napps:",
            "subledger.yaml:1: grace_buffer must be a length of time such as 1d, 5h or 30m, not `1 day`"),
        Case(
            "a wrong percentage", "apps:", "nightly: { retry_budget: 110% }\napps:",
            "subledger.yaml:1: nightly.retry_budget must be a percentage from 0% to 100%, not `110%`"),
        Case(
            "an unknown time zone", "apps:", "reports: { time_zone: Mars }\napps:",
            "subledger.yaml:1: reports.time_zone must be UTC, store, or a time zone with a slash such as Asia/Tokyo, not `Mars`"
        ),
        Case(
            "an offset", "apps:", "reports: { time_zone: GMT+09:00 }\napps:",
            "subledger.yaml:1: reports.time_zone must be UTC, store, or a time zone with a slash such as Asia/Tokyo, "
                + "not `GMT+09:00`; Asia/Tokyo may be meant"),
        Case(
            "a currency that is none", "apps:", "reports: { currency: usd }\napps:",
            "subledger.yaml:1: reports.currency must be a currency of three capital letters (ISO 4217), not `usd`"),
        Case(
            "a country that is none", "bundle_id:", "default_country: Japan\n    bundle_id:",
            "subledger.yaml:4: apps[0].default_country must be a country of two letters of ISO 3166-1, such as US or JP, "
                + "not `Japan`"),
        Case(
            "a country by the name of its domain", "bundle_id:", "default_country: UK\n    bundle_id:",
            "subledger.yaml:4: apps[0].default_country must be a country of two letters of ISO 3166-1; the United Kingdom is GB, "
                + "not `UK`"),
        Case(
            "a rate of nothing", "bundle_id:", "requests_per_second: 0\n    bundle_id:",
            "subledger.yaml:4: apps[0].requests_per_second must be a number from 0.001 to 10000, not `0`"),
        Case(
            "a rate that nothing is done at", "key_id: 2X9R4HXF34",
            "key_id: 2X9R4HXF34\n    requests_per_second: 1e-300",
            "subledger.yaml:8: apps[0].requests_per_second must be a number from 0.001 to 10000, not `1e-300`"),
        Case(
            "a key that stands twice in JSON", "apps:",
            "reports: {\"currency\": \"EUR\", \"currency\": \"USD\"}\napps:",
            "subledger.yaml:1: the file is not valid YAML: currency stands twice in one mapping"),
        Case(
            "an unencoded @ in a password", "apps:",
            "database: { url: 'postgresql://etl:p@ss@localhost/billing' }\napps:",
            "subledger.yaml:1: database.url cannot be used: the database URL has an @ or a / more than its parts need; "
                + "in user, password and database write @ as %40 and / as %2F"),
        Case(
            "an HTTP version that is none", "bundle_id:", "http: 3\n    bundle_id:",
            "subledger.yaml:4: apps[0].http must be 2 or 1.1, not `3`"),
        Case(
            "a receipt app without its shared secret", "bundle_id:", "api: verify_receipt\n    bundle_id:",
            "subledger.yaml:2: apps[0].shared_secret_file is missing"),
        Case(
            "a list for a mapping", "apps:", "access: [1]\napps:",
            "subledger.yaml:1: access must be a mapping of keys to values"),
        Case(
            "two apps of one id", "apps:\n",
            "apps:\n  - { id: acme-ios, store: app_store, bundle_id: a, "
                + "app_apple_id: 1, issuer_id: i, key_id: k, private_key_file: key.p8, root_certificate_file: root.cer }\n",
            "subledger.yaml:3: apps: the id acme-ios stands twice"),
        Case(
            "YAML that is none", "apps:", "apps: [",
            "subledger.yaml:2: the file is not valid YAML: did not find expected node content"),
        Case(
            "a key that stands twice", "key_id: 2X9R4HXF34", "key_id: 2X9R4HXF34\n    key_id: other",
            "subledger.yaml:7: the file is not valid YAML: key_id stands twice in one mapping"),
        Case(
            "two mistakes, in the order of the file", "bundle_id: com.acme.app", "bundel_id: x\n    http: 9",
            "subledger.yaml:2: apps[0].bundle_id is missing",
            "subledger.yaml:4: apps[0].bundel_id is no known key; did you mean bundle_id?",
            "subledger.yaml:5: apps[0].http must be 2 or 1.1, not `9`"),
    ]

    @Test(arguments: cases)
    func `each mistake is named with its line`(_ mistake: Case) async throws {
        let yaml = ConfigurationFolder.good.replacing(mistake.change.0, with: mistake.change.1, maxReplacements: 1)
        #expect(yaml != ConfigurationFolder.good, "the case must change something")
        try await ConfigurationFolder.with(yaml) { folder in
            _ = #expect(throws: UsageError(lines: mistake.lines)) { try folder.load().get() }
        }
    }

    @Test func `a database password is repeated nowhere`() async throws {
        for url in ["postgresql://u:geheim@db.example/b", "postgresql://u:ge/heim@db.example:x/b", "u:geheim"] {
            try await ConfigurationFolder.with("database: { url: '\(url)' }\n" + ConfigurationFolder.good) { folder in
                guard case .failure(let error) = folder.load() else {
                    Issue.record("\(url) was taken")
                    return
                }
                #expect(!error.description.contains("heim"))
            }
        }
    }

    @Test func `a Google Play app is checked like any other`() async throws {
        let yaml = """
            apps:
              - id: acme-android
                store: google_play
                package_name: com.acme.app
                api: v3
                credentials:
                  service_account_file: play.json
                  client_id: x

            """
        try await ConfigurationFolder.with(yaml) { folder in
            try folder.write("{}", to: "play.json")
            let lines = [
                "subledger.yaml:5: apps[0].api must be v1 or v2, not `v3`",
                "subledger.yaml:8: apps[0].credentials.client_id cannot stand beside service_account_file",
            ]
            _ = #expect(throws: UsageError(lines: lines)) { try folder.load().get() }
        }
    }

    @Test func `no apps are no configuration`() async throws {
        for (yaml, line) in [
            ("data: ./data\n", "subledger.yaml:1: apps is missing: name at least one app"),
            ("", "subledger.yaml:1: apps is missing: name at least one app"),
            ("data: x\napps: []\n", "subledger.yaml:2: apps names no app"),
            ("- a\n", "subledger.yaml:1: the file must be a mapping of keys to values"),
        ] {
            try await ConfigurationFolder.with(yaml) { folder in
                _ = #expect(throws: UsageError(line)) { try folder.load().get() }
            }
        }
    }
}
