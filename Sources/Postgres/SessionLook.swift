// SPDX-License-Identifier: Apache-2.0

/// One session as the server knows it.
///
/// Process ids come again, so that its beginning belongs to it.
package struct ServerSession: Sendable, Hashable {
    /// Its process id on the server.
    package let process: Int64
    /// When it began: microseconds since the Unix epoch, by the server's clock.
    package let startedMicros: Int64

    package init(process: Int64, startedMicros: Int64) {
        self.process = process
        self.startedMicros = startedMicros
    }
}

/// What became of a session that gives no answer.
package enum SessionFinding: Sendable, Hashable {
    /// The server does not have it any more.
    case gone
    /// The server waits for us: what we sent, or its answer, was lost on the way.
    case silent
    /// The server works, on what the words say.
    case atWork(String)
    /// It waits for others, whom the sentence names.
    case blocked(String)
    /// The server cannot be reached, for the reason given.
    case unreachable(String)
    /// The server is there and says why it cannot be asked.
    case notAsked(String)
}

/// Looks for a session over another connection.
package protocol SessionLook: Sendable {
    /// Gives `pid` and `started_at` of the session that it is asked in.
    var identity: Statement { get }

    /// Returns in any case, within the limits of a connection.
    func find(_ session: ServerSession, of database: PostgresConfiguration) async -> SessionFinding
}
