// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import PrivateServer
import StoreSimulator
import TestSupport
import Testing

/// Nights of the built program whose PostgreSQL is down: it is waited for, and only so long.
@Suite(.serialized, .hangLimit) struct DatabaseOutageTests {
    private static let apps: [SimulatorConfiguration.App] = [.server(id: "acme-ios", bundleID: "com.acme.app")]

    /// A world whose database is a server of its own, which the test may stop.
    private static func with(
        retryFor span: String, _ body: (NightWorld, PrivateCluster, PostgresConfiguration) async throws -> Void
    ) async throws {
        try await NightWorld.with(seed: 51, customersPerApp: 12, apps: apps) { world in
            var places = PrivateCluster.Places()
            places.stateDirectory = world.directory + "/state"
            let cluster = PrivateCluster(
                directory: world.directory + "/server", durability: .ephemeral, places: places)
            let result: Result<Void, any Error>
            do {
                let server = try await cluster.start()
                let text = try String(contentsOfFile: world.configuration, encoding: .utf8)
                    .replacing(
                        /url: postgresql:.*\n/, with: "url: '\(server)'\n  retry_for: \(span)\n", maxReplacements: 1)
                try text.write(toFile: world.configuration, atomically: true, encoding: .utf8)
                result = .success(try await body(world, cluster, server))
            } catch {
                result = .failure(error)
            }
            try await cluster.stop()
            try result.get()
        }
    }

    @Test func `a night whose PostgreSQL is down begins when it is back, and asks everything`() async throws {
        try await Self.with(retryFor: "5m") { world, cluster, server in
            let now = NightWorld.instant(of: 1)
            world.stores.setClock(now.micros)
            try await world.register(from: .distantPast, to: now)
            try await cluster.stop()
            let night = try CommandLineRun(
                product: "subledger",
                arguments: ["nightly", "--now", now.iso8601, "--config", world.configuration]
            ).start()
            let told = "trying again for 300 s"
            while !night.errorsSoFar.contains(told), kill(night.processID, 0) == 0 {
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(night.errorsSoFar.contains(told))
            _ = try await cluster.start()
            let result = await night.result()
            #expect(result.exitCode == 0, "\(result.standardError)")
            let connection = try await PostgresConnection.connect(server)
            #expect(
                try await connection.lines(
                    "select count(*) filter (where last_checked_at is null), count(*) > 0 from subledger.subscriptions")
                    == ["0|true"])
            await connection.close()
        }
    }

    @Test func `a night whose PostgreSQL stays down ends with 75 and has begun nothing`() async throws {
        try await Self.with(retryFor: "2s") { world, cluster, server in
            let now = NightWorld.instant(of: 1)
            try await world.register(from: .distantPast, to: now)
            try await cluster.stop()
            let night = try await world.subledger("nightly", "--now", now.iso8601)
            #expect(night.exitCode == 75)
            #expect(night.standardError.contains("cannot connect to"))
            _ = try await cluster.start()
            let connection = try await PostgresConnection.connect(server)
            #expect(
                try await connection.lines("select count(*) from subledger.runs where job = 'nightly'") == ["0"])
            await connection.close()
        }
    }
}
