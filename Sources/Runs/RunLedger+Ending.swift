// SPDX-License-Identifier: Apache-2.0

package import Logging
package import Model
package import Postgres
internal import SQLCatalog

extension RunLedger {
    /// Renews the leader's lease; false when another process leads the run now.
    package func renew(_ run: Run) async throws(PostgresError) -> Bool {
        let parameters: [PostgresValue] = [.int(run.id), .int(run.generation), .int(leaseSeconds)]
        return try await !database.query(SQL.Pipeline.renewRun, parameters).isEmpty
    }

    /// Seals a run: its data is complete, reports as of it never change.
    ///
    /// Returns the seal's number, of one that we have sealed already as well: the answer may have been lost.
    package func seal(_ run: Run) async throws -> Int64 {
        try await database.withTransaction { _ in try await sealWithin(run) }
    }

    /// The same within the caller's transaction.
    package func sealWithin(_ run: Run) async throws -> Int64 {
        let own: [PostgresValue] = [.int(run.id), .int(run.generation)]
        guard try await !database.query(SQL.Pipeline.lockToSeal, own).isEmpty else {
            throw PipelineError.takenOver(run)
        }
        try await confirmWork(of: run)
        if let seal = try await sealOnce(run.id, run.generation) { return seal }
        guard let seal = try await seal(of: run) else { throw PipelineError.takenOver(run) }
        return seal
    }

    /// No run gets that seal any more, nor a lower one.
    ///
    /// A promoted standby, or a restored backup, has not all the numbers that were given: without this one would mean two things.
    package func raiseSeals(above found: Int64, _ logger: Logger) async throws(PostgresError) {
        guard found > 0, try await !database.query(SQL.Pipeline.raiseLastSeal, [.int(found)]).isEmpty else { return }
        logger.warning("seal \(found) was given, and this database knows nothing of it: seals go on above it")
    }

    /// Throws `PipelineError` where the database has not what it had confirmed of a night, or hosts are still at a part of it: the
    /// next start works on it again.
    func confirmWork(of run: Run) async throws {
        let open = try await database.query(SQL.Pipeline.countLostChunks, [.int(run.id)]).first
        guard let open, let lost = try open.optionalInt64("chunks"), lost > 0 else { return }
        let leased = try open.int64("leased")
        guard leased == 0 else {
            throw PipelineError(
                .alreadyRunning,
                "run \(run.id) is not sealed: hosts are still at \(leased) of its chunks; it stays open, run it again")
        }
        throw PipelineError(
            .workLost,
            "run \(run.id) had loaded \(lost) \(lost == 1 ? "chunk" : "chunks") that the database does not have any more: a standby that lagged behind took the "
                + "server's place; the run stays open, run it again")
    }

    /// Whether a run that we lead is sealed already: the answer may have been lost.
    package func isSealed(_ run: Run) async throws(PostgresError) -> Bool { try await seal(of: run) != nil }

    private func seal(of run: Run) async throws(PostgresError) -> Int64? {
        let own: [PostgresValue] = [.int(run.id), .int(run.generation)]
        return try await database.query(SQL.Pipeline.findOwnSeal, own).first?.int64("seal")
    }

    /// Within the caller's transaction, which has taken the run's row before (`lock_to_seal`): what is counted here is read after that row
    /// was waited for.
    ///
    /// Throws `PipelineError` where checks of a night wait for a decision: the next start decides on them.
    func sealOnce(_ run: Int64, _ generation: Int64) async throws -> Int64? {
        let own: [PostgresValue] = [.int(run), .int(generation)]
        let undecided = try await database.query(SQL.Pipeline.countUndecided, [.int(run)]).first?.int64("checks") ?? 0
        guard undecided == 0 else {
            throw PipelineError(
                .workLost,
                "run \(run) is not sealed: on \(undecided) of its checks, which failed as with a wrong setting, nothing is decided in "
                    + "the database; the run stays open, run it again")
        }
        return try await database.query(SQL.Pipeline.sealRun, own).first?.int64("seal")
    }

    /// An app is stopped by its store: its unasked subscriptions stay due.
    ///
    /// At once, for a leader that dies in between would leave an app that goes on and whose chunks no host asks.
    ///
    /// `isLate`: it has finished nevertheless, with what its store said until then.
    package func stop(
        _ app: AppID, of run: Run, because reason: String, isLate: Bool = false
    ) async throws {
        // A host that is frozen in a load of the app has its chunk locked.
        try await pastSilentSessions(of: run) { connection in
            try await connection.execute(
                SQL.Pipeline.abandonChunks, [.int(run.id), .textArray([app.rawValue]), .int(run.generation)])
            try await connection.execute(
                SQL.Pipeline.stopApp,
                [.int(run.id), PostgresValue(app), .text(reason), .bool(isLate), .int(run.generation)])
        }
    }

    /// Ends a run with its outcome and counts; its apps are free again.
    ///
    /// One that has ended just so is left alone: the answer may have been lost. Throws where another process leads it
    /// now.
    package func finish(
        _ run: Run, outcome: Run.Outcome, counts: [String: Int64], failure: String? = nil
    ) async throws {
        try await database.withTransaction { connection in
            let finished = try await connection.query(
                SQL.Pipeline.finishRun,
                [
                    .int(run.id), .int(run.generation), PostgresValue(outcome),
                    PostgresValue(counts: counts), PostgresValue(failure),
                ])
            if finished.isEmpty, try await hasEnded(run, outcome: outcome, counts: counts) { return }
            guard !finished.isEmpty else {
                throw PipelineError.takenOver(run)
            }
            try await connection.execute(SQL.Pipeline.closeRunApps, [.int(run.id)])
            try await connection.execute(SQL.Pipeline.abandonBeside, [.int(run.id)])
            try await connection.execute(SQL.Pipeline.forgetPlan, [.int(run.id)])
            try await connection.execute(SQL.Pipeline.forgetDeferred, [.int(run.id)])
        }
    }

    private func hasEnded(
        _ run: Run, outcome: Run.Outcome, counts: [String: Int64]
    ) async throws(PostgresError) -> Bool {
        try await !database.query(
            SQL.Pipeline.findOwnEnding,
            [.int(run.id), .int(run.generation), PostgresValue(outcome), PostgresValue(counts: counts)]
        ).isEmpty
    }

    /// A run that broke off and is resumed: the next one need not wait for its lease to end.
    ///
    /// Where even this cannot be written, the lease does end.
    package func leave(_ run: Run, because error: any Error) async {
        let parameters: [PostgresValue] = [.int(run.id), .int(run.generation), .text("\(error)")]
        try? await database.execute(SQL.Pipeline.leaveRun, parameters)
    }

    /// A run that broke off and is not resumed but run again: what it wrote remains and is sealed, and nothing is left open.
    package func fail(_ run: Run, because error: any Error, counts: [String: Int64] = [:]) async {
        _ = try? await seal(run)
        try? await finish(run, outcome: .failed, counts: counts, failure: "\(error)")
    }
}
