// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import StoreSimulator
import TestSupport
import Testing

/// Nights of a login whose sessions work under another role, the owner of everything (`alter role … set role …`): of its own login's
/// sessions that role may see neither when they began nor what they do.
@Suite(.serialized, .hangLimit) struct ConfiguredRoleTests {
    private static let apps: [SimulatorConfiguration.App] = [.server(id: "acme-ios", bundleID: "com.acme.app")]

    @Test func `a night and its status are those of a plain login`() async throws {
        let plain = try await Self.firstNight(of: nil)
        let configured = try await Self.firstNight(of: "books")
        #expect(plain.tables.keys.filter { plain.tables[$0] != configured.tables[$0] }.sorted() == [])
        #expect(plain.connections != nil && plain.connections == configured.connections)
        #expect((plain.reader, configured.reader) == ("etl", "books"))
    }

    @Test func `the successor of a leader that is frozen in a load ends its sessions, and the night is whole`()
        async throws
    {
        let undisturbed = try await Self.firstNight(of: "books")
        try await Self.prepared(role: "books") { world, administrator in
            let now = NightWorld.instant(of: 1)
            let frozen = try await world.start(["nightly", "--now", now.iso8601], upTo: .ledger)
            kill(frozen.processID, SIGSTOP)
            defer { kill(frozen.processID, SIGKILL) }
            try await world.connection.script("select pg_advisory_unlock(4711)")
            try await Self.waitForDeadLease(administrator)
            let successor = try await world.runAgain(at: now)
            #expect(successor.exitCode == 0, "\(successor.standardError)")
            let ending = /ended process [0-9]+ of the server \(etl\)/
            #expect(successor.standardError.contains(ending), "\(successor.standardError)")
            let tables = try await world.checksums()
            #expect(tables.keys.filter { tables[$0] != undisturbed.tables[$0] }.sorted() == [])
            kill(frozen.processID, SIGCONT)
            let woken = await frozen.result()
            #expect(woken.exitCode == 75, "\(woken.standardError)")
            #expect(try await world.checksums() == tables)
        }
    }

    private struct Night {
        let tables: [String: String]
        /// What limits the connections of the role, and how many.
        let connections: String?
        /// The role that a new session works under.
        let reader: String
    }

    private static func firstNight(of role: String?) async throws -> Night {
        var night: Night?
        try await prepared(role: role) { world, administrator in
            let now = NightWorld.instant(of: 1)
            let result = try await world.runAgain(at: now)
            #expect(result.exitCode == 0, "\(result.standardError)")
            let status = try await world.subledger("status", "--json", "--now", now.iso8601)
            #expect(status.exitCode == 0, "\(status.standardError)")
            let session = try await PostgresConnection.connect(world.connection.configuration)
            night = Night(
                tables: try await world.checksums(), connections: try connections(in: status.standardOutput),
                reader: try await session.lines("select current_user as it")[0])
            await session.close()
        }
        return try #require(night)
    }

    private static func connections(in status: String) throws -> String? {
        let report = try JSONSerialization.jsonObject(with: Data(status.utf8)) as? [String: Any]
        let connections = report?["connections"] as? [String: Any]
        return connections.map { "\($0["limited_by"] ?? "") \($0["limit"] ?? "")" }
    }

    /// The first night is due, and leases are short.
    ///
    /// What the login has made is the role's by then.
    private static func prepared(
        role: String?, _ body: (NightWorld, PostgresConnection) async throws -> Void
    ) async throws {
        try await NightWorld.onOwnServer(seed: 63, customersPerApp: 8, apps: apps) { world, administrator in
            try await world.moveOn(to: NightWorld.instant(of: 1))
            if let role {
                try await administrator.script(
                    "create role \(role) nologin; grant \(role) to etl; alter role etl set role = '\(role)'; "
                        + "reassign owned by etl to \(role)")
            }
            try await world.with([("clock: simulated\n", "clock: simulated\nlease: 2s\n")]) {
                try await body(world, administrator)
            }
        }
    }

    private static func waitForDeadLease(_ administrator: PostgresConnection) async throws {
        let alive = "select 1 from subledger.runs where outcome = 'running' and leased_until > clock_timestamp()"
        while try await !administrator.lines(alive).isEmpty { try await Task.sleep(for: .milliseconds(50)) }
    }
}
