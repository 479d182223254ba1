// SPDX-License-Identifier: Apache-2.0

/// A transaction that failed and whose rollback failed too: both causes, so that the second never hides the first.
///
/// A transaction with one failure throws that failure itself.
package struct PostgresTransactionError: Error, Sendable, CustomStringConvertible {
    /// What the transaction's body threw.
    package let closure: (any Error)?
    /// Why the commit was not made or not accepted; nil if it was not reached.
    package let commit: PostgresError?
    /// Why the rollback failed.
    ///
    /// The connection is closed, so that the server rolls back by itself.
    package let rollback: PostgresError

    init(closure: any Error, rollback: PostgresError) {
        self.closure = closure
        self.commit = nil
        self.rollback = rollback
    }

    init(commit: PostgresError, rollback: PostgresError) {
        self.closure = nil
        self.commit = commit
        self.rollback = rollback
    }

    /// What to do with the work: the first cause decides if it came from PostgreSQL, else the rollback's.
    package var disposition: PostgresError.Disposition {
        closure.flatMap { PostgresError.Disposition($0) } ?? commit?.disposition ?? rollback.disposition
    }

    /// Both causes in one sentence.
    package var description: String {
        let cause = closure.map { "\($0)" } ?? commit.map { "\($0)" } ?? "unknown"
        return "the transaction failed (\(cause)) and its rollback failed too (\(rollback)); the server discards it"
    }
}
