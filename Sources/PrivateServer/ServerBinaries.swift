// SPDX-License-Identifier: Apache-2.0

import Foundation
import Postgres

/// The programs of an installed PostgreSQL server: initdb, pg_ctl, postgres, createdb.
@safe struct ServerBinaries: Sendable, Equatable {
    /// Where they are.
    let directory: String
    /// The major version, for example 15.
    let major: Int

    /// The path of one of them.
    func path(_ program: String) -> String { directory + "/" + program }

    /// The installed server: the one of that major version for an existing cluster, else the first that is new enough.
    ///
    /// Looks in $PATH, then where packages put servers, newest first, then where pg_config points.
    static func find(major: Int?, in folders: [String]) async throws(PostgresError) -> ServerBinaries {
        var found: [ServerBinaries] = []
        for folder in folders {
            guard let binaries = await ServerBinaries(folder), !found.contains(binaries) else { continue }
            if major.map({ binaries.major == $0 }) ?? (binaries.major >= oldestMajor) { return binaries }
            found.append(binaries)
        }
        guard !found.isEmpty else {
            let package = major.map { "postgresql-\($0)" } ?? "postgresql"
            throw PostgresError(
                .privateServer,
                "no PostgreSQL server is installed (initdb, pg_ctl and postgres); install the package \(package) or "
                    + "run scripts/setup, or set database.url to a server of your own")
        }
        let versions = Set(found.map(\.major)).sorted().map(String.init).joined(separator: ", ")
        guard let major else {
            throw PostgresError(
                .configuration,
                "the private database needs PostgreSQL \(oldestMajor) or newer, installed is \(versions): install a newer one, "
                    + "or set database.url to a server of your own")
        }
        throw PostgresError(
            .privateServer,
            "the private database was made by PostgreSQL \(major), installed is \(versions); install the package "
                + "postgresql-\(major), or move the database with pg_upgrade")
    }

    private static let oldestMajor = Int(SessionSettings.oldestVersion / 10_000)

    /// The folders to look in on this machine.
    static func usualFolders() async -> [String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").map(String.init) + packageFolders() + (await pgConfigFolder(path))
    }

    private static func packageFolders() -> [String] {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return versions.compactMap { Int($0) }.sorted(by: >).map { "\(root)/\($0)/bin" }
    }

    private static func pgConfigFolder(_ path: String) async -> [String] {
        let programs = path.split(separator: ":").map { String($0) + "/pg_config" }
        guard let program = programs.first(where: { FileManager.default.isExecutableFile(atPath: $0) }),
            let ending = try? await ChildProcess([program, "--bindir"]).run(), ending.status == 0
        else { return [] }
        return [ending.output.trimmingCharacters(in: .whitespacesAndNewlines)]
    }

    /// The server in a folder, links followed (a folder on $PATH often only points at the real one); nil if incomplete.
    private init?(_ folder: String) async {
        guard FileManager.default.isExecutableFile(atPath: folder + "/pg_ctl"),
            let real = try? ServerFiles.realPath(folder + "/pg_ctl")
        else {
            return nil
        }
        let directory = (real as NSString).deletingLastPathComponent
        let programs = ["initdb", "pg_ctl", "postgres", "createdb"]
        guard programs.allSatisfy({ FileManager.default.isExecutableFile(atPath: directory + "/" + $0) }),
            let ending = try? await ChildProcess([directory + "/postgres", "--version"]).run(),
            let major = ending.output.firstMatch(of: #/\) (?<major>\d+)/#).flatMap({ Int($0.output.major) })
        else { return nil }
        self.directory = directory
        self.major = major
    }
}
