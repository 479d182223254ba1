// SPDX-License-Identifier: Apache-2.0

import CLibPQ

/// What a transaction may do and see.
package enum TransactionMode: Sendable {
    /// Read committed, for loading.
    case readWrite
    /// One unchanging snapshot without writes, for reports.
    case repeatableReadOnly
    /// One unchanging snapshot; what is written belongs to the session.
    case repeatableRead

    fileprivate var begin: Statement {
        switch self {
        case .readWrite: Statement(name: "begin", text: "begin isolation level read committed read write")
        case .repeatableReadOnly: Statement(name: "begin", text: "begin isolation level repeatable read read only")
        case .repeatableRead: Statement(name: "begin", text: "begin isolation level repeatable read read write")
        }
    }
}

extension PostgresConnection {
    /// Runs `body` in a transaction, on the caller's own isolation: committed if it returns, rolled back if it throws.
    ///
    /// A single failure is thrown as it is; if the rollback fails too, both come as `PostgresTransactionError` and the
    /// connection is closed. A COMMIT whose answer is lost throws `.commitOutcomeUnknown`. Transactions do not nest.
    package nonisolated func withTransaction<R>(
        _ mode: TransactionMode = .readWrite, _ body: (PostgresConnection) async throws -> R
    ) async throws -> R {
        try await begin(mode)
        let value: R
        do {
            value = try await body(self)
        } catch {
            if let rollback = await rollBack() { throw PostgresTransactionError(closure: error, rollback: rollback) }
            throw error
        }
        try await commit()
        return value
    }

    /// Runs `body` in a transaction that is rolled back whatever comes of it: throws where the database would refuse it.
    package nonisolated func rehearse(_ body: (PostgresConnection) async throws -> Void) async throws {
        do {
            try await withTransaction { connection in
                try await body(connection)
                throw Rehearsed()
            }
        } catch is Rehearsed {
            return
        }
    }

    /// Thrown to roll a rehearsal back.
    private struct Rehearsed: Error {}

    private func begin(_ mode: TransactionMode) async throws(PostgresError) {
        try checkReady(mode.begin)
        guard handle.transactionStatus == PQTRANS_IDLE else {
            throw PostgresError(.misuse, "a transaction is open already; transactions do not nest")
        }
        _ = try await run(mode.begin) { $0.executeScript(mode.begin) }
    }

    /// Commits what can be committed.
    ///
    /// A transaction in which a statement failed would answer COMMIT with a silent rollback, so it is refused here.
    private func commit() async throws {
        let commit = Statement(name: "commit", text: "commit")
        if let obstacle = obstacleToCommit(commit) {
            if let rollback = await rollBack() { throw PostgresTransactionError(commit: obstacle, rollback: rollback) }
            throw obstacle
        }
        do throws(PostgresError) {
            _ = try await run(commit, isCancellable: false) { $0.executeScript(commit) }
        } catch {
            guard !handle.isOpen else { throw error }
            throw PostgresError(
                .commitOutcomeUnknown, "the connection was lost before COMMIT was answered: \(error.message)",
                statement: commit.name, sqlState: error.sqlState)
        }
    }

    private func obstacleToCommit(_ commit: Statement) -> PostgresError? {
        if Task.isCancelled {
            return PostgresError(.cancelled, "not committed: the task is cancelled", statement: commit.name)
        }
        guard handle.transactionStatus != PQTRANS_INTRANS else { return nil }
        guard handle.isOpen else {
            return PostgresError(.connectionLost, "not committed: the connection is lost", statement: commit.name)
        }
        return PostgresError(
            .statementFailed, "not committed: a statement in the transaction had failed", statement: commit.name,
            sqlState: "25P02")
    }

    /// Rolls back even in a cancelled task.
    ///
    /// Gives the failure, after which the connection is closed: the server then rolls back by itself.
    private func rollBack() async -> PostgresError? {
        let rollback = Statement(name: "rollback", text: "rollback")
        do throws(PostgresError) {
            try checkReady(rollback)
            _ = try await run(rollback, isCancellable: false) { $0.executeScript(rollback) }
            return nil
        } catch {
            close()
            return error
        }
    }
}
