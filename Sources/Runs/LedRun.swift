// SPDX-License-Identifier: Apache-2.0

package import Logging
package import Postgres

/// Leads runs: each has its lease while it is worked on, and ends with what the work came to.
///
/// Over sessions that are opened again it survives their loss: what is sent again is looked up in the ledger first.
package struct LedRun: Sendable {
    private let access: any DatabaseAccess
    /// Of which one is used, for the lease.
    private let leases: DatabaseSessions
    private let leader: Leader
    private let leaseSeconds: Int64
    private let waiting: RunWaiting
    /// How long a run that broke off is waited for to be written down as such.
    private let partingLimit: Duration
    private let logger: Logger

    init(
        access: any DatabaseAccess, leases: DatabaseSessions, leader: Leader = .current, leaseSeconds: Int64,
        waiting: RunWaiting, partingLimit: Duration = .seconds(5), logger: Logger
    ) {
        self.access = access
        self.leases = leases
        self.leader = leader
        self.leaseSeconds = leaseSeconds
        self.waiting = waiting
        self.partingLimit = partingLimit
        self.logger = logger
    }

    /// `leaseSeconds`: how long a leader that stopped renewing is still taken for alive.
    ///
    /// `waiting`: how an open run of the same apps is waited for.
    package init(
        sessions: DatabaseSessions, leaseSeconds: Int64 = RunLedger.leaseSeconds, waiting: RunWaiting = RunWaiting(),
        logger: Logger
    ) {
        self.init(
            access: sessions, leases: sessions, leaseSeconds: leaseSeconds, waiting: waiting, logger: logger)
    }

    /// As `RunLedger.withRun`, which says what it throws.
    package func run<Value: Sendable>(
        _ request: RunRequest, ifBroken: BrokenRun,
        work: @Sendable @escaping (Run) async throws -> RunEnding<Value>
    ) async throws -> Value {
        let stages = request.stages
        let run = try await stages.measure("wait") {
            try await access.use { try await ledger($0).open(request, logger: logger) }
        }
        do {
            try await access.name(SessionName(of: run))
            return try await RunLease.maintain(run, on: leases, seconds: leaseSeconds, logger: logger) {
                let ending = try await work(run)
                try await access.use {
                    try await ledger($0).finish(run, outcome: ending.outcome, counts: ending.counts)
                }
                report(run: run, outcome: ending.outcome.rawValue, counts: ending.counts, stages: stages)
                return ending.value
            }
        } catch {
            await giveUp(run, because: error, ifBroken)
            report(run: run, outcome: ifBroken.outcome, counts: [:], stages: stages)
            throw error
        }
    }

    /// The same for a run that is sealed when its work is done.
    ///
    /// `conclude` reads as of the seal, over the session it is given; where that is lost it is called again, for the
    /// same seal.
    package func run<Work: Sendable, Value: Sendable>(
        _ request: RunRequest, ifBroken: BrokenRun,
        work: @Sendable @escaping (Run) async throws -> Work,
        conclude:
            @Sendable @escaping (Run, _ seal: Int64, Work, PostgresConnection) async throws -> RunEnding<Value>
    ) async throws -> Value {
        try await self.run(request, ifBroken: ifBroken) { run in
            let done = try await request.stages.measure("work") { try await work(run) }
            return try await request.stages.measure("report") {
                try await access.use { connection in
                    // Another server may have taken the place of the one that the work was loaded into; each has sessions of its own.
                    try await ledger(connection).confirmWork(of: run)
                    return try await ledger(connection).seal(run, of: request, logger) { seal in
                        try await conclude(run, seal, done, connection)
                    }
                }
            }
        }
    }

    private func report(run: Run, outcome: String, counts: [String: Int64], stages: StageSeconds) {
        RunEvent(run: run, outcome: outcome, counts: counts, seconds: stages.seconds).log(to: logger)
    }

    private func ledger(_ connection: PostgresConnection) -> RunLedger {
        RunLedger(connection: connection, leader: leader, leaseSeconds: leaseSeconds, waiting: waiting)
    }

    /// In a task of its own: an interrupted one sends no statement.
    ///
    /// Where the work's session is lost, over that of the lease; where even this cannot be written, the lease does end;
    /// a server that says nothing is not waited for.
    private func giveUp(_ run: Run, because error: any Error, _ ifBroken: BrokenRun) async {
        let reason: any Error = Task.isCancelled ? Interrupted() : error
        let isLost = PostgresError.isOutage(error)
        let (ended, end) = AsyncStream.makeStream(of: Never.self)
        Task {
            defer { end.finish() }
            if isLost {
                try? await leases.useOnce(.leases) { await self.end(run, because: reason, ifBroken, over: $0) }
            } else {
                try? await access.useOnce { await self.end(run, because: reason, ifBroken, over: $0) }
            }
        }
        let limit = Task {
            guard (try? await Task.sleep(for: partingLimit)) != nil else { return }
            end.finish()
        }
        await Task { for await _ in ended {} }.value
        limit.cancel()
    }

    private func end(
        _ run: Run, because reason: any Error, _ ifBroken: BrokenRun, over connection: PostgresConnection
    ) async {
        switch ifBroken {
        case .resumable: await ledger(connection).leave(run, because: reason)
        case .failed(let counts): await ledger(connection).fail(run, because: reason, counts: counts)
        }
    }
}

/// The reason of a run that a signal broke off.
private struct Interrupted: Error, CustomStringConvertible {
    let description = "interrupted"
}
