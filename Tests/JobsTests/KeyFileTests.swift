// SPDX-License-Identifier: Apache-2.0

import Logging
import Model
import Runs
import Stores
import Testing

@testable import subledger

/// One app's bad key file stops that app, and a job reads only what its apps need.
@Suite struct KeyFileTests {
    private static let two =
        ConfigurationFolder.good.replacing("clock: simulated\n", with: "") + """
              - id: acme-old
                store: app_store
                api: verify_receipt
                bundle_id: com.acme.old
                shared_secret_file: secret
            clock: simulated

            """
    private static let missing = "subledger.yaml:14: apps[1].shared_secret_file names secret, which is not there"

    private static func name(_ lines: [String], in folder: ConfigurationFolder) -> [String] {
        lines.map { $0.replacing(folder.path + "/", with: "") }
    }

    private static func factory(_ configuration: Configuration) -> StoreFactory {
        StoreFactory(configuration, now: Instant(micros: 0), logger: Logger(label: "test"))
    }

    @Test func `a bad key file stops its app, and no other`() async throws {
        try await ConfigurationFolder.with(Self.two) { folder in
            let configuration = try folder.load().get()
            #expect(configuration.apps.map(\.files).first == .read)
            #expect(configuration.apps.map { Self.name($0.problems, in: folder) } == [[], [Self.missing]])
            let apps = try Self.factory(configuration).apps(configuration.apps)
            let refusals = apps.map(\.store.refusal)
            #expect(refusals.first == .some(nil))
            #expect(refusals.last??.kind == .credential && refusals.last??.mayPass == false)
        }
    }

    @Test func `where no app is left to ask, the configuration is refused`() async throws {
        try await ConfigurationFolder.with(Self.two) { folder in
            let configuration = try folder.load().get()
            do throws(UsageError) {
                _ = try Self.factory(configuration).apps(configuration.apps.filter { $0.id == AppID("acme-old") })
                Issue.record("an app without its key was asked")
            } catch {
                #expect(Self.name(error.lines, in: folder) == [Self.missing])
            }
        }
    }

    @Test func `the keys of apps that a job is not about are left alone`() async throws {
        try await ConfigurationFolder.with(Self.two) { folder in
            let named = try folder.load(reading: .ofApps(["acme-ios"])).get()
            #expect(named.apps.map(\.files) == [.read, .unread])
            try folder.setMode(0o644, of: "key.p8")
            for keys in [KeyFiles.none, .ofRecipients, .ofReports] {
                #expect(try folder.load(reading: keys).get().apps.map(\.files) == [.unread, .unread])
            }
        }
    }

    @Test func `what is wrong in the file itself is refused whatever the keys`() async throws {
        try await ConfigurationFolder.with(Self.two.replacing("com.acme.old", with: "")) { folder in
            let line = "subledger.yaml:13: apps[1].bundle_id is empty"
            #expect(throws: UsageError(lines: [line, Self.missing])) { try folder.load().get() }
            #expect(throws: UsageError(line)) { try folder.load(reading: .none).get() }
        }
    }
}
