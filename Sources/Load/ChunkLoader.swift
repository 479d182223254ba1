// SPDX-License-Identifier: Apache-2.0

package import Logging
package import Model
package import Postgres

/// Loads the pieces of a chunk in one transaction: retries where the database asks for it or another worker was faster,
/// and sets aside the pieces that the database refuses.
package struct ChunkLoader: Sendable {
    private let connection: PostgresConnection
    private let chunk: Chunk
    private let logger: Logger

    package init(connection: PostgresConnection, chunk: Chunk, logger: Logger) {
        self.connection = connection
        self.chunk = chunk
        self.logger = logger
    }

    /// One piece per inquiry; the chunk is done with them but for the subscriptions in `remaining`. Throws `LoadError` or
    /// `PostgresError`.
    package func load(_ pieces: [ChunkRows], remaining: [SubscriptionKey] = [], attempts: Int) async throws {
        var pieces = pieces
        var isRefused = false
        for attempt in 1... {
            do {
                if isRefused { pieces = try await withoutRefused(pieces) }
                isRefused = false
                return try await loadOnce(pieces, remaining: remaining)
            } catch let error as PostgresError where attempt < attempts {
                try await prepare(attempt, after: error, &isRefused)
            }
        }
    }

    /// Throws what another attempt does not help.
    private func prepare(_ attempt: Int, after error: PostgresError, _ isRefused: inout Bool) async throws {
        switch error.disposition {
        case .retry where !error.isOutage:
            logger.info("chunk is loaded again", metadata: ["chunk": "\(chunk.number)", "error": "\(error)"])
            try await Task.sleep(for: .milliseconds(Int.random(in: 0..<200) * attempt))
        case .setAside: isRefused = true
        default: throw error
        }
    }

    private func loadOnce(_ pieces: [ChunkRows], remaining: [SubscriptionKey]) async throws {
        let rows = ChunkRows(merging: pieces)
        _ = try await LoadStage(connection: connection).load(rows, as: chunk, counts: rows.counts, remaining: remaining)
    }

    /// The same pieces, those that the database refuses set aside. Where it refuses none any more, somebody else was
    /// faster: all of them are loaded again.
    private func withoutRefused(_ pieces: [ChunkRows]) async throws -> [ChunkRows] {
        var accepted: [ChunkRows] = []
        try await filter(pieces[...], into: &accepted)
        return accepted
    }

    /// Halves until those are found that are refused beside what is kept already.
    private func filter(_ pieces: ArraySlice<ChunkRows>, into accepted: inout [ChunkRows]) async throws {
        do {
            try await LoadStage(connection: connection).rehearse(ChunkRows(merging: accepted + pieces), as: chunk)
            accepted += pieces
        } catch let error as PostgresError where error.disposition == .setAside {
            guard pieces.count > 1 else { return accepted += pieces.map { $0.setAside(because: error) } }
            let middle = pieces.startIndex + pieces.count / 2
            try await filter(pieces[..<middle], into: &accepted)
            try await filter(pieces[middle...], into: &accepted)
        }
    }
}

extension ChunkRows {
    /// The same subscriptions, with nothing of them booked but a dead letter each: they stay due.
    fileprivate func setAside(because error: PostgresError) -> ChunkRows {
        var refused = ChunkRows()
        refused.asked = asked
        refused.setAside = Set(asked.keys).union(subscriptions.map(\.key)).sorted().map {
            SetAside(key: $0, stage: "load", reason: error.sqlState ?? "refused", detail: error.description)
        }
        return refused
    }
}
