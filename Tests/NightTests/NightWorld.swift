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

    private init(stores: SimulatedStores, connection: PostgresConnection, directory: String) {
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
            adapt(&store)
            let stores = try await SimulatedStores.start(store)
            defer { stores.stop() }
            try await withTestDatabase { connection, _ in
                let world = NightWorld(stores: stores, connection: connection, directory: directory)
                try await world.configure()
                try await body(world)
            }
        }
    }

    private func configure() async throws {
        let place =
            try await connection.lines(
                "select current_setting('unix_socket_directories') as s, current_setting('port') as p, "
                    + "current_database() as d, current_user as u"
            ).first?.split(separator: "|").map(String.init) ?? []
        guard place.count == 4 else { throw NightError("the test database does not say where it is") }
        let socket = place[0].addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let text = """
            database:
              url: postgresql://\(place[3])@/\(place[2])?host=\(socket)&port=\(place[1])
            data: \(directory)/data
            clock: simulated
            reports: { directory: \(reports), currency: USD, time_zone: UTC, language: en }
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

    /// Dead letters, and checks that found differences: what makes a night partial.
    private func whatWasAmiss() async throws -> String {
        let letters = try await connection.lines(
            "select app_id, stage, reason, count(*), min(detail) from subledger.dead_letters "
                + "where resolved_at is null group by app_id, stage, reason")
        return (letters + (try await differences())).joined(separator: "\n")
    }

    /// What each of the checks finds as of the newest seal.
    private func differences() async throws -> [String] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "sql/checks")
        var found: [String] = []
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            let name = file.deletingPathExtension().lastPathComponent
            let text = try String(contentsOf: file, encoding: .utf8)
            let seal = PostgresValue.int(try await newestSeal())
            let rows = try await connection.query(
                Statement(name: name, text: text), text.contains("$2") ? [seal, .null] : [seal])
            found += try rows.map {
                "\(name): \(try $0.string("subject")): \(try $0.string("expected")), not \(try $0.string("found"))"
            }
        }
        return found.sorted()
    }

    private func newestSeal() async throws -> Int64 {
        let lines = try await connection.lines("select max(seal) from subledger.runs")
        return lines.first.flatMap { Int64($0) } ?? 0
    }

    /// What the backend hands in for the purchases of that time.
    func register(from: Instant, to: Instant) async throws {
        let bought = stores.registrations(since: from.micros, until: to.micros)
        guard !bought.isEmpty else { return }
        let file = directory + "/registrations.jsonl"
        try SimulatedStores.jsonLines(bought).write(toFile: file, atomically: true, encoding: .utf8)
        let result = try await subledger("import", "subscriptions", file, "--now", to.iso8601)
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
