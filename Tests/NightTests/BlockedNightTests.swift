// SPDX-License-Identifier: Apache-2.0

import Foundation
import Postgres
import SQLCatalog
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
                "set application_name = 'metabase'; begin; select * from marts.materialisation")
            let blocked = try await world.night(1, expecting: 75)
            for word in ["process \(analyst) ", "metabase", "idle in transaction", "on marts.materialisation"] {
                #expect(blocked.standardError.contains(word), "\(word): \(blocked.standardError)")
            }
            #expect(!FileManager.default.fileExists(atPath: world.reports + "/latest"))
            try await world.connection.script("commit")
            try await world.night(1)
            #expect(FileManager.default.fileExists(atPath: world.reports + "/latest/manifest.json"))
        }
    }

    /// The role of the night may see whose session it is, and not what that does.
    @Test func `a purchase that the backend registers and does not commit is named, and waits for no other night`()
        async throws
    {
        let cluster = TestCluster()
        try await NightWorld.onOwnServer(
            cluster, seed: 53, customersPerApp: 4, apps: Self.apps
        ) { world, administrator in
            let now = NightWorld.instant(of: 1)
            try await world.moveOn(to: now)
            try await administrator.executeScript(SQL.Roles.roles)
            try await administrator.script("create role shop login; grant subledger_backend to shop")
            let shop = try await PostgresConnection.connect(
                try await cluster.configuration().with(database: "billing").with(user: "shop"))
            let process = try await shop.lines("select pg_backend_pid() as pid")[0]
            let key = try await world.connection.lines("select min(store_key) from subledger.subscriptions")[0]
            try await shop.script("begin; select subledger.register('acme-ios', '\(key)')")
            try await world.with([("database:\n", "database:\n  watchdog: 1s\n")]) {
                let blocked = try await world.runAgain(at: now)
                #expect(blocked.exitCode == 75, "\(blocked.standardError)")
                let blocker = "process \(process) of the server (shop"
                #expect(blocked.standardError.contains(blocker), "\(blocked.standardError)")
            }
            try await shop.script("commit")
            await shop.close()
            let night = try await world.runAgain(at: now)
            #expect(night.exitCode == 0, "\(night.standardError)")
            #expect(try await world.backlog(of: "acme-ios", at: now) == NightWorld.Backlog(due: 0, neverAnswered: 0))
        }
    }
}
