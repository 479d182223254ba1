// SPDX-License-Identifier: Apache-2.0

package import Postgres
internal import SQLCatalog

/// Looks for sessions that give no answer, over one other connection at a time, however many wait.
package actor ServerLook: SessionLook {
    /// For each answer: a server that is there says at once what a session does.
    private static let limit = Duration.seconds(15)
    private var last: Task<SessionFinding, Never>?

    package init() {}

    package nonisolated var identity: Statement { SQL.Pipeline.ownSession }

    package func find(_ session: ServerSession, of database: PostgresConfiguration) async -> SessionFinding {
        let looking = Task { [last] in
            _ = await last?.value
            return await Self.look(for: session, in: database)
        }
        last = looking
        return await looking.value
    }

    private static func look(for session: ServerSession, in database: PostgresConfiguration) async -> SessionFinding {
        var database = database
        database.look = nil
        database.answerLimit = limit
        do throws(PostgresError) {
            let connection = try await PostgresConnection.connect(database)
            let finding = try await look(for: session, on: connection)
            await connection.close()
            return finding
        } catch {
            // A server that starts has no session of before; any other that refuses may have it.
            let isAnswer = error.sqlState.map { !$0.hasPrefix("57P") && !$0.hasPrefix("08") } ?? false
            return isAnswer ? .notAsked(error.message) : .unreachable(error.message)
        }
    }

    private static func look(
        for session: ServerSession, on connection: PostgresConnection
    ) async throws(PostgresError) -> SessionFinding {
        let parameters: [PostgresValue] = [.int(session.process), .timestamp(micros: session.startedMicros)]
        guard let row = try await connection.query(SQL.Pipeline.lookAtSession, parameters).first else { return .gone }
        if let blockers = try await blockers(of: session.process, on: connection) { return .blocked(blockers) }
        return try row.bool("is_silent") ? .silent : .atWork(try row.string("work"))
    }

    /// Who keeps a session waiting, as far as this role may see; nil: no one.
    package static func blockers(
        of process: Int64, on connection: PostgresConnection
    ) async throws(PostgresError) -> String? {
        var sentences: [String] = []
        for row in try await connection.query(SQL.Pipeline.listBlockers, [.int(process)]) {
            sentences.append(try sentence(row))
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: "; ")
    }

    private static func sentence(_ row: PostgresRow) throws(PostgresError) -> String {
        let facts = [
            try row.string("role"), try row.string("application"), try row.string("state"),
            try row.string("since").isEmpty ? "" : "since \(try row.string("since"))",
        ].filter { !$0.isEmpty }.joined(separator: ", ")
        let relations = try row.string("relations")
        return "process \(try row.int64("pid")) of the server (\(facts)) holds locks"
            + (relations.isEmpty ? "" : " on \(relations)")
    }
}
