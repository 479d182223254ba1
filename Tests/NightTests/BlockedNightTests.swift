// SPDX-License-Identifier: Apache-2.0

import Foundation
import Postgres
import StoreSimulator
import TestSupport
import Testing

/// A night that somebody's session blocks: it says who, and does not wait for ever.
@Suite(.serialized, .hangLimit) struct BlockedNightTests {
    private static let apps: [SimulatorConfiguration.App] = [.server(id: "acme-ios", bundleID: "com.acme.app")]

    @Test func `a first build behind an idle analyst names the session, ends with 75, and is made when it has gone`()
        async throws
    {
        try await NightWorld.with(seed: 52, customersPerApp: 4, apps: Self.apps) { world in
            let text = try String(contentsOfFile: world.configuration, encoding: .utf8)
                .replacing("database:\n", with: "database:\n  watchdog: 1s\n")
            try text.write(toFile: world.configuration, atomically: true, encoding: .utf8)
            #expect(try await world.subledger("migrate").exitCode == 0)
            let analyst = try await world.connection.lines("select pg_backend_pid() as pid")[0]
            try await world.connection.script(
                "set application_name = 'metabase'; begin; select * from report.materialisation")
            let blocked = try await world.night(1, expecting: 75)
            for word in ["process \(analyst) ", "metabase", "idle in transaction", "on report.materialisation"] {
                #expect(blocked.standardError.contains(word), "\(word): \(blocked.standardError)")
            }
            #expect(!FileManager.default.fileExists(atPath: world.reports + "/latest"))
            try await world.connection.script("commit")
            try await world.night(1)
            #expect(FileManager.default.fileExists(atPath: world.reports + "/latest/manifest.json"))
        }
    }
}
