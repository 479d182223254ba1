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
        case _ where error.isPerhapsOfRecord && !isRefused: isRefused = true
        default: throw error
        }
    }

    private func loadOnce(_ pieces: [ChunkRows], remaining: [SubscriptionKey]) async throws {
        let rows = ChunkRows(merging: pieces)
        _ = try await LoadStage(connection: connection).load(rows, as: chunk, counts: rows.counts, remaining: remaining)
    }

    /// The same pieces, those that the database refuses set aside. Where it refuses none any more, somebody else was
    /// faster: all of them are loaded again. Throws what no row is the cause of: it fails without any, or, where its kind does not
    /// name rows as the cause, with each.
    private func withoutRefused(_ pieces: [ChunkRows]) async throws -> [ChunkRows] {
        try await LoadStage(connection: connection).rehearse(ChunkRows(), as: chunk)
        var halving = Halving()
        try await filter(pieces[...], into: &halving)
        if let cause = halving.causes.commonCause(ofAll: pieces.count) { throw cause }
        return halving.pieces
    }

    /// Halves until those are found that are refused beside what is kept already.
    private func filter(_ pieces: ArraySlice<ChunkRows>, into halving: inout Halving) async throws {
        do {
            let rows = ChunkRows(merging: halving.pieces + pieces)
            try await LoadStage(connection: connection).rehearse(rows, as: chunk)
            halving.pieces += pieces
        } catch let error as PostgresError where error.isPerhapsOfRecord {
            guard pieces.count > 1 else { return halving.refuse(pieces, because: error) }
            let middle = pieces.startIndex + pieces.count / 2
            try await filter(pieces[..<middle], into: &halving)
            try await filter(pieces[middle...], into: &halving)
        }
    }
}

/// What the halves came to so far.
private struct Halving {
    /// Those that were refused are set aside in it.
    var pieces: [ChunkRows] = []
    /// Why, one for each that was refused.
    private(set) var causes: [PostgresError] = []

    mutating func refuse(_ refused: ArraySlice<ChunkRows>, because error: PostgresError) {
        pieces += refused.map { $0.setAside(because: error) }
        causes += refused.map { _ in error }
    }
}

extension [PostgresError] {
    /// What refused each of several pieces in one and the same way, of a kind that may be the server's as well.
    package func commonCause(ofAll pieces: Int) -> PostgresError? {
        guard pieces > 1, count == pieces, let first, first.disposition != .setAside else { return nil }
        return allSatisfy { $0.sqlState == first.sqlState } ? first : nil
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
