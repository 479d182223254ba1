// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A file system in memory that is soon full.
struct SmallDisk: Sendable {
    let path: String
    private var filler: String { path + "/filler" }

    /// Mounts it; `scripts/test --faults` runs in a mount namespace of its own, so that nothing of it is left.
    static func with(megabytes: Int, _ body: (SmallDisk) async throws -> Void) async throws {
        try await withTemporaryDirectory { folder in
            let mounted = try await CommandLineRun(
                product: "/usr/bin/mount",
                arguments: ["-t", "tmpfs", "-o", "size=\(megabytes)m,mode=0777", "tmpfs", folder]
            ).run()
            guard mounted.exitCode == 0 else {
                throw NightError(
                    "a small disk cannot be mounted for the database: run this as root, in a place that allows mounts "
                        + "(\(mounted.standardError))")
            }
            let result: Result<Void, any Error>
            do { result = .success(try await body(SmallDisk(path: folder))) } catch { result = .failure(error) }
            _ = try await CommandLineRun(product: "/usr/bin/umount", arguments: ["-l", folder]).run()
            try result.get()
        }
    }

    /// Takes all the room there is.
    func fill() throws {
        _ = FileManager.default.createFile(atPath: filler, contents: nil)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: filler))
        for size in [1 << 20, 1 << 12] {
            while (try? file.write(contentsOf: Data(repeating: 1, count: size))) != nil {}
        }
        try? file.close()
    }

    func empty() throws { try FileManager.default.removeItem(atPath: filler) }
}

extension AttackedLife {
    /// The database's files are there from now on; nothing may be connected to it.
    func move(to disk: SmallDisk) async throws {
        let folder = disk.path + "/tablespace"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try await life.give(folder)
        try await life.administer("create tablespace small location '\(folder)'")
        try await life.administer("alter database \(database) set tablespace small")
    }

    func moveBack(from disk: SmallDisk) async throws {
        await close()
        try await life.administer(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = '\(database)'")
        try await life.administer("alter database \(database) set tablespace pg_default")
        try await life.administer("drop tablespace small")
    }

    /// Where the reports go there is room for a part of one.
    ///
    /// `left`: what lies there afterwards, which is gone with the program's own mounts.
    func runWithSmallReports(_ job: FaultJob) async throws -> (result: CommandLineRun.Result, left: String) {
        let reports = directory + "/reports"
        try FileManager.default.createDirectory(atPath: reports, withIntermediateDirectories: true)
        let listing = directory + "/left-in-reports"
        let script = """
            mount -t tmpfs -o size=64k tmpfs "$1" || exit 99
            reports=$1 listing=$2
            shift 2
            "$@"
            ended=$?
            ls -A "$reports" >"$listing" || exit 99
            exit $ended
            """
        let program = try InstalledProgram.path()
        let namespaces = geteuid() == 0 ? "-m" : "-Urm"
        let result = try await CommandLineRun(
            product: "/usr/bin/unshare",
            arguments: [namespaces, "sh", "-c", script, "sh", reports, listing, program] + job.arguments(life)
                + ["--config", directory + "/subledger.yaml"]
        ).run()
        guard result.exitCode != 99, !result.standardError.contains("unshare: ") else {
            throw NightError(
                "a small disk cannot be mounted for the reports: neither root nor `unshare \(namespaces)` may mount here "
                    + "(\(result.standardError))")
        }
        return (result, try String(contentsOfFile: listing, encoding: .utf8))
    }
}
