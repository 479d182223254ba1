// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import SimulatorServer
import StoreSimulator
import TestSupport

/// A whole installation: the simulated store, a database, a configuration, and the program as a process of its own.
final class NightWorld: Sendable {
    /// 2026-01-05T02:15:00Z: the first night.
    static let firstNight = Instant(micros: 1_767_579_300_000_000)

    let stores: SimulatedStores
    let connection: PostgresConnection
    let directory: String
    var configuration: String { directory + "/subledger.yaml" }
    var reports: String { directory + "/reports" }

    init(stores: SimulatedStores, connection: PostgresConnection, directory: String) {
        self.stores = stores
        self.connection = connection
        self.directory = directory
    }

    /// Makes an installation with a population of that seed; everything is gone afterwards.
    static func with(
        seed: UInt64, customersPerApp: Int, apps: [SimulatorConfiguration.App],
        adapting adapt: (inout SimulatorConfiguration) -> Void = { _ in },
        _ body: (NightWorld) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            var store = SimulatorConfiguration(
                seed: seed, customersPerApp: customersPerApp, apps: apps,
                startClock: (firstNight - .days(1)).micros, directory: directory + "/store")
            store.keyStock = .shared
            adapt(&store)
            let stores = try await SimulatedStores.start(store)
            defer { stores.stop() }
            try await withTestDatabase(from: installed) { connection, _ in
                let world = NightWorld(stores: stores, connection: connection, directory: directory)
                try await world.configure()
                try await body(world)
            }
        }
    }

    /// A database that `subledger migrate` has filled: once in a test process, not once an installation.
    private static let installed = TestTemplate("installed_template") { connection in
        try await withTemporaryDirectory { directory in
            let store = SimulatorConfiguration(
                seed: 1, customersPerApp: 1, apps: [.receipt(id: "acme-legacy", bundleID: "com.acme.old")],
                startClock: (firstNight - .days(1)).micros, directory: directory + "/store")
            let stores = try await SimulatedStores.start(store)
            defer { stores.stop() }
            let world = NightWorld(stores: stores, connection: connection, directory: directory)
            try await world.configure()
            let result = try await world.subledger("migrate")
            guard result.exitCode == 0 else { throw NightError("migrate: \(result.standardError.suffix(2_000))") }
        }
    }

    /// Writes the configuration.
    ///
    /// `administrator`: a session of the same database that may ask where the server is.
    func configure(asking administrator: PostgresConnection? = nil) async throws {
        let place =
            try await (administrator ?? connection).lines(
                "select current_setting('unix_socket_directories') as s, current_setting('port') as p, "
                    + "current_database() as d"
            ).first?.split(separator: "|").map(String.init) ?? []
        let user = try await connection.lines("select current_user as u").first ?? ""
        guard place.count == 3 else { throw NightError("the test database does not say where it is") }
        let socket = place[0].addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let text = """
            database:
              url: postgresql://\(user)@/\(place[2])?host=\(socket)&port=\(place[1])
            data: \(directory)/data
            clock: simulated
            reports: { directory: \(reports), currency: USD, time_zone: UTC, language: en }
            nightly: { wait_for_store: 1s }
            \(stores.appsConfiguration())
            """
        try text.write(toFile: configuration, atomically: true, encoding: .utf8)
    }

    /// Runs the program and waits for it.
    @discardableResult
    func subledger(_ arguments: String...) async throws -> CommandLineRun.Result {
        try await CommandLineRun(product: "subledger", arguments: arguments + ["--config", configuration]).run()
    }

    /// One night: the clock moves on, the backend hands in what was bought since the last one, and the job runs.
    @discardableResult
    func night(_ number: Int, _ options: String..., expecting exitCode: Int32 = 0) async throws -> CommandLineRun.Result
    {
        let last = number == 1 ? Instant.distantPast : Self.instant(of: number - 1)
        return try await nightly(at: Self.instant(of: number), since: last, options, expecting: exitCode)
    }

    /// The same at any instant; `reading` is the stores' clock where the night is a long one, and asks them later than it began.
    @discardableResult
    func nightly(
        at now: Instant, since last: Instant, reading storeClock: Instant? = nil, _ options: [String],
        expecting exitCode: Int32 = 0
    ) async throws -> CommandLineRun.Result {
        stores.setClock((storeClock ?? now).micros)
        try await register(from: last, to: now)
        try await takeIn(from: last, to: now)
        let arguments = ["nightly", "--now", now.iso8601, "--config", configuration] + options
        let result = try await CommandLineRun(product: "subledger", arguments: arguments).run()
        guard result.exitCode == exitCode else {
            throw NightError(
                "the run of \(now.iso8601) ended with \(result.exitCode):\n\(result.standardOutput)\n"
                    + "\(result.standardError.suffix(4_000))\n\(try await whatWasAmiss())")
        }
        return result
    }

    /// Dead letters: what makes a night partial, where its books close.
    private func whatWasAmiss() async throws -> String {
        let letters = try await connection.lines(
            "select app_id, stage, reason, count(*), min(detail) from subledger.dead_letters "
                + "where resolved_at is null group by app_id, stage, reason")
        return letters.joined(separator: "\n")
    }

    /// What the backend hands in for the purchases of that time.
    func register(from: Instant, to: Instant) async throws {
        try await register(stores.registrations(since: from.micros, until: to.micros), at: to)
    }

    /// Hands these in as a file of subscriptions.
    func register(_ bought: [Registration], at now: Instant) async throws {
        guard !bought.isEmpty else { return }
        let file = directory + "/registrations.jsonl"
        try SimulatedStores.jsonLines(bought).write(toFile: file, atomically: true, encoding: .utf8)
        let result = try await subledger("import", "subscriptions", file, "--now", now.iso8601)
        guard result.exitCode == 0 else { throw NightError("import: \(result.standardError.suffix(2_000))") }
    }

    static func instant(of night: Int) -> Instant { firstNight + .days(Int64(night - 1)) }

    /// The last complete day before that night, in UTC.
    static func businessDate(of night: Int) -> String {
        BusinessDate(lastCompleteDayBefore: instant(of: night), in: .gmt).description
    }
}

/// A night did not end as it should have.
struct NightError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
