// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Postgres
import PrivateServer
import TestSupport
import Testing

@Suite("The private server", .hangLimit)
struct PrivateClusterTests {
    /// A cluster below a folder of its own, stopped at the end.
    private func withCluster<R>(
        durability: PrivateCluster.Durability = .ephemeral, data: String = "data",
        _ body: (PrivateCluster, _ folder: String, PrivateCluster.Places) async throws -> R
    ) async throws -> R {
        try await withTemporaryDirectory { folder in
            var places = PrivateCluster.Places()
            places.stateDirectory = folder + "/state"
            let cluster = PrivateCluster(directory: "\(folder)/\(data)", durability: durability, places: places)
            let result: Result<R, any Error>
            do { result = .success(try await body(cluster, folder, places)) } catch { result = .failure(error) }
            try await cluster.stop()
            return try result.get()
        }
    }

    private func value(_ configuration: PostgresConfiguration, _ sql: String) async throws -> String {
        let connection = try await PostgresConnection.connect(configuration)
        let value = try #require(try await connection.query(.test(sql)).first).string("v")
        await connection.close()
        return value
    }

    private func processID(_ cluster: PrivateCluster) async throws -> Int32 {
        guard case .running(let processID) = try await cluster.status() else { throw Deliberate() }
        return processID
    }

    /// A process that has ended but was not collected yet has no working directory any more.
    private func isGone(_ processID: Int32) -> Bool {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(processID)/cwd")) == nil
    }

    @Test func `it starts twice as one server, and after stop nothing of it runs or lies about`() async throws {
        try await withCluster { cluster, folder, places in
            #expect(try await cluster.status() == .absent)
            let configuration = try await cluster.start()
            let processID = try await processID(cluster)
            let second = PrivateCluster(directory: folder + "/data", places: places)
            let again = try await second.start()
            #expect(again.description == configuration.description)
            #expect(try await self.processID(second) == processID)
            #expect(await (cluster.isStartedHere, second.isStartedHere) == (true, false))
            #expect(
                try await value(configuration, "select current_user || '@' || current_database() as v")
                    == "subledger@subledger")
            #expect(configuration.isLocal)
            let socket = try await value(configuration, "select current_setting('unix_socket_directories') as v")
            try await second.stop()
            #expect(try await cluster.status() == .stopped)
            #expect(isGone(processID) && !FileManager.default.fileExists(atPath: socket))
            try await second.stop()
        }
    }

    @Test func `a start goes to its end though its task is cancelled, and so does a stop`() async throws {
        try await withCluster { cluster, _, _ in
            let start = Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                return try await cluster.start()
            }
            #expect(try await value(try await start.value, "select 'there' as v") == "there")
            let stop = Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                try await cluster.stop()
            }
            try await stop.value
            #expect(try await cluster.status() == .stopped)
        }
    }

    @Test func `it listens on a socket in a private directory only, and root has stepped down`() async throws {
        try await withCluster { cluster, _, _ in
            let configuration = try await cluster.start()
            #expect(try await value(configuration, "select current_setting('listen_addresses') as v") == "")
            let socket = try await value(configuration, "select current_setting('unix_socket_directories') as v")
            let attributes = try FileManager.default.attributesOfItem(atPath: socket)
            #expect(attributes[.posixPermissions] as? Int == 0o700)
            #expect((socket + "/.s.PGSQL.5432").utf8.count < 107)
            let processID = try await processID(cluster)
            let server = try FileManager.default.attributesOfItem(atPath: "/proc/\(processID)")
            let owner = try #require(server[.ownerAccountID] as? NSNumber).uint32Value
            #expect(owner != 0 && (geteuid() == 0 || owner == geteuid()))
            #expect((attributes[.ownerAccountID] as? NSNumber)?.uint32Value == owner)
        }
    }

    @Test
    func `a durable server has fsync, synchronous commit and full pages on; an ephemeral one has them off`()
        async throws
    {
        let sql =
            "select string_agg(setting, ' ' order by name) as v from pg_settings where name in "
            + "('fsync', 'full_page_writes', 'synchronous_commit')"
        for (durability, expected) in [(PrivateCluster.Durability.durable, "on on on"), (.ephemeral, "off off off")] {
            try await withCluster(durability: durability) { cluster, _, _ in
                let configuration = try await cluster.start()
                #expect(try await value(configuration, sql) == expected)
            }
        }
    }

    @Test func `after kill -9 it starts again with what was committed`() async throws {
        try await withCluster(durability: .durable) { cluster, _, _ in
            let configuration = try await cluster.start()
            let connection = try await PostgresConnection.connect(configuration)
            try await connection.executeScript(
                .test("create table public.t (id bigint); insert into public.t select generate_series(1, 1000)"))
            let first = try await processID(cluster)
            #expect(kill(first, SIGKILL) == 0)
            while !isGone(first) { usleep(1000) }
            #expect(try await cluster.status() == .stopped)
            let again = try await cluster.start()
            #expect(try await value(again, "select count(*)::text as v from public.t") == "1000")
            #expect(try await processID(cluster) != first)
        }
    }

    @Test func `a stale postmaster.pid whose number now belongs to another process does not confuse it`() async throws {
        try await withCluster { cluster, folder, _ in
            let socket = try await value(
                try await cluster.start(), "select current_setting('unix_socket_directories') as v")
            let file = try #require(
                FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }
                    .first { $0.hasSuffix("postmaster.pid") }.map { folder + "/" + $0 })
            var lines = try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "\n")
            try await cluster.stop()
            let stranger = Process()
            stranger.executableURL = URL(fileURLWithPath: geteuid() == 0 ? "/usr/bin/setpriv" : "/bin/sleep")
            let owner = try FileManager.default.attributesOfItem(atPath: (file as NSString).deletingLastPathComponent)
            let uid = try #require(owner[.ownerAccountID] as? NSNumber).uint32Value
            stranger.arguments = geteuid() == 0 ? ["--reuid=\(uid)", "--clear-groups", "/bin/sleep", "600"] : ["600"]
            stranger.currentDirectoryURL = URL(fileURLWithPath: "/")
            stranger.standardOutput = FileHandle.nullDevice
            stranger.standardError = FileHandle.nullDevice
            try stranger.run()
            defer { kill(stranger.processIdentifier, SIGKILL) }
            lines[0] = "\(stranger.processIdentifier)"
            try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
            #expect(try await cluster.status() == .stopped)
            try await cluster.stop()
            #expect(stranger.isRunning)
            let again = try await cluster.start()
            #expect(try await value(again, "select current_setting('unix_socket_directories') as v") == socket)
        }
    }

    @Test func `two data folders have two servers side by side`() async throws {
        try await withCluster { one, _, _ in
            try await withCluster { two, _, _ in
                let (first, second) = (try await one.start(), try await two.start())
                #expect(first.description != second.description)
                #expect(try await processID(one) != processID(two))
                _ = try await value(first, "select 'x' as v")
                _ = try await value(second, "select 'x' as v")
            }
        }
    }

    @Test func `several that start the same cluster at once get the same server`() async throws {
        try await withCluster { _, folder, places in
            let clusters = (1...4).map { _ in
                PrivateCluster(directory: folder + "/data", durability: .ephemeral, places: places)
            }
            let sockets = try await withThrowingTaskGroup(of: String.self) { group in
                for cluster in clusters { group.addTask { try await cluster.start().description } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            var starters = 0
            for cluster in clusters where await cluster.isStartedHere { starters += 1 }
            #expect(sockets.count == 1 && starters == 1)
        }
    }

    @Test func `a start that was interrupted while making the cluster or its database is made up for`() async throws {
        try await withCluster { cluster, folder, _ in
            try FileManager.default.createDirectory(
                atPath: folder + "/data/postgres.new/base", withIntermediateDirectories: true)
            let configuration = try await cluster.start()
            let connection = try await PostgresConnection.connect(configuration.with(database: "postgres"))
            try await connection.execute(.test("drop database subledger"))
            await connection.close()
            let again = try await cluster.start()
            #expect(try await value(again, "select current_database() as v") == "subledger")
        }
    }
}
