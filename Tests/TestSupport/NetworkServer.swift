// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Postgres
@testable import PrivateServer

/// A PostgreSQL server that other hosts reach over TCP, and only under TLS with a certificate for its address.
package struct NetworkServer: Sendable {
    private let folder: String
    private let programs: ServerBinaries
    private let address: String
    private let settings: String

    /// The certificate that its clients hold it against.
    package let authority: String

    private var data: String { folder + "/data" }
    private var socketFolder: String { folder + "/socket" }

    /// How the test comes to it, past every limit.
    package var configuration: PostgresConfiguration {
        PostgresConfiguration(socketDirectory: socketFolder, database: "postgres", user: "postgres")
    }

    /// How another host comes to a database of it.
    package func url(of database: String, as user: String) -> String {
        "postgresql://\(user)@\(address)/\(database)?sslmode=verify-full&sslrootcert=\(authority)"
    }

    /// Makes one and starts it at that address of this machine, for the hosts of that network.
    package init(at address: String, for network: String) async throws {
        let account = try ServerAccount.forNewCluster()
        self.address = address
        programs = try await ServerBinaries.find(major: nil, in: await ServerBinaries.usualFolders())
        folder = try TemporaryDirectory.make(named: "subledger-test")
        authority = folder + "/ca.pem"
        settings = Self.settings(of: folder, at: address)
        try ServerFiles.makeDirectory(folder + "/socket", mode: 0o755, owner: account)
        try ServerFiles.makeDirectory(folder + "/data", mode: 0o700, owner: account)
        try Self.certify(address, in: folder, for: account)
        try await run("initdb", ["-D", data, "-U", "postgres", "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8", "-N"])
        try ServerFiles.append("hostssl all all \(network) trust\n", to: data + "/pg_hba.conf")
        try await run("pg_ctl", ["-D", data, "-l", data + "/server.log", "-w", "-s", "-o", settings, "start"])
    }

    /// Ends it, and removes its files.
    package func remove() async throws {
        try await run("pg_ctl", ["-D", data, "-m", "immediate", "-w", "-s", "stop"])
        try FileManager.default.removeItem(atPath: folder)
    }

    private static func settings(of folder: String, at address: String) -> String {
        [
            "listen_addresses=\(address)", "port=5432", "unix_socket_directories=\(folder)/socket", "fsync=off",
            "ssl=on",
            "ssl_cert_file=\(folder)/server.pem", "ssl_key_file=\(folder)/server.key",
        ].map { "-c '\($0)'" }.joined(separator: " ")
    }

    private static func certify(_ address: String, in folder: String, for account: ServerAccount) throws {
        let workshop = try CertificateWorkshop()
        let root = try workshop.root()
        let server = try workshop.issue(
            subject: "database", curve: "prime256v1", by: root,
            extensions: [
                "basicConstraints=CA:FALSE", "subjectAltName=IP:\(address)", "extendedKeyUsage=serverAuth",
            ], validity: .long)
        try Data(root.pem).write(to: URL(fileURLWithPath: folder + "/ca.pem"))
        try Data(server.pem).write(to: URL(fileURLWithPath: folder + "/server.pem"))
        let key = folder + "/server.key"
        try Data(workshop.tool.read(server.keyFile)).write(to: URL(fileURLWithPath: key))
        // The server takes a key only where no other account can read it.
        try FileManager.default.setAttributes(
            [.ownerAccountID: account.userID, .groupOwnerAccountID: account.groupID, .posixPermissions: 0o600],
            ofItemAtPath: key)
    }

    /// Runs one of the server's programs to its end, as the account that runs servers.
    private func run(_ program: String, _ arguments: [String]) async throws {
        let ending = try await ServerAccount.forNewCluster().command([programs.path(program)] + arguments).run()
        guard ending.status == 0 else {
            throw TestSupportError("\(program) ended with \(ending.status): \(ending.output)")
        }
    }
}
