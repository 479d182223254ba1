// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import StoreSimulator
import TestSupport
import Testing

/// A streaming standby for those who only look.
@Suite(.serialized, .hangLimit) struct StandbyReadTests {
    private static let apps: [SimulatorConfiguration.App] = [.server(id: "acme-ios", bundleID: "com.acme.app")]
    private static let now = NightWorld.instant(of: 1).iso8601

    @Test func `jobs that only look read the standby and say how far it lags; cite, exports and nights do not`()
        async throws
    {
        let cluster = TestCluster()
        try await NightWorld.onOwnServer(cluster, seed: 63, customersPerApp: 8, apps: Self.apps) { world, _ in
            try await world.night(1)
            try await Self.withStandby(of: cluster) { standby in
                let url = try Self.url(of: standby)
                try await world.with([("database:\n", "database:\n  read_url: \(url)\n")]) {
                    try await Self.expectReadThere(world, standby)
                }
                try await world.with([("  url: ", "  retry_for: 1s\n  url: \(url)\n  # ")]) {
                    try await Self.expectRefused(world)
                }
            }
        }
    }

    /// What the primary alone has is not to be seen by those who look, and is by `cite`, which asks the primary.
    private static func expectReadThere(_ world: NightWorld, _ standby: StandbyServer) async throws {
        try await follow(standby, world)
        let following = try await world.subledger("status", "--now", now)
        #expect(following.standardOutput.contains("Read on a standby\n  its last commit is of "))
        #expect(!following.standardOutput.contains("it receives nothing at present"))
        try await part(standby)
        try await world.connection.script("select subledger.register('acme-ios', '2000000000000001', 'late-account')")
        let lag = "; it receives nothing at present, and may lack what was committed since"
        let jobs: [([String], Int32)] = [
            (["explain", "late-account"], 1), (["report", "--verify"], 0), (["notifications", "export"], 0),
        ]
        for (job, ending) in jobs {
            let result = try await run(job, world)
            #expect(result.exitCode == ending, "\(job): \(result.standardError)")
            #expect(result.standardError.contains("read on the standby host="), "\(job): \(result.standardError)")
            #expect(result.standardError.contains(lag), "\(job): \(result.standardError)")
        }
        let status = try await run(["status"], world)
        #expect(status.exitCode == 0 && status.standardOutput.contains(lag), "\(status.standardError)")
        let citation = try await run(["cite", "mrr"], world)
        #expect(citation.exitCode == 0 && !citation.standardError.contains("standby"), "\(citation.standardError)")
    }

    /// Where `database.url` itself names the standby.
    private static func expectRefused(_ world: NightWorld) async throws {
        let sentence =
            "makes tables of its session, which a standby cannot have, and database.url names one (host="
        for job in [["cite", "mrr"], ["report", "--as-of", "seal:1"]] {
            let result = try await run(job, world)
            #expect(result.exitCode == 64, "\(job): \(result.standardError)")
            #expect(result.standardError.contains(sentence), "\(job): \(result.standardError)")
        }
        let night = try await run(["nightly"], world)
        #expect(night.exitCode == 75)
        #expect(night.standardError.contains("is a read-only standby"), "\(night.standardError)")
    }

    private static func run(_ job: [String], _ world: NightWorld) async throws -> CommandLineRun.Result {
        try await CommandLineRun(
            product: "subledger", arguments: job + ["--now", now, "--config", world.configuration]
        ).run()
    }

    /// A commit reaches the standby: before the first it cannot say of when its last one is.
    private static func follow(_ standby: StandbyServer, _ world: NightWorld) async throws {
        try await world.connection.script("select subledger.register('acme-ios', '2000000000000002', 'early-account')")
        try await wait(on: standby, while: "select 1 as one where pg_last_xact_replay_timestamp() is null")
    }

    /// From now on the standby has nothing more of the primary, and knows it.
    private static func part(_ standby: StandbyServer) async throws {
        standby.link.refuse()
        standby.link.cutAll()
        try await wait(on: standby, while: "select pid from pg_stat_wal_receiver where pid is not null")
    }

    /// Until the query has no row.
    private static func wait(on standby: StandbyServer, while query: String) async throws {
        let session = try await PostgresConnection.connect(standby.configuration.forReadingAnywhere)
        while try await !session.lines(query).isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        await session.close()
    }

    private static func withStandby(
        of cluster: TestCluster, _ body: (StandbyServer) async throws -> Void
    ) async throws {
        let standby = try await StandbyServer(following: cluster)
        let result: Result<Void, any Error>
        do { result = .success(try await body(standby)) } catch { result = .failure(error) }
        try await standby.remove()
        try result.get()
    }

    private static func url(of standby: StandbyServer) throws -> String {
        let folder = URL(fileURLWithPath: standby.socketPath).deletingLastPathComponent().path
        let socket = try #require(folder.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        return "postgresql://etl@/billing?host=\(socket)&port=5432"
    }
}
