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

    /// One piece per inquiry; the chunk is done with them but for the subscriptions in `remaining`.
    ///
    /// `isHandedBack`: with those it is free for other hosts.
    ///
    /// `deferring`: pieces that are not to be loaded before they are decided on.
    ///
    /// Throws `LoadError` or `PostgresError`.
    package func load(
        _ pieces: [ChunkRows], remaining: [SubscriptionKey] = [], isHandedBack: Bool = false,
        deferring deferred: [ChunkRows] = [], attempts: Int
    ) async throws {
        let deferred = deferred.isEmpty ? nil : ChunkRows(merging: deferred)
        try await Halving.write(
            pieces, attempts: attempts,
            onRetry: { error in
                logger.info("chunk is loaded again", metadata: ["chunk": "\(chunk.number)", "error": "\(error)"])
            },
            withoutRefused: withoutRefused
        ) {
            let rows = ChunkRows(merging: $0)
            _ = try await LoadStage(connection: connection).load(
                rows, as: chunk, counts: rows.counts, remaining: remaining, isHandedBack: isHandedBack,
                deferring: deferred)
        }
    }

    /// The same pieces, those that the database refuses beside the ones before them set aside.
    ///
    /// Throws what no row is the cause of.
    private func withoutRefused(_ pieces: [ChunkRows]) async throws -> [ChunkRows] {
        var taken: [ChunkRows] = []
        let refused = try await Halving.refused(among: pieces) { part in
            try await LoadStage(connection: connection).rehearse(ChunkRows(merging: taken + part), as: chunk)
            taken += part
        }
        return pieces.enumerated().map { place, piece in refused[place].map { piece.setAside(because: $0) } ?? piece }
    }
}

extension ChunkRows {
    /// The same subscriptions, with nothing of them booked but a dead letter each, and as failed checks: they stay due.
    fileprivate func setAside(because error: PostgresError) -> ChunkRows {
        var refused = ChunkRows()
        refused.asked = asked
        refused.failures = failuresIfRefused
        refused.failedLooks = failedLooksIfRefused
        refused.setAside = Set(asked.keys).union(subscriptions.map(\.key)).sorted().map {
            SetAside(key: $0, stage: "load", reason: error.sqlState ?? "refused", detail: error.description)
        }
        return refused
    }
}
