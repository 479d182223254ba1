// SPDX-License-Identifier: Apache-2.0

import Load
import Logging
import Model
import Postgres
import Transform

/// Loads a chunk's pieces together: again where the database asks for it, and without the one row that it refuses.
struct ChunkLoader {
    let connection: PostgresConnection
    let chunk: Chunk
    let logger: Logger

    /// One piece per inquiry. Throws `LoadError` or `PostgresError`.
    func load(_ pieces: [ChunkRows], attempts: Int) async throws {
        var pieces = pieces
        for attempt in 1... {
            do {
                return try await loadOnce(pieces)
            } catch let error as PostgresError {
                switch error.disposition {
                case .retry where attempt < attempts && error.code != .connectionLost:
                    logger.info("chunk is loaded again", metadata: ["chunk": "\(chunk.number)", "error": "\(error)"])
                    try await Task.sleep(for: .milliseconds(Int.random(in: 0..<200) * attempt))
                case .setAside where attempt == 1:
                    pieces = try await withoutRefused(pieces)
                default:
                    throw error
                }
            }
        }
    }

    private func loadOnce(_ pieces: [ChunkRows]) async throws {
        let rows = ChunkRows(merging: pieces)
        _ = try await LoadStage(connection: connection).load(rows, as: chunk, counts: rows.counts)
    }

    /// Finds the pieces that the database refuses by themselves, and sets them aside.
    private func withoutRefused(_ pieces: [ChunkRows]) async throws -> [ChunkRows] {
        var kept: [ChunkRows] = []
        for piece in pieces {
            do {
                try await LoadStage(connection: connection).rehearse(piece, as: chunk)
                kept.append(piece)
            } catch let error as PostgresError where error.disposition == .setAside {
                kept.append(piece.setAside(because: error))
            }
        }
        return kept
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

    private mutating func merge(_ piece: ChunkRows) {
        subscriptions += piece.subscriptions
        discoveries += piece.discoveries
        transactions += piece.transactions
        aliases += piece.aliases
        links += piece.links
        itemised += piece.itemised
        items += piece.items
        answers += piece.answers
        receipts += piece.receipts
        placeholders += piece.placeholders
        failures += piece.failures
        setAside += piece.setAside
        oddities.merge(piece.oddities, uniquingKeysWith: +)
    }

    /// The same subscriptions, with nothing of them booked but a dead letter and another check.
    fileprivate func setAside(because error: PostgresError) -> ChunkRows {
        var refused = ChunkRows()
        refused.setAside = subscriptions.map {
            SetAside(key: $0.key, stage: "load", reason: error.sqlState ?? "refused", detail: error.description)
        }
        return refused
    }
}
