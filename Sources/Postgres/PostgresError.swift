// SPDX-License-Identifier: Apache-2.0

/// Everything that can go wrong between this program and PostgreSQL.
///
/// It carries the server's primary message and the names of constraint, table and column, never DETAIL, HINT or
/// CONTEXT: those repeat row values, and a row can hold a purchase token.
package struct PostgresError: Error, Sendable, Hashable {
    /// What kind of failure it is.
    package enum Code: Sendable, Hashable {
        /// No connection could be made.
        case connectionFailed
        /// The connection broke; a transaction that was open is rolled back by the server.
        case connectionLost
        /// The server refused the statement; see `sqlState`.
        case statementFailed
        /// A row breaks a constraint; see `constraint`.
        case constraintViolated
        /// Concurrent transactions could not be put in an order.
        case serialization
        /// Concurrent transactions waited for each other.
        case deadlock
        /// The server's disk is full.
        case diskFull
        /// The server takes no writes (a standby).
        case readOnly
        /// The task was cancelled, or somebody cancelled the statement.
        case cancelled
        /// Others locked what the statement needs for longer than it is waited for; the message names them. It may pass, and is
        /// not tried again by itself: it was waited for long enough.
        case blocked
        /// A value that PostgreSQL cannot store or read.
        case badValue
        /// A column is not there or not of the expected type: program and schema disagree.
        case decoding
        /// COMMIT was sent and its answer was lost: only the run ledger shows whether it committed.
        case commitOutcomeUnknown
        /// The connection is closed, or in the middle of something else.
        case misuse
        /// The configuration cannot be used.
        case configuration
        /// The private server could not be found, made, started or stopped.
        case privateServer
    }

    /// What a caller should do with the work it was doing.
    package enum Disposition: Sendable, Hashable {
        /// Again, on a new connection, with a pause.
        case retry
        /// Not this record; its neighbours are fine.
        case setAside
        /// Nothing more: a person has to look.
        case stop
    }

    /// What kind of failure it is.
    package let code: Code
    /// The sentence: what failed and why, without values.
    package let message: String
    /// The server's error code, where the server answered.
    package var sqlState: String?
    /// The name of the statement, where there was one.
    package var statement: String?
    /// The constraint that was violated.
    package var constraint: String?
    /// The table concerned.
    package var table: String?
    /// The column concerned.
    package var column: String?

    /// An error of that kind.
    ///
    /// The message must not hold values.
    package init(_ code: Code, _ message: String, statement: String? = nil, sqlState: String? = nil) {
        self.code = code
        self.message = message
        self.statement = statement
        self.sqlState = sqlState
    }

    /// Another statement had failed the transaction before this one started.
    package var isOfFailedTransaction: Bool { sqlState == "25P02" }

    /// One record may be its cause, though the server does not say so: the same work without that record would do.
    package var isPerhapsOfRecord: Bool {
        disposition == .setAside
            || code == .statementFailed && sqlState.map { SQLState(text: $0).isPerhapsOfRecord } ?? false
    }

    /// What to do with the work.
    package var disposition: Disposition {
        switch code {
        case .commitOutcomeUnknown: return .retry
        case .decoding, .misuse, .configuration, .privateServer: return .stop
        default: break
        }
        if let sqlState { return SQLState(text: sqlState).disposition }
        switch code {
        case .connectionFailed, .connectionLost, .serialization, .deadlock, .readOnly: return .retry
        case .badValue, .constraintViolated: return .setAside
        default: return .stop
        }
    }
}

extension PostgresError: CustomStringConvertible {
    /// One sentence: what failed, on what, why, what to do.
    package var description: String {
        let subject = statement.map { "\($0): \(message)" } ?? message
        let facts = [
            sqlState.map { "SQLSTATE \($0)" }, constraint.map { "constraint \($0)" }, table.map { "table \($0)" },
            column.map { "column \($0)" },
        ].compactMap(\.self).joined(separator: ", ")
        return [subject, facts.isEmpty ? nil : "(\(facts))", advice].compactMap(\.self).joined(separator: " ")
    }

    private var advice: String? {
        switch code {
        case .connectionFailed where sqlState == nil: "— check that the server runs and that database.url names it"
        case .blocked: "— end that session, or run it again when it has ended"
        case .diskFull: "— free space on the database server, then run again"
        case .readOnly where !message.contains("standby"): "— the server is a read-only standby; connect to the primary"
        case .commitOutcomeUnknown: "— look in the run ledger whether it was committed"
        case .decoding: "— schema and program differ; run `subledger migrate`"
        default: nil
        }
    }
}

extension PostgresError.Disposition {
    /// The disposition of any error that came out of this module; nil if it came from elsewhere.
    package init?(_ error: any Error) {
        switch error {
        case let error as PostgresError: self = error.disposition
        case let error as PostgresTransactionError: self = error.disposition
        default: return nil
        }
    }
}
