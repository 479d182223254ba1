// SPDX-License-Identifier: Apache-2.0

import Logging
import Model
import Postgres
import Runs
import SQLCatalog
import Stores

/// A process that works off a night's chunks: its leader, or one that joined it.
///
/// There may be any number of them, on any machine.
/// A chunk is its own by lease and fence; what is said of the night is the run's (`RunExchange`).
struct NightHost: Sendable {
    /// Which of a run's hosts it is.
    struct Identity: Sendable {
        let run: Run
        let isLeading: Bool
        /// Of this process, and of no other; its workers' names begin with it.
        let name: String

        init(_ run: Run, isLeading: Bool) {
            self.run = run
            self.isLeading = isLeading
            name = "\(Leader.current.host):\(Leader.current.processID):\(UInt32.random(in: 0...UInt32.max))"
        }
    }

    /// How often is looked whether a chunk is free that another host had, or that was planned meanwhile.
    static let pause = Duration.milliseconds(250)
    /// How long a lock on a chunk whose lease is over is waited for before it is looked into again: longer than until a wait is reported.
    private static let lockWait = Duration.seconds(15)

    let identity: Identity
    let apps: [StoreApp]
    let options: NightlyOptions
    let sessions: DatabaseSessions
    let logger: Logger
    let progress: any NightProgress
    let time: NightTime
    let stops: StoppedApps
    let deferred: DeferredChecks
    let exchange: RunExchange

    var run: Run { identity.run }

    /// What its statements compare with the run's: a leader that lost the run claims and decides nothing more; NULL of who follows
    /// whichever leads.
    var leaderGeneration: PostgresValue { identity.isLeading ? .int(run.generation) : .null }

    /// Apps that go on.
    private var open: [StoreApp] {
        get async {
            let stopped = await stops.failures
            return apps.filter { stopped[$0.id] == nil }
        }
    }

    /// Works off the chunks that are free by now, the apps side by side: each has a worker of its own, and others help where there
    /// is most to do.
    func work() async throws {
        let leases = ChunkLeases(of: run.id, seconds: options.chunkLeaseSeconds, sessions: sessions, logger: logger)
        do {
            try await leases.maintain {
                try await NightWorkers(host: self, leases: leases).work()
            }
        } catch {
            await giveUpChunks(because: error)
            throw error
        }
    }

    /// The same, until no host is at a chunk any more: what another one was answered is loaded, or its lease is over.
    func workToTheEnd() async throws {
        while true {
            try await work()
            let left = try await openWork()
            guard left.leased > 0 || left.free > 0 && !time.isOver else { return }
            // Also where chunks are free: a leader that has lost the run may claim none of them, and learns of it by its lease.
            try await Task.sleep(for: Self.pause)
        }
    }

    /// Chunks that hosts are at, of whatever app, and those that are free.
    private func openWork() async throws -> (leased: Int64, free: Int64) {
        let parameters: [PostgresValue] = [.int(run.id), .textArray(await open.map(\.id.rawValue))]
        let row = try await sessions.use { try await $0.query(SQL.Pipeline.countOpenWork, parameters) }.first
        guard let row else { return (0, 0) }
        return (try row.int64("leased"), try row.int64("free"))
    }

    /// Frees chunks whose lease is over.
    ///
    /// A claim passes over what somebody's open transaction has locked: this ends the sessions of hosts that are frozen in one, and
    /// waits a while for the others, saying for whom.
    func freeChunks() async throws {
        try await sessions.use { connection in
            try await connection.execute(SQL.Pipeline.releaseChunks, [.int(run.id)])
            try await RunLedger(connection: connection)
                .endSilentSessions(of: run, silentFor: options.leaseSeconds, logger)
            do {
                _ = try await connection.query(
                    SQL.Pipeline.awaitOverdueChunks, [.int(run.id), .text("\(Self.lockWait.components.seconds)s")])
            } catch let error as PostgresError where error.disposition == .retry && !error.isOutage {
                logger.info("a chunk whose lease is over is still locked", metadata: ["run": "\(run.id)"])
            }
        }
    }

    /// Apps with chunks that are free by now.
    func claimableApps() async throws -> [AppID] {
        let asked = await open.filter { !$0.client.isLeavingToOthers }
        let parameters: [PostgresValue] = [.int(run.id), .textArray(asked.map(\.id.rawValue)), leaderGeneration]
        return try await sessions.use { try await $0.query(SQL.Pipeline.listClaimableApps, parameters) }
            .map { (row) throws(PostgresError) in AppID(try row.string("app_id")) }
    }

    /// Others need not wait for the end of the leases.
    ///
    /// In a task of its own: an interrupted one sends no statement. Where the database is away, the leases do end.
    private func giveUpChunks(because error: any Error) async {
        guard !PostgresError.isOutage(error) else { return }
        let leaving = Task {
            _ = try? await sessions.useOnce {
                try await $0.execute(SQL.Pipeline.giveUpChunks, [.int(run.id), .text(identity.name + ":")])
            }
        }
        let limit = Task {
            guard (try? await Task.sleep(for: .seconds(5))) != nil else { return }
            leaving.cancel()
        }
        await leaving.value
        limit.cancel()
    }
}
