// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import SimulatorServer
import TestSupport

@testable import StoreSimulator

/// A first night for several hosts: one app, all of whose customers are due, and a database that they reach over TCP with
/// `verify-full`.
struct HostLife: Sendable {
    static let leaseSeconds = 2
    static let now = NightWorld.instant(of: 1)
    private static let app = SimulatorConfiguration.App.server(id: "acme-ios", bundleID: "com.acme.app")
    private static let role = "etl"
    private static let template = "life"

    let network: HostNetwork
    let server: NetworkServer
    let stores: SimulatedStores
    let directory: String

    /// `rate`: requests a second of each endpoint, of all hosts together.
    static func with(customers: Int, rate: Int, _ body: (HostLife) async throws -> Void) async throws {
        try await HostNetwork.with { network in
            try await withTemporaryDirectory { directory in
                var store = SimulatorConfiguration(
                    seed: 1, customersPerApp: 0, apps: [app], startClock: (NightWorld.firstNight - .days(1)).micros,
                    directory: directory + "/store")
                store.keyStock = .shared
                (store.host, store.requestsPerSecond) = (HostNetwork.stores, rate)
                store.customers = UniformLives.lives(
                    of: app, customers: customers, months: 1, firstNight: NightWorld.firstNight.micros)
                let stores = try await SimulatedStores.start(store)
                defer { stores.stop() }
                let server = try await NetworkServer(at: HostNetwork.database, for: HostNetwork.subnet)
                let life = HostLife(network: network, server: server, stores: stores, directory: directory)
                let result: Result<Void, any Error>
                do {
                    try await life.prepare()
                    result = .success(try await body(life))
                } catch {
                    result = .failure(error)
                }
                try await server.remove()
                try result.get()
            }
        }
    }

    private func prepare() async throws {
        let administrator = try await PostgresConnection.connect(server.configuration)
        try await administrator.script("create role \(Self.role) login")
        try await administrator.script("create database \(Self.template) owner \(Self.role)")
        await administrator.close()
        try await world(on: Self.template) { try await $0.moveOn(to: Self.now) }
    }

    /// A copy of it, seen from this machine.
    func copy(named name: String, _ body: (NightWorld) async throws -> Void) async throws {
        let administrator = try await PostgresConnection.connect(server.configuration)
        try await administrator.script("create database \(name) owner \(Self.role) template \(Self.template)")
        await administrator.close()
        try await world(on: name, body)
    }

    private func world(on database: String, _ body: (NightWorld) async throws -> Void) async throws {
        let place = server.configuration.with(database: database)
        let administrator = try await PostgresConnection.connect(place)
        let session = try await PostgresConnection.connect(place.with(user: Self.role))
        let world = NightWorld(stores: stores, connection: session, directory: directory)
        try await world.configure(asking: administrator)
        await administrator.close()
        try await body(world)
        await session.close()
    }

    /// What a night of one host leaves, and how many checks it counts.
    func ofOneHost() async throws -> (tables: [String: String], checks: [String]) {
        var (tables, checks): ([String: String], [String]) = ([:], [])
        try await copy(named: "one_host") { world in
            let fast = ("requests_per_second: \(stores.configuration.requestsPerSecond)", "requests_per_second: 10000")
            try await world.with([fast]) {
                let night = try await world.runAgain(at: Self.now)
                guard night.exitCode == 0 else { throw NightError("one host: \(night.standardError.suffix(2_000))") }
            }
            tables = try await world.checksums()
            checks = try await self.checks(in: world)
        }
        try FileManager.default.removeItem(atPath: directory + "/reports")
        return (tables, checks)
    }

    /// All that the night's chunks have counted: more than were made where one was loaded by two hosts.
    func checks(in world: NightWorld) async throws -> [String] {
        try await world.connection.lines(
            "select sum((counts ->> 'checked')::bigint) as checks from subledger.run_chunks where not is_beside")
    }

    // MARK: - Hosts

    /// The configuration that all hosts have, for that copy.
    func configuration(of database: String) throws -> String {
        let file = directory + "/hosts.yaml"
        let lines = try String(contentsOfFile: directory + "/subledger.yaml", encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
        let text = lines.map { line in
            if line.hasPrefix("  url: ") { return "  url: \"\(server.url(of: database, as: Self.role))\"" }
            return line == "clock: simulated" ? "clock: simulated\nlease: \(Self.leaseSeconds)s" : String(line)
        }
        try text.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
        return file
    }

    func lead(on host: Int, _ configuration: String, workers: Int = 1) throws -> RunningProgram {
        try start(["nightly", "--once", "--workers", "\(workers)"], on: host, configuration)
    }

    func work(on host: Int, _ configuration: String, workers: Int = 1) throws -> RunningProgram {
        try start(["work", "--wait", "5m", "--workers", "\(workers)"], on: host, configuration)
    }

    private func start(_ words: [String], on host: Int, _ configuration: String) throws -> RunningProgram {
        try network.start(on: host, words + ["--now", Self.now.iso8601, "--config", configuration])
    }

    /// One that goes by its own clock, which is an hour fast.
    func workAnHourFast(on host: Int, _ configuration: String) async throws -> CommandLineRun.Result {
        try FastClock.source(seconds: 3_600).write(toFile: directory + "/clock.c", atomically: true, encoding: .utf8)
        let library = directory + "/clock.so"
        let compiled = try await CommandLineRun(
            product: "/usr/bin/env", arguments: ["clang", "-shared", "-fPIC", "-o", library, directory + "/clock.c"]
        ).run()
        guard compiled.exitCode == 0 else { throw NightError("clang: \(compiled.standardError)") }
        let program = try network.start(
            on: host, ["work", "--wait", "1m", "--config", configuration], environment: ["LD_PRELOAD": library])
        return await program.result()
    }
}

/// A library that a program's clock is fast by.
enum FastClock {
    static func source(seconds: Int) -> String {
        """
        struct timespec { long tv_sec; long tv_nsec; };
        void *dlsym(void *library, const char *name);
        int clock_gettime(int clock, struct timespec *time) {
            int (*real)(int, struct timespec *) = (int (*)(int, struct timespec *))dlsym((void *)-1, "clock_gettime");
            int result = real(clock, time);
            if (clock == 0) time->tv_sec += \(seconds);
            return result;
        }

        """
    }
}
