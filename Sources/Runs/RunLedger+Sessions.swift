// SPDX-License-Identifier: Apache-2.0

package import Logging
import Postgres
import SQLCatalog

/// The end of a session's name, after 63 bytes of which the server cuts it.
///
/// Sessions of a leader carry the run and its generation in their name, which every role may read: whoever goes on
/// after a dead leader ends them. A process that is frozen in the middle of a transaction would lock what its successor
/// needs for ever.
package struct SessionName: Sendable, Hashable {
    let ending: String

    init(run: Int64, generation: Int64) { ending = " run \(run).\(generation)" }

    package init(of run: Run) { self.init(run: run.id, generation: run.generation) }

    /// Of a host that follows: its process and its number, with which the names of its workers (`run_chunks.leased_by`) go on after its
    /// machine's.
    ///
    /// - Parameter name: `machine:process:number`.
    package init(ofHost name: String) {
        ending = " host " + name.split(separator: ":").suffix(2).joined(separator: ":")
    }

    /// Names a session from its next statement on.
    func give(to connection: PostgresConnection) async throws(PostgresError) {
        _ = try await connection.query(SQL.Pipeline.nameSession, [.text(ending)])
    }
}

extension RunLedger {
    /// Ends what a leader whose lease is over has left on the server, as far as this role may: other locks are waited
    /// for.
    ///
    /// Where the leader wakes it finds its sessions gone, and the fence refuses what it writes over new ones. Sessions
    /// are looked at as the login that they belong to; what the transaction does besides is the role's again.
    func endSessions(of run: OpenRun, _ logger: Logger?) async throws(PostgresError) {
        let name = SessionName(run: run.id, generation: run.generation)
        let role = try await database.query(SQL.Pipeline.readRole).first?.string("role")
        for row in try await database.query(SQL.Pipeline.listNamedSessions, [.text(name.ending)]) {
            let session = LeftSession(
                process: try row.int64("pid"), startedAt: try row.optionalInstant("started_at"),
                whose: "of a leader of run \(run.id) whose lease is over")
            try await session.end(on: database)?.report(to: logger)
        }
        if let role { _ = try await database.query(SQL.Pipeline.resumeRole, [.text(role)]) }
    }

    /// Ends what hosts of a run whose leases are over have left in the middle of a transaction, as far as this role may.
    ///
    /// Their clients have sent nothing for so long. Nothing else ends a session of a process that is frozen: its machine answers for it.
    ///
    /// One that is slow and lives is none of them: its statements come, or the server works on one.
    package func endSilentSessions(of run: Run, silentFor seconds: Int64, _ logger: Logger?) async throws {
        try await database.withTransaction { _ in
            try await endSilentSessions(ofRun: run.id, silentFor: seconds, logger)
        }
    }

    /// The same within the caller's transaction, which does what follows as the role that it had.
    func endSilentSessions(ofRun run: Int64, silentFor seconds: Int64, _ logger: Logger?) async throws(PostgresError) {
        let overdue = try await database.query(SQL.Pipeline.listOverdueHosts, [.int(run)])
        guard !overdue.isEmpty else { return }
        let role = try await database.query(SQL.Pipeline.readRole).first?.string("role")
        for host in overdue {
            let named: [PostgresValue] = [.text(try host.string("session_name")), .int(seconds)]
            for row in try await database.query(SQL.Pipeline.listSilentSessions, named) {
                let session = LeftSession(
                    process: try row.int64("pid"), startedAt: try row.optionalInstant("started_at"),
                    whose: "of a host of run \(run) whose lease is over")
                try await session.end(on: database)?.report(to: logger)
            }
        }
        if let role { _ = try await database.query(SQL.Pipeline.resumeRole, [.text(role)]) }
    }

    /// A transaction that waits for chunks of a run: each attempt ends what frozen hosts have left, and none waits long, for a host that
    /// froze a moment ago is none of them yet.
    ///
    /// Whoever has them locked after some leases is none of those: that one is waited for, and named, as anywhere.
    func pastSilentSessions(of run: Run, _ body: (PostgresConnection) async throws -> Void) async throws {
        for limit in Array(repeating: lockWait, count: Self.boundedWaits) + [0] {
            do {
                return try await database.withTransaction(attempts: Self.lockAttempts) { connection in
                    try await endSilentSessions(ofRun: run.id, silentFor: leaseSeconds, nil)
                    try await limitLockWait(toMilliseconds: limit)
                    try await body(connection)
                }
            } catch let error as PostgresError where error.isOfLockWait && limit > 0 { continue }
        }
    }

    /// How often, each time with all attempts of a transaction: more than four leases in all.
    private static let boundedWaits = 4

    /// So many milliseconds a statement waits for the locks of others before who has them is looked into again: longer than until a wait
    /// is reported.
    var lockWait: Int64 { max(100, leaseSeconds * 1_000 / 4) }

    /// Until the end of the transaction; 0: as long as it takes.
    func limitLockWait(toMilliseconds limit: Int64) async throws(PostgresError) {
        _ = try await database.query(SQL.Pipeline.limitLockWait, [.text("\(limit)ms")])
    }
}

extension PostgresError {
    /// Others had what it needs locked for longer than it may wait.
    package var isOfLockWait: Bool { sqlState == "55P03" }
}
