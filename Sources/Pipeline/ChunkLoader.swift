// SPDX-License-Identifier: Apache-2.0

import Load
import Logging
import Model
import Postgres
import Transform

/// Loads a chunk's pieces together: again where the database asks for it or somebody was faster, and without the rows
/// that it refuses.
struct ChunkLoader {
    let connection: PostgresConnection
    let chunk: Chunk
    let logger: Logger

    /// One piece per inquiry. Throws `LoadError` or `PostgresError`.
    func load(_ pieces: [ChunkRows], attempts: Int) async throws {
        var pieces = pieces
        var isRefused = false
        for attempt in 1... {
            do {
                if isRefused { pieces = try await withoutRefused(pieces) }
                isRefused = false
                return try await loadOnce(pieces)
            } catch let error as PostgresError where attempt < attempts {
                try await prepare(attempt, after: error, &isRefused)
            }
        }
    }

    /// Throws what another attempt does not help.
    private func prepare(_ attempt: Int, after error: PostgresError, _ isRefused: inout Bool) async throws {
        switch error.disposition {
        case .retry where error.code != .connectionLost:
            logger.info("chunk is loaded again", metadata: ["chunk": "\(chunk.number)", "error": "\(error)"])
            try await Task.sleep(for: .milliseconds(Int.random(in: 0..<200) * attempt))
        case .setAside: isRefused = true
        default: throw error
        }
    }

    private func loadOnce(_ pieces: [ChunkRows]) async throws {
        let rows = ChunkRows(merging: pieces)
        _ = try await LoadStage(connection: connection).load(rows, as: chunk, counts: rows.counts)
    }

    /// The same pieces, those that the database refuses set aside. Where it refuses none any more, somebody else was
    /// faster: all of them are loaded again.
    private func withoutRefused(_ pieces: [ChunkRows]) async throws -> [ChunkRows] {
        var kept: [ChunkRows] = []
        try await sift(pieces[...], into: &kept)
        return kept
    }

    /// Halves until those are found that are refused beside what is kept already.
    private func sift(_ pieces: ArraySlice<ChunkRows>, into kept: inout [ChunkRows]) async throws {
        do {
            try await LoadStage(connection: connection).rehearse(ChunkRows(merging: kept + pieces), as: chunk)
            kept += pieces
        } catch let error as PostgresError where error.disposition == .setAside {
            guard pieces.count > 1 else { return kept += pieces.map { $0.setAside(because: error) } }
            let middle = pieces.startIndex + pieces.count / 2
            try await sift(pieces[..<middle], into: &kept)
            try await sift(pieces[middle...], into: &kept)
        }
    }
}

extension ChunkRows {
    init(merging pieces: [ChunkRows]) {
        self.init()
        for piece in pieces { merge(piece) }
        settle()
    }

    /// What the chunk did, for the run's figures.
    var counts: [String: Int64] {
        var counts = ["checked": Int64(subscriptions.count), "unread": Int64(failures.count)]
        counts["in_vain"] = Int64(failures.count { $0.vain == .transient })
        counts["missed"] = Int64(failures.count { $0.vain != .gone && !$0.wasUnreachable })
        counts["discovered"] = Int64(discoveries.count)
        counts["set_aside"] = Int64(setAside.count)
        for (name, count) in oddities { counts["oddity.\(name)", default: 0] += count }
        return counts
    }

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
