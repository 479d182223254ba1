// SPDX-License-Identifier: Apache-2.0

import Model
import Operations
import TestSupport
import Testing

@testable import subledger

/// What a Google Play app's configuration says beyond its credentials, and which message its owner gets.
@Suite struct PlayConfigurationTests {
    private static func yaml(_ lines: String...) -> String {
        """
        apps:
          - id: acme-android
            store: google_play
            package_name: com.acme.app
            credentials: { client_id: c, client_secret_file: secret, refresh_token_file: token }

        """ + lines.map { "    \($0)\n" }.joined() + "clock: simulated\n"
    }

    private static func load(_ yaml: String) async throws -> Configuration {
        try await ConfigurationFolder.with(yaml) { folder in
            try folder.write("s", to: "secret")
            try folder.write("t", to: "token")
            return try folder.load().get()
        }
    }

    @Test
    func `only an app that reads through the older interface gets a warning of when Google shuts it down`() async throws
    {
        for (api, isReported) in [("v1", true), ("v2", false)] {
            let (log, configuration) = (RecordedLog(), try await Self.load(Self.yaml("api: \(api)")))
            let factory = StoreFactory(
                configuration, now: Instant(micros: 1_773_108_900_000_000), logger: log.logger)
            _ = factory.app(try #require(configuration.apps.first))
            let warnings = log.lines.filter { $0.hasPrefix("warning") }
            #expect(warnings.contains { $0.contains("2027-08-31") && $0.contains("api: v2") } == isReported)
            #expect(warnings.allSatisfy { $0.contains("acme-android") })
        }
    }

    @Test func `own_billing is read, and false where it is left out`() async throws {
        let day = try #require(BusinessDate("2026-03-01"))
        for (lines, isOwn) in [(["own_billing: true"], true), (["own_billing: false"], false), ([], false)] {
            let configuration = try await Self.load(lines.first.map { Self.yaml($0) } ?? Self.yaml())
            #expect(configuration.apps.map(\.hasOwnBilling) == [isOwn])
            #expect(configuration.apps.map { $0.row(on: day).hasOwnBilling } == [isOwn])
        }
    }
}
