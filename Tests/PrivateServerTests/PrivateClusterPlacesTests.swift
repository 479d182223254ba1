// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Postgres
import PrivateServer
import TestSupport
import Testing

@Suite("Where the private server lies", .hangLimit)
struct PrivateClusterPlacesTests {
    private func places(_ folder: String) -> PrivateCluster.Places {
        var places = PrivateCluster.Places()
        places.stateDirectory = folder + "/state"
        return places
    }

    private func makeClosedFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    @Test
    func `a deep data folder, with spaces and other letters, does not make the socket's path too long`() async throws {
        try await withTemporaryDirectory { folder in
            let data = folder + "/" + Array(repeating: "ünd noch tiefer hinein", count: 12).joined(separator: "/")
            let cluster = PrivateCluster(directory: data, durability: .ephemeral, places: places(folder))
            let connection = try await PostgresConnection.connect(try await cluster.start())
            #expect(try await connection.query(.test("select 1 as v"))[0].int("v") == 1)
            try await cluster.stop()
        }
    }

    @Test func `a socket path beyond the system's limit is refused with its length`() async throws {
        try await withTemporaryDirectory { folder in
            var places = places(folder)
            places.socketDirectory = "/tmp/" + String(repeating: "x", count: 80)
            let cluster = PrivateCluster(directory: folder + "/data", places: places)
            let error = await thrown(PostgresError.self) { _ = try await cluster.start() }
            #expect(error?.code == .privateServer && error?.description.contains("has 122 bytes") == true)
        }
    }

    @Test func `a data path that a shell would read as a command is refused`() async throws {
        try await withTemporaryDirectory { folder in
            let cluster = PrivateCluster(directory: folder + "/$(touch x)", places: places(folder))
            let error = await thrown(PostgresError.self) { _ = try await cluster.start() }
            #expect(error?.code == .privateServer && error?.disposition == .stop)
        }
    }

    @Test func `without server programs it says which package to install`() async throws {
        try await withTemporaryDirectory { folder in
            var places = places(folder)
            places.programDirectories = [folder, "/nowhere"]
            let cluster = PrivateCluster(directory: folder + "/data", places: places)
            let error = try #require(await thrown(PostgresError.self) { _ = try await cluster.start() })
            #expect(error.code == .privateServer && error.disposition == .stop)
            #expect(
                error.description.contains("install the package postgresql")
                    && error.description.contains("scripts/setup"))
        }
    }

    @Test func `a cluster of another major version names that version's package`() async throws {
        try await withTemporaryDirectory { folder in
            let cluster = PrivateCluster(directory: folder + "/data", durability: .ephemeral, places: places(folder))
            _ = try await cluster.start()
            try await cluster.stop()
            try "9\n".write(toFile: folder + "/data/postgres/PG_VERSION", atomically: false, encoding: .utf8)
            let error = await thrown(PostgresError.self) { _ = try await cluster.start() }
            #expect(error?.description.contains("postgresql-9") == true)
        }
    }

    @Test func `a server that does not start is quoted with the last lines of its log`() async throws {
        try await withTemporaryDirectory { folder in
            let cluster = PrivateCluster(directory: folder + "/data", durability: .ephemeral, places: places(folder))
            _ = try await cluster.start()
            try await cluster.stop()
            let file = folder + "/data/postgres/postgresql.conf"
            let settings = try String(contentsOfFile: file, encoding: .utf8)
            try (settings + "no_such_setting = 1\n").write(toFile: file, atomically: false, encoding: .utf8)
            let error = await thrown(PostgresError.self) { _ = try await cluster.start() }
            #expect(error?.description.contains("unrecognized configuration parameter") == true)
            #expect(error?.description.contains("server.log") == true)
        }
    }

    @Test func `a socket directory that is not ours is refused`() async throws {
        try await withTemporaryDirectory { folder in
            var places = places(folder)
            places.socketDirectory = folder
            let cluster = PrivateCluster(directory: folder + "/data", durability: .ephemeral, places: places)
            _ = try await cluster.start()
            let socket = try #require(
                FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasPrefix("subledger-") })
            try await cluster.stop()
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(socket)", withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o755])
            let error = await thrown(PostgresError.self) { _ = try await cluster.start() }
            #expect(error?.description.contains("mode 0700") == true)
        }
    }

    /// A cluster that was stopped and finds `standby.signal` follows no primary, and takes no writes.
    @Test func `a standby is waited for: it may be promoted, and says so`() async throws {
        try await withTemporaryDirectory { folder in
            var places = PrivateCluster.Places()
            (places.stateDirectory, places.socketDirectory) = (folder + "/state", folder)
            let cluster = PrivateCluster(directory: folder + "/data", durability: .ephemeral, places: places)
            let connection = try await PostgresConnection.connect(try await cluster.start())
            let data = try await connection.query(.test("select current_setting('data_directory') as v"))[0].string("v")
            await connection.close()
            try await cluster.stop()
            #expect(FileManager.default.createFile(atPath: data + "/standby.signal", contents: nil))
            let error = await thrown(PostgresError.self) { _ = try await cluster.start() }
            #expect(error?.code == .readOnly && error?.disposition == .retry)
            #expect(error.map { "\($0)" }?.contains("standby") == true, "\(error.map { "\($0)" } ?? "none")")
            try await cluster.stop()
        }
    }
}

/// What only root meets: an ordinary user's server runs as that user, who can reach its own folders.
@Suite("The private server under root", .hangLimit, .enabled(if: geteuid() == 0, "only root steps down"))
struct PrivateClusterUnderRootTests {
    private func cluster(_ folder: String) -> PrivateCluster {
        var places = PrivateCluster.Places()
        places.stateDirectory = folder + "/state"
        return PrivateCluster(directory: folder + "/closed/data", durability: .ephemeral, places: places)
    }

    private func makeClosedFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    @Test
    func `in a folder only root can enter, the cluster lies in the state directory and a file says so`() async throws {
        try await withTemporaryDirectory { folder in
            try makeClosedFolder(folder + "/closed")
            let cluster = cluster(folder)
            let connection = try await PostgresConnection.connect(try await cluster.start())
            try await connection.execute(.test("create table public.t (id bigint)"))
            let pointer = try String(contentsOfFile: folder + "/closed/data/postgres.location", encoding: .utf8)
            let place = pointer.trimmingCharacters(in: .newlines)
            #expect(place.hasPrefix(folder + "/state/") && place.hasSuffix("/postgres"))
            #expect(FileManager.default.fileExists(atPath: place + "/PG_VERSION"))
            #expect(!FileManager.default.fileExists(atPath: folder + "/closed/data/postgres"))
            try await cluster.stop()
            let again = try await PostgresConnection.connect(try await self.cluster(folder).start())
            try await again.execute(.test("select * from public.t"))
            try await cluster.stop()
        }
    }

    @Test
    func `a moved data folder takes its cluster along; a copied one is refused rather than sharing it`() async throws {
        try await withTemporaryDirectory { folder in
            try makeClosedFolder(folder + "/closed")
            let original = cluster(folder)
            _ = try await original.start()
            try await original.stop()
            var places = PrivateCluster.Places()
            places.stateDirectory = folder + "/state"
            try FileManager.default.copyItem(atPath: folder + "/closed/data", toPath: folder + "/closed/copy")
            let copy = PrivateCluster(directory: folder + "/closed/copy", durability: .ephemeral, places: places)
            let error = await thrown(PostgresError.self) { _ = try await copy.start() }
            #expect(error?.description.contains("is a copy of") == true)
            try FileManager.default.removeItem(atPath: folder + "/closed/copy")
            try FileManager.default.moveItem(atPath: folder + "/closed/data", toPath: folder + "/closed/moved")
            let moved = PrivateCluster(directory: folder + "/closed/moved", durability: .ephemeral, places: places)
            _ = try await moved.start()
            #expect(await moved.isStartedHere)
            try await moved.stop()
        }
    }
}
