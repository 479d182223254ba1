// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Postgres
@testable import PrivateServer

/// A PostgreSQL server that follows another one, from a base backup of it, until it is promoted.
///
/// What it follows comes over a connection of its own that a test can stop: then it lags behind from that instant on.
package struct StandbyServer: Sendable {
    /// What the primary says to it.
    package let link: CuttingProxy
    private let folder: String
    private let programs: String
    private let user: String

    private var data: String { folder + "/data/postgres" }
    private var socketFolder: String { folder + "/socket" }
    /// The unix socket that it listens at.
    package var socketPath: String { socketFolder + "/.s.PGSQL.5432" }

    /// How to connect to it once it is promoted.
    package var configuration: PostgresConfiguration {
        PostgresConfiguration(socketDirectory: socketFolder, database: "postgres", user: user)
    }

    /// One that has all that the primary has by now, and goes on to follow it.
    ///
    /// Asynchronous unless the primary waits for it.
    package init(following primary: TestCluster) async throws {
        let server = try await PostgresConnection.connect(try await primary.configuration())
        let place =
            try await server.lines(
                "select setting as b, current_user as u from pg_config where name = 'BINDIR'"
            ).first?.split(separator: "|").map(String.init) ?? []
        link = try CuttingProxy(toSocket: try await server.socketPath())
        await server.close()
        guard place.count == 2 else { throw TestSupportError("the server does not say where its programs are") }
        (programs, user) = (place[0], place[1])
        folder = try TemporaryDirectory.make(named: "subledger-test")
        try await TestCluster.startWatcher(over: folder)
        try await begin()
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
        let ending = try await ServerAccount.forNewCluster().command(["\(programs)/\(program)"] + arguments).run()
        guard ending.status == 0 else {
            throw TestSupportError("\(program) ended with \(ending.status): \(ending.output)")
        }
    }
}
