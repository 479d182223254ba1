// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import SimulatorServer
import StoreSimulator
import TestSupport

/// A short life before the attacked night, played once: each attack begins with a copy of its database.
///
/// Two nights have been; eighteen days later much is due, and what was bought meanwhile was partly imported, waits partly in
/// the inbox, and lies partly in a file that is still to be imported.
final class FaultLife: Sendable {
    private static let apps: [SimulatorConfiguration.App] = [
        .server(id: "acme-ios", bundleID: "com.acme.app", hasNotificationURL: true),
        .receipt(id: "acme-legacy", bundleID: "com.acme.old"),
        .play(id: "acme-android", packageName: "com.acme.app"),
    ]
    /// No superuser: limits hold for it, and what it may not see it does not see.
    static let role = "etl"
    private static let template = "life"
    static let attackedNight = 20
    /// After the second night.
    static let noon = NightWorld.instant(of: 2) + .hours(10)

    let stores: SimulatedStores
    let cluster: TestCluster
    let directory: String
    private let yardsticks = Yardsticks()

    private init(stores: SimulatedStores, cluster: TestCluster, directory: String) {
        (self.stores, self.cluster, self.directory) = (stores, cluster, directory)
    }

    static func with(_ body: (FaultLife) async throws -> Void) async throws {
        try await withTemporaryDirectory { directory in
            var store = SimulatorConfiguration(
                seed: 20_260_124, customersPerApp: 20, apps: apps,
                startClock: (NightWorld.firstNight - .days(1)).micros, directory: directory + "/store")
            store.keyStock = .shared
            store.requestsPerSecond = 1_000
            let stores = try await SimulatedStores.start(store)
            defer { stores.stop() }
            let life = FaultLife(stores: stores, cluster: TestCluster(), directory: directory)
            try await life.play()
            try await body(life)
        }
    }

    /// The file of subscriptions that the attacked import reads.
    var importFile: String { directory + "/later.jsonl" }

    private func play() async throws {
        let server = try await cluster.configuration()
        try await administer("create role \(Self.role) login")
        // A server of tests may lose what it said it has: one that loses its power must not.
        try await administer("alter role \(Self.role) set synchronous_commit = on")
        try await administer("create database \(Self.template) owner \(Self.role) template template0")
        let database = server.with(database: Self.template)
        let administrator = try await PostgresConnection.connect(database)
        let owner = try await PostgresConnection.connect(database.with(user: Self.role))
        let world = NightWorld(stores: stores, connection: owner, directory: directory)
        try await world.configure(asking: administrator)
        for night in 1...2 { try await world.night(night) }
        try await handIn(world)
        await owner.close()
        await administrator.close()
    }

    /// What was bought until the attacked night, by each of the ways in which it comes.
    private func handIn(_ world: NightWorld) async throws {
        let now = NightWorld.instant(of: Self.attackedNight)
        stores.setClock(now.micros)
        let bought = stores.registrations(since: NightWorld.instant(of: 2).micros, until: now.micros)
        let parts = (0..<3).map { part in bought.enumerated().filter { $0.offset % 3 == part }.map(\.element) }
        guard parts.allSatisfy({ $0.count > 1 }) else { throw NightError("too little was bought: \(bought.count)") }
        let early = directory + "/early.jsonl"
        try SimulatedStores.jsonLines(parts[0]).write(toFile: early, atomically: true, encoding: .utf8)
        try SimulatedStores.jsonLines(parts[1]).write(toFile: importFile, atomically: true, encoding: .utf8)
        let result = try await world.subledger("import", "subscriptions", early, "--now", Self.noon.iso8601)
        guard result.exitCode == 0 else { throw NightError("import: \(result.standardError)") }
        try await world.handIn(parts[2], at: now)
    }

    /// A folder becomes the server's own.
    func give(_ folder: String) async throws {
        let server = try await PostgresConnection.connect(try await cluster.configuration())
        let data = try await server.lines("select current_setting('data_directory') as it").first ?? ""
        await server.close()
        let owner = try FileManager.default.attributesOfItem(atPath: data)
        try FileManager.default.setAttributes(
            [.ownerAccountID: owner[.ownerAccountID] ?? 0, .posixPermissions: 0o700], ofItemAtPath: folder)
    }

    /// One command to the server, past every limit.
    func administer(_ command: String) async throws {
        let administrator = try await PostgresConnection.connect(try await cluster.configuration())
        try await administrator.script(command)
        await administrator.close()
    }

    /// Plays an attack on a copy of the life; nothing is left of it afterwards.
    func attack(_ body: (AttackedLife) async throws -> Void) async throws {
        let name = "attack_" + UUID().uuidString.lowercased().replacing("-", with: "")
        try await administer("create database \(name) owner \(Self.role) template \(Self.template)")
        // A copy's sequences begin again where they were copied, were the server to lose its power before the next checkpoint.
        try await administer("checkpoint")
        stores.faults.clear()
        stores.setClock(NightWorld.instant(of: Self.attackedNight).micros)
        try await withTemporaryDirectory { folder in
            let attacked = try await AttackedLife(of: self, database: name, directory: folder)
            try await body(attacked)
            await attacked.close()
        }
        try await administer("drop database \(name) with (force)")
    }

    /// What the job leaves where nothing disturbs it.
    func unbroken(_ job: FaultJob) async throws -> Yardstick { try await unbroken([job]) }

    /// What jobs leave one after the other.
    func unbroken(_ jobs: [FaultJob]) async throws -> Yardstick {
        try await yardsticks.of(jobs) {
            var yardstick: Yardstick?
            try await self.attack { life in
                let started = ContinuousClock.now
                for job in jobs {
                    let result = try await life.run(job)
                    guard result.exitCode == 0 else {
                        throw NightError(
                            "\(job) undisturbed: \(result.exitCode) \(result.standardError.suffix(3_000))")
                    }
                }
                let duration = ContinuousClock.now - started
                yardstick = try await Yardstick(of: life, duration: duration)
            }
            return try yardstick ?? { throw NightError("\(jobs) were not played") }()
        }
    }
}

/// What a job leaves, and what it said to the database.
struct Yardstick: Sendable {
    /// By table, with the runs that wrote.
    let tables: [String: String]
    /// By table, whichever run wrote.
    let contents: [String: String]
    /// By night and app, how many checks the night's chunks have counted: more than were made where a chunk was loaded twice.
    let checks: [String]
    /// What became of the purchases that were handed in.
    let purchases: [String]
    /// The CSV files of the issues, by folder and name.
    let files: [String: Data]
    /// What went through the proxy.
    let bytes: [CuttingProxy.Direction: Int]
    /// How long it took.
    let duration: Duration

    init(of life: AttackedLife, duration: Duration = .zero) async throws {
        self.duration = duration
        let world = try await life.world()
        tables = try await world.checksums()
        contents = try await world.checksums(byContent: true)
        (checks, purchases) = (
            try await world.connection.lines(Self.counted), try await world.connection.lines(Self.judged)
        )
        files = try life.issuedFiles()
        bytes = Dictionary(uniqueKeysWithValues: CuttingProxy.Direction.allCases.map { ($0, life.proxy.bytes($0)) })
    }

    private static let counted = """
        select night.logical_now, chunk.app_id, sum((chunk.counts ->> 'checked')::bigint) as checks
        from subledger.run_chunks chunk
        join subledger.runs night on night.run_id = chunk.run_id and night.job = 'nightly'
        where not chunk.is_beside
        group by night.logical_now, chunk.app_id
        order by night.logical_now, chunk.app_id
        """

    private static let judged = """
        select purchase_id, state, genuine, ours, is_new, is_current, reason, subscription_key, product_id, transaction_id
        from subledger.purchase_inbox
        order by purchase_id
        """
}

/// Those that were needed so far.
private actor Yardsticks {
    private var found: [[FaultJob]: Yardstick] = [:]

    func of(_ jobs: [FaultJob], _ make: @Sendable () async throws -> Yardstick) async throws -> Yardstick {
        if let yardstick = found[jobs] { return yardstick }
        let yardstick = try await make()
        found[jobs] = yardstick
        return yardstick
    }
}
