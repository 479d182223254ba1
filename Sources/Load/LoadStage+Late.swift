// SPDX-License-Identifier: Apache-2.0

package import Model
internal import Postgres
internal import SQLCatalog

extension LoadStage {
    /// Adds failed checks to a chunk that is done, or the part of it that they are of: they were deferred when it was loaded.
    ///
    /// - Throws: `LoadError.leaseLost` where the chunk is another owner's by now: it has asked them itself.
    package func add(_ rows: ChunkRows, to chunk: Chunk, counts: [String: Int64]) async throws {
        try await connection.withTransaction { _ in try await addWithin(rows, to: chunk, counts: counts) }
    }

    private func addWithin(_ rows: ChunkRows, to chunk: Chunk, counts: [String: Int64]) async throws {
        try await add(counts, to: chunk)
        try await lock(rows, chunk)
        try await AuxiliaryRows(connection: connection, chunk: chunk).write(rows)
        try await connection.execute(SQL.Load.clearStageKeys, chunk.identity)
    }

    /// Stores what is not to be loaded yet, within the transaction that loads the rest of the chunk.
    func `defer`(_ rows: ChunkRows, of chunk: Chunk) async throws {
        try await connection.execute(
            SQL.Load.deferChecks,
            chunk.identity + [
                .int(chunk.load), PostgresValue(chunk.appID), .intArray(rows.asked.keys.map(\.rawValue).sorted()),
                PostgresValue(counts: rows.counts), .text(try DeferredRows(rows).json),
            ])
    }

    /// Loads what was deferred with that load of a chunk: each is what it seems.
    ///
    /// Where another host has done so, or the run is another leader's or sealed, nothing is done. The chunk's generation does not
    /// count. False where it cannot be read, as what another version of the program deferred: it is asked again.
    ///
    /// `generation`: of the run's leader; nil where another host decides.
    package func loadDeferred(_ load: Int64, of chunk: Chunk, leader generation: Int64?) async throws -> Bool {
        try await connection.withTransaction(attempts: Self.lateAttempts) { _ in
            try await loadDeferredWithin(load, of: chunk, leader: generation)
        }
    }

    private static let lateAttempts = 5

    /// The chunk's row comes before the run's, as with every load (sql/README.md, "The order of locks").
    private func loadDeferredWithin(
        _ load: Int64, of chunk: Chunk, leader generation: Int64?
    ) async throws -> Bool {
        guard let locked = try await connection.query(SQL.Load.lockChunk, chunk.identity).first else { return true }
        let taken = try await connection.query(
            SQL.Load.takeDeferred, chunk.identity + [.int(load), PostgresValue(generation)])
        guard let row = taken.first else { return true }
        guard let rows = DeferredRows.read(json: try row.string("rows")) else {
            try await connection.execute(
                SQL.Load.reopenChunk, chunk.identity + [.intArray(try row.int64Array("subscription_keys"))])
            return false
        }
        let current = Chunk(
            runID: chunk.runID, number: chunk.number, generation: try locked.int64("generation"), appID: chunk.appID,
            now: chunk.now)
        try await addWithin(rows, to: current, counts: rows.counts)
        return true
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
