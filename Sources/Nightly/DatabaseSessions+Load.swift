// SPDX-License-Identifier: Apache-2.0

import Load
import Postgres
import Runs

extension DatabaseSessions {
    /// Loads what a chunk came to, and again where the session is lost and the load is not in.
    ///
    /// The load's number is the chunk's alone (`withNewLoad`).
    nonisolated func load(_ chunk: Chunk, _ body: (PostgresConnection) async throws -> Void) async throws {
        var isSent = false
        try await use { connection in
            if isSent, try await LoadStage(connection: connection).isLoaded(chunk) { return }
            isSent = true
            try await body(connection)
        }
    }
}
