// SPDX-License-Identifier: Apache-2.0

import Logging
import Postgres
import SQLCatalog

/// The end of a session's name.
///
/// Sessions of a leader carry the run and its generation in their name, which every role may read: whoever goes on
/// after a dead leader ends them. A process that is frozen in the middle of a transaction would lock what its successor
/// needs for ever.
package struct SessionName: Sendable, Hashable {
    let ending: String

    init(run: Int64, generation: Int64) { ending = " run \(run).\(generation)" }

    package init(of run: Run) { self.init(run: run.id, generation: run.generation) }

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
}
