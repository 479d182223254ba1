// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Postgres

/// The account that runs the private server.
///
/// PostgreSQL refuses root, so root steps down to another account.
@safe struct ServerAccount: Sendable, Equatable {
    let name: String
    let userID: uid_t
    let groupID: gid_t

    /// The account this process runs as.
    static var current: ServerAccount {
        ServerAccount(userID: geteuid())
            ?? ServerAccount(name: "uid \(geteuid())", userID: geteuid(), groupID: getegid())
    }

    /// The account that would run a new cluster: ours, or for root `postgres`, else `nobody`.
    static func forNewCluster() throws(PostgresError) -> ServerAccount {
        guard geteuid() == 0 else { return current }
        if let account = ServerAccount(named: "postgres") ?? ServerAccount(named: "nobody") { return account }
        throw PostgresError(
            .privateServer,
            "PostgreSQL refuses to run as root and there is no account postgres or nobody to step down to")
    }

    /// The account that owns an existing cluster: only it may run the server.
    static func ownerOfCluster(_ directory: String) throws(PostgresError) -> ServerAccount {
        guard let owner = FileStatus(directory)?.owner else {
            throw PostgresError(.privateServer, "\(directory) cannot be read")
        }
        let account = ServerAccount(userID: owner) ?? ServerAccount(name: "uid \(owner)", userID: owner, groupID: owner)
        guard geteuid() == 0 || geteuid() == owner else {
            throw PostgresError(
                .privateServer, "\(directory) belongs to \(account.name); run as root or as \(account.name)")
        }
        guard owner != 0 else {
            throw PostgresError(
                .privateServer, "\(directory) belongs to root, as whom PostgreSQL refuses to run; chown it")
        }
        return account
    }

    /// The command as this account would run it.
    ///
    /// A program steps down, not the process that is forked from ours: within that, glibc waits for ever for a thread
    /// that was being made at the fork.
    func command(_ arguments: [String]) throws(PostgresError) -> ChildProcess {
        guard userID != geteuid() else { return ChildProcess(arguments) }
        if let setpriv = Self.program("setpriv") {
            let options = ["--reuid=\(userID)", "--regid=\(groupID)", "--clear-groups", "--"]
            return ChildProcess([setpriv] + options + arguments)
        }
        if let runuser = Self.program("runuser") { return ChildProcess([runuser, "-u", name, "--"] + arguments) }
        throw PostgresError(
            .privateServer, "neither setpriv nor runuser is there to run the server as \(name); install util-linux")
    }

    /// True if this account can make files in the directory: tried, not computed from modes.
    func canWrite(in directory: String) async throws(PostgresError) -> Bool {
        guard let creator = Self.program("touch") else {
            throw PostgresError(.privateServer, "the program touch is missing; install coreutils")
        }
        let probe = directory + "/.reachable"
        defer { unsafe unlink(probe) }
        return try await command([creator, "--", probe]).run().status == 0
    }

    private static func program(_ name: String) -> String? {
        ["/usr/bin/", "/usr/sbin/", "/bin/", "/sbin/"].map { $0 + name }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}

extension ServerAccount {
    init?(named name: String) {
        unsafe self.init { entry, buffer, size, found in unsafe getpwnam_r(name, entry, buffer, size, found) }
    }

    init?(userID: uid_t) {
        unsafe self.init { entry, buffer, size, found in unsafe getpwuid_r(userID, entry, buffer, size, found) }
    }

    private typealias Lookup = (
        UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int,
        UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
    ) -> Int32

    private init?(_ lookUp: Lookup) {
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        let account: ServerAccount? = unsafe buffer.withUnsafeMutableBufferPointer { storage in
            guard let base = storage.baseAddress, unsafe lookUp(&entry, base, storage.count, &found) == 0,
                unsafe found != nil, let name = unsafe entry.pw_name
            else { return nil }
            return ServerAccount(
                name: unsafe String(cString: name), userID: unsafe entry.pw_uid, groupID: unsafe entry.pw_gid)
        }
        guard let account else { return nil }
        self = account
    }
}
