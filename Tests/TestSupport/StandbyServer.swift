// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Postgres
@testable import PrivateServer

/// A PostgreSQL server that follows another one, from a base backup of it, until it is promoted.
///
/// What it follows comes over a connection of its own that a test can stop: then it lags behind from that instant on.
package actor StandbyServer {
    /// What the primary says to it.
    package nonisolated let link: CuttingProxy
    private let folder: String
    private let programs: String
    private let user: String

    private nonisolated var data: String { folder + "/data/postgres" }
    private nonisolated var socketFolder: String { folder + "/socket" }
    /// The unix socket that it listens at.
    package nonisolated var socketPath: String { socketFolder + "/.s.PGSQL.5432" }

    /// How to connect to it once it is promoted.
    package nonisolated var configuration: PostgresConfiguration {
        PostgresConfiguration(socketDirectory: socketFolder, database: "postgres", user: user)
    }

    private init(link: CuttingProxy, folder: String, programs: String, user: String) {
        (self.link, self.folder, self.programs, self.user) = (link, folder, programs, user)
    }

    /// One that has all that the primary has by now, and goes on to follow it. Asynchronous unless the primary waits for it.
    package static func following(_ primary: TestCluster) async throws -> StandbyServer {
        let server = try await PostgresConnection.connect(try await primary.configuration())
        let place =
            try await server.lines(
                "select setting as b, current_user as u from pg_config where name = 'BINDIR'"
            ).first?.split(separator: "|").map(String.init) ?? []
        let socket = try await server.socketPath()
        await server.close()
        guard place.count == 2 else { throw TestSupportError("the server does not say where its programs are") }
        let folder = try TemporaryDirectory.make(named: "subledger-test")
        try await TestCluster.startWatcher(over: folder)
        let standby = StandbyServer(
            link: try CuttingProxy(toSocket: socket), folder: folder, programs: place[0], user: place[1])
        try await standby.begin()
        return standby
    }

    /// It takes writes from now on, with all that came over its link.
    package func promote() async throws { try await run("pg_ctl", ["-D", data, "-w", "-t", "60", "-s", "promote"]) }

    /// Ends it, and removes its files.
    package func remove() async throws {
        link.refuse()
        link.thaw()
        link.cutAll()
        try await run("pg_ctl", ["-D", data, "-m", "immediate", "-w", "-s", "stop"])
        try FileManager.default.removeItem(atPath: folder)
    }

    private func begin() async throws {
        let account = try ServerAccount.forNewCluster()
        for made in [folder + "/data", socketFolder] {
            try ServerFiles.makeDirectory(made, mode: 0o755, owner: account)
        }
        let primary = "host=127.0.0.1 port=\(link.port) user=\(user)"
        try await run("pg_basebackup", ["-D", data, "-d", primary, "-R", "-X", "stream", "-c", "fast", "-N"])
        let settings = ["listen_addresses=", "port=5432", "unix_socket_directories=\(socketFolder)"]
            .map { "-c '\($0)'" }.joined(separator: " ")
        let log = data + "/server.log"
        try await run("pg_ctl", ["-D", data, "-l", log, "-w", "-t", "60", "-s", "-o", settings, "start"])
    }

    /// Runs one of the server's programs to its end, as the account that runs servers.
    private func run(_ program: String, _ arguments: [String]) async throws {
        let command = try ServerAccount.forNewCluster().command(["\(programs)/\(program)"] + arguments)
        let ending = try await command.run()
        guard ending.status == 0 else {
            throw TestSupportError("\(program) ended with \(ending.status): \(ending.output)")
        }
    }
}
