// SPDX-License-Identifier: Apache-2.0

import Logging
import Model
import Postgres
import SQLCatalog

/// A session that a process left on the server, with what it has locked.
struct LeftSession: Sendable {
    let process: Int64
    /// Process numbers come again; nil where this role may not see when it began.
    let startedAt: Instant?
    /// What it was for, in words that follow its number.
    let whose: String

    /// Ends it where this role may.
    ///
    /// Nil: it was gone.
    func end(on connection: PostgresConnection) async throws(PostgresError) -> Ending? {
        let session: [PostgresValue] = [.int(process), startedAt.map { PostgresValue($0) } ?? .null]
        guard let row = try await connection.query(SQL.Pipeline.endSession, session).first else { return nil }
        return Ending(
            name: "process \(process) of the server (\(try row.string("role"))), \(whose)", process: process,
            isOwn: try row.bool("is_own"), isEnded: try row.optionalBool("is_ended"))
    }

    /// What became of it.
    struct Ending: Sendable {
        let name: String
        let process: Int64
        /// It logged in as the session that is to end it.
        let isOwn: Bool
        /// Nil: this role may not end it.
        let isEnded: Bool?

        /// Says so, and of one that is there still what is to be done about it.
        func report(to logger: Logger?) {
            switch isEnded {
            case true?: logger?.notice("ended \(name)")
            case false?: logger?.warning("\(name), does not end; what it locks is waited for")
            case nil: logger?.warning(refusal)
            }
        }

        private var refusal: Logger.Message {
            """
            \(name), is not ended: this role may not; what it locks is waited for. End its program, or the session as its own role or \
            as one that has pg_signal_backend: select pg_terminate_backend(\(process))
            """
        }
    }
}
