// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Postgres

/// Where a private cluster lies, who runs it, and where its socket is.
@safe struct ClusterLocation: Sendable {
    /// The cluster's own directory (PGDATA).
    let cluster: String
    /// The directory of its socket.
    let socketDirectory: String
    /// Who runs the server.
    let account: ServerAccount

    /// Holds the real place of a cluster that could not lie in the data folder.
    private static let pointerName = "postgres.location"
    /// Beside such a cluster: the data folder it belongs to.
    private static let originName = "origin"

    /// Where the cluster of an existing data folder lies, deciding it if there is none yet.
    ///
    /// `data` is a real path.
    static func locate(data: String, places: PrivateCluster.Places) async throws(PostgresError) -> ClusterLocation {
        let socketDirectory = try socketDirectory(data: data, places: places)
        let inside = data + "/postgres"
        let directory = try pointedAt(data: data, places: places) ?? inside
        if FileStatus(directory) != nil {
            let account = try ServerAccount.ownerOfCluster(directory)
            if try await account.canWrite(in: directory) {
                return ClusterLocation(cluster: directory, socketDirectory: socketDirectory, account: account)
            }
            throw PostgresError(
                .privateServer, "\(directory) cannot be reached by its owner \(account.name); open the folders above it"
            )
        }
        let account = try ServerAccount.forNewCluster()
        let cluster = try await reachable(inside, by: account) ? inside : moveAway(data: data, places: places)
        return ClusterLocation(cluster: cluster, socketDirectory: socketDirectory, account: account)
    }

    /// The same for reading: nil if no cluster was made yet.
    static func existing(data: String, places: PrivateCluster.Places) throws(PostgresError) -> ClusterLocation? {
        let directory = try pointedAt(data: data, places: places) ?? data + "/postgres"
        guard FileStatus(directory) != nil else { return nil }
        return ClusterLocation(
            cluster: directory, socketDirectory: try socketDirectory(data: data, places: places),
            account: try ServerAccount.ownerOfCluster(directory))
    }

    private static func reachable(_ directory: String, by account: ServerAccount) async throws(PostgresError) -> Bool {
        let probe = directory + ".probe"
        try ServerFiles.makeDirectory(probe, mode: 0o700, owner: account)
        let isReachable = try await account.canWrite(in: probe)
        try ServerFiles.remove(probe)
        return isReachable
    }

    /// The account cannot enter the data folder (a clone in /root): the cluster lies in the system's state directory.
    private static func moveAway(data: String, places: PrivateCluster.Places) throws(PostgresError) -> String {
        let home = "\(places.stateDirectory)/\(hash(data))"
        try ServerFiles.makeDirectory(home, mode: 0o755)
        try ServerFiles.write(data + "\n", to: "\(home)/\(originName)")
        try ServerFiles.write("\(home)/postgres\n", to: "\(data)/\(pointerName)")
        return home + "/postgres"
    }

    /// The cluster that the pointer file names.
    ///
    /// A moved data folder takes its cluster along; a copied one must not share the original's.
    private static func pointedAt(data: String, places: PrivateCluster.Places) throws(PostgresError) -> String? {
        guard let pointer = line("\(data)/\(pointerName)") else { return nil }
        let originFile = (pointer as NSString).deletingLastPathComponent + "/" + originName
        guard let origin = line(originFile), origin != data else { return pointer }
        guard line("\(origin)/\(pointerName)") != pointer else {
            throw PostgresError(
                .privateServer,
                "\(data) is a copy of \(origin), whose database it would share; remove \(data)/\(pointerName) to begin "
                    + "with an empty one")
        }
        try ServerFiles.write(data + "\n", to: originFile)
        return pointer
    }

    private static func line(_ path: String) -> String? {
        ServerFiles.text(path).map { $0.trimmingCharacters(in: .newlines) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A short path, because the kernel allows a socket 107 bytes and data folders lie deep.
    ///
    /// In the data folder where that is short enough, and never in `/tmp` then: a unit with a `/tmp` of its own would not find the server
    /// that another one started. Root's is in `/run`, because the server's account may not enter root's folders.
    private static func socketDirectory(
        data: String, places: PrivateCluster.Places
    ) throws(PostgresError) -> String {
        let isInRun = geteuid() == 0 && FileManager.default.isWritableFile(atPath: "/run")
        let (name, inside) = ("/.s.PGSQL.5432", data + "/socket")
        if places.socketDirectory == nil, !isInRun, (inside + name).utf8.count < 107 { return inside }
        let directory = "\(places.socketDirectory ?? (isInRun ? "/run" : "/tmp"))/subledger-\(hash(data))"
        let socket = directory + name
        guard socket.utf8.count < 107 else {
            throw PostgresError(
                .privateServer,
                "the socket path \(socket) has \(socket.utf8.count) bytes, the system allows 107; "
                    + "use a shorter directory"
            )
        }
        return directory
    }

    /// FNV-1a, 64 bits: names a data folder; it need not resist anybody.
    private static func hash(_ text: String) -> String {
        let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(String(hash, radix: 16).suffix(12))
    }
}
