// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import StoreSimulator
import Synchronization
import TestSupport
import Testing

/// A copy of the life under attack: its database behind a proxy, a folder for its reports, and short leases.
final class AttackedLife: Sendable {
    static let leaseSeconds = 2
    /// By which the test's own sessions are known from the program's.
    static let sessionName = "attack"

    let life: FaultLife
    let proxy: CuttingProxy
    let directory: String
    let database: String
    private let opened = OpenedSessions()
    /// What took the place of the life's server; nil while that is there.
    private let successor = Mutex<PostgresConfiguration?>(nil)

    init(of life: FaultLife, database: String, directory: String) async throws {
        (self.life, self.database, self.directory) = (life, database, directory)
        let server = try await PostgresConnection.connect(try await life.cluster.configuration())
        proxy = try CuttingProxy(toSocket: try await server.socketPath())
        await server.close()
        try configure()
    }

    /// The configuration, with other texts where an attack says so.
    func configure(_ changes: [(String, String)] = []) throws {
        var text = """
            database: { url: "postgresql://\(FaultLife.role)@127.0.0.1:\(proxy.port)/\(database)", retry_for: 60s }
            data: \(directory)/data
            clock: simulated
            lease: \(Self.leaseSeconds)s
            reports: { directory: \(directory)/reports, currency: USD, time_zone: UTC, language: en }
            nightly: { wait_for_store: 10m }
            \(life.stores.appsConfiguration())
            """
        for (old, new) in changes {
            guard text.contains(old) else { throw NightError("the configuration does not say \(old)") }
            text = text.replacing(old, with: new)
        }
        try text.write(toFile: directory + "/subledger.yaml", atomically: true, encoding: .utf8)
    }

    /// A session past the proxy, of the program's own role or of a superuser's; closed when the attack is over.
    func connect(asAdministrator: Bool = false) async throws -> PostgresConnection {
        var server = try await server().with(database: database)
        server.applicationName = Self.sessionName
        let connection = try await PostgresConnection.connect(
            asAdministrator ? server : server.with(user: FaultLife.role))
        await opened.add(connection)
        return connection
    }

    /// The installation, seen over a new session: a server that was restarted has ended the older ones.
    func world() async throws -> NightWorld {
        NightWorld(stores: life.stores, connection: try await connect(), directory: directory)
    }

    func close() async { await opened.close() }

    /// Where the database is by now.
    private func server() async throws -> PostgresConfiguration {
        if let successor = successor.withLock(\.self) { return successor }
        return try await life.cluster.configuration()
    }

    /// From now on sessions are opened there, and the life's server need not be.
    func move(to server: PostgresConfiguration) { successor.withLock { $0 = server } }

    // MARK: - Jobs

    func start(_ job: FaultJob) throws -> RunningProgram { try start(job.arguments(life)) }

    private func start(_ arguments: [String]) throws -> RunningProgram {
        try CommandLineRun(product: "subledger", arguments: arguments + ["--config", directory + "/subledger.yaml"])
            .start()
    }

    func run(_ job: FaultJob) async throws -> CommandLineRun.Result { try await start(job).result() }

    func run(_ arguments: [String]) async throws -> CommandLineRun.Result { try await start(arguments).result() }

    /// The rule of schedules: what ended by a kill or with 75 is started again, after its lease.
    func makeGood(_ job: FaultJob) async throws -> CommandLineRun.Result {
        try await waitForDeadLeases()
        return try await run(job)
    }

    /// Until no leader of an open run is taken for alive.
    func waitForDeadLeases() async throws {
        let session = try await connect()
        let alive = "select run_id from subledger.runs where outcome = 'running' and leased_until > clock_timestamp()"
        while try await !session.lines(alive).isEmpty { try await Task.sleep(for: .milliseconds(50)) }
    }

    // MARK: - What it came to

    /// Every table and every file of the reports is as it would have been without the attack.
    ///
    /// `byContent`: a second run wrote a part of it.
    func expectUnbroken(_ job: FaultJob, byContent: Bool = false, _ attack: Attack) async throws {
        try await expectUnbroken([job], byContent: byContent, attack)
    }

    /// The same where several jobs ran, which are undisturbed one after the other.
    ///
    /// `isIssuedTwice`: there may be several issues of a date, each as it would have been.
    func expectUnbroken(
        _ jobs: [FaultJob], byContent: Bool, isIssuedTwice: Bool = false, _ attack: Attack
    ) async throws {
        let (unbroken, now) = (try await life.unbroken(jobs), try await Yardstick(of: self))
        let (expected, found) = byContent ? (unbroken.contents, now.contents) : (unbroken.tables, now.tables)
        let differing = expected.keys.filter { expected[$0] != found[$0] }.sorted()
        #expect(differing == [], "\(attack): tables differ from those of an undisturbed \(jobs)")
        // Rows that are written twice are the same rows: only what is counted tells it.
        if !byContent {
            #expect(now.checks == unbroken.checks, "\(attack): other checks are counted than by an undisturbed \(jobs)")
            #expect(now.purchases == unbroken.purchases, "\(attack): purchases are judged otherwise than by \(jobs)")
        }
        let expectedFiles = isIssuedTwice ? Self.copied(unbroken.files, to: now.files) : unbroken.files
        let files = Set(expectedFiles.keys).union(now.files.keys)
            .filter { expectedFiles[$0] != now.files[$0] }.sorted()
        #expect(files == [], "\(attack): files differ from those of an undisturbed \(jobs)")
    }

    /// The files of each date's issue, as those of all its issues that are there.
    private static func copied(_ files: [String: Data], to present: [String: Data]) -> [String: Data] {
        var copies = files
        for issue in Set(present.keys.map { $0.prefix { $0 != "/" } }) {
            let date = issue.prefix { $0 != "." }
            for (name, bytes) in files where name.hasPrefix(date + "/") {
                copies[issue + String(name.dropFirst(date.count))] = bytes
            }
        }
        return copies
    }

    /// The tables as CSV, by issue and name; half a report would lack some.
    func issuedFiles() throws -> [String: Data] {
        let reports = directory + "/reports"
        guard FileManager.default.fileExists(atPath: reports) else { return [:] }
        var files: [String: Data] = [:]
        for issue in try FileManager.default.contentsOfDirectory(atPath: reports) where issue.hasPrefix("2") {
            for file in try FileManager.default.contentsOfDirectory(atPath: "\(reports)/\(issue)")
            where file.hasSuffix(".csv") {
                files["\(issue)/\(file)"] = FileManager.default.contents(atPath: "\(reports)/\(issue)/\(file)")
            }
        }
        return files
    }
}

/// The sessions of an attack.
private actor OpenedSessions {
    private var sessions: [PostgresConnection] = []

    func add(_ session: PostgresConnection) { sessions.append(session) }

    func close() async {
        for session in sessions { await session.close() }
        sessions = []
    }
}
