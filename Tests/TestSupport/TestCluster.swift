// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
package import Postgres
import PrivateServer

/// A PostgreSQL server of a test process, in most of them the one: started on first use, gone with the process.
///
/// No server may stay behind, however the process ends. So a small shell waits on a pipe whose other end only this
/// process holds: when the process ends, for whatever reason, the kernel closes the pipe, and the shell stops the
/// server and removes its files. atexit would not run in a crash, and a parent-death signal is lost when pg_ctl
/// starts the server for us.
package actor TestCluster {
    static let shared = TestCluster()
    private let programs: String?
    private var starting: Task<PostgresConfiguration, any Error>?
    private var cluster: PrivateCluster?

    /// How a server ends.
    package enum Stop: Sendable, Hashable, CaseIterable {
        /// Sessions are ended, what they had begun is rolled back, and all is written to disk.
        case fast
        /// As a machine that loses its power: the next start recovers.
        case immediate
        /// Each of its processes by SIGKILL: none of them says or writes a last word.
        case killed
    }

    /// A server of its own.
    ///
    /// `programs`: the folder of initdb, pg_ctl and postgres; nil: those that the machine has.
    package init(programs: String? = nil) { self.programs = programs }

    /// How to connect to the server's own database; starts the server the first time.
    package func configuration() async throws -> PostgresConfiguration {
        if let starting { return try await starting.value }
        let task = Task { try await startedServer() }
        starting = task
        return try await task.value
    }

    private func startedServer() async throws -> PostgresConfiguration {
        let cluster = if let cluster { cluster } else { try await Self.make(programs) }
        self.cluster = cluster
        return try await cluster.start()
    }

    /// Ends the server; who next asks for its configuration starts it again.
    package func stop(_ manner: Stop) async throws {
        guard let cluster, let starting else { return }
        _ = try await starting.value
        if manner != .fast, case .running(let process) = try await cluster.status() {
            // Its children are known before it is gone.
            let children = manner == .killed ? Self.children(of: process) : []
            kill(process, manner == .killed ? SIGKILL : SIGQUIT)
            for child in children { kill(child, SIGKILL) }
            while try await cluster.status() != .stopped { try await Task.sleep(for: .milliseconds(5)) }
        }
        try await cluster.stop()
        self.starting = nil
    }

    private static func children(of process: Int32) -> [Int32] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { Int32($0) } ?? []
        return all.filter { child in
            // What is behind the name, which may have anything in it: state, then parent.
            let status = FileManager.default.contents(atPath: "/proc/\(child)/stat").map {
                String(decoding: $0, as: UTF8.self)
            }
            let fields = status?.split(separator: ")").last?.split(separator: " ") ?? []
            return fields.count > 1 && fields[1] == "\(process)"
        }
    }

    private static func make(_ programs: String?) async throws -> PrivateCluster {
        let folder = try TemporaryDirectory.make(named: "subledger-test")
        try await startWatcher(over: folder)
        var places = PrivateCluster.Places()
        places.stateDirectory = folder + "/state"
        places.socketDirectory = folder
        places.programDirectories = programs.map { [$0] }
        return PrivateCluster(directory: folder + "/data", durability: .ephemeral, places: places)
    }

    /// Runs the shell described above, in a session of its own so that Ctrl-C ends the tests and not the shell.
    ///
    /// It reads the server's process number only then, so it can be started first.
    static func startWatcher(over folder: String) async throws {
        let script = """
            cat >/dev/null
            pid=$(head -n 1 "$1"/data/postgres/postmaster.pid "$1"/state/*/postgres/postmaster.pid 2>/dev/null |
                grep -E '^[0-9]+$')
            serves() { case $(readlink "/proc/$pid/cwd") in "$1"/*) return 0 ;; *) return 1 ;; esac; }
            if [ -n "$pid" ] && serves "$1"; then
                kill -QUIT "$pid"
                while serves "$1"; do sleep 0.05; done
            fi
            rm -rf "$1"
            """
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw TestSupportError("no pipe can be made") }
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
        let watcher = ["/usr/bin/setsid", "--fork", "/bin/sh", "-c", script, "sh", folder]
        _ = try await ChildProcess(watcher).run(standardInput: ends[0])
    }
}

/// A test's surroundings could not be made.
package struct TestSupportError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
