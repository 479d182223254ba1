// SPDX-License-Identifier: Apache-2.0

package import Model
internal import Postgres
internal import SQLCatalog

extension LoadStage {
    /// Adds failed checks to a chunk that is done, or the part of it that they are of: they were deferred when it was loaded.
    ///
    /// - Throws: `LoadError.leaseLost` where the chunk is another owner's by now: it has asked them itself.
    package func add(_ rows: ChunkRows, to chunk: Chunk, counts: [String: Int64]) async throws {
        try await connection.withTransaction { connection in
            try await add(counts, to: chunk)
            try await lock(rows, chunk)
            try await AuxiliaryRows(connection: connection, chunk: chunk).write(rows)
            try await connection.execute(SQL.Load.clearStageKeys, chunk.identity)
        }
    }

    /// Whether the load at hand is in: asked where its session was lost.
    ///
    /// One that the server still has open is waited for.
    package func isLoaded(_ chunk: Chunk) async throws -> Bool {
        try await connection.query(SQL.Load.isLoaded, chunk.identity + [.int(chunk.load)]).first?.bool("is_loaded")
            ?? false
    }

    /// Adds to what the chunk has counted so far.
    ///
    /// Throws `LoadError.leaseLost` where it is another owner's by now.
    func add(_ counts: [String: Int64], to chunk: Chunk) async throws {
        let added = try await connection.query(
            SQL.Load.addCounts,
            chunk.identity + [.int(chunk.generation), PostgresValue(counts: counts), .int(chunk.load)])
        guard !added.isEmpty else { throw LoadError.leaseLost(chunk: chunk.number) }
    }
}
