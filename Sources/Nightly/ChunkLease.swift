// SPDX-License-Identifier: Apache-2.0

import Load
import Logging
import Model
import Postgres
import SQLCatalog

/// Keeps a worker's lease on its chunk from the first question to the commit, on connections of its own.
///
/// A renewal that fails is tried again while the lease lasts. A lease that is lost stops nothing here: the fence refuses
/// the load, which is where it matters.
struct ChunkLease {
    let chunk: Chunk
    let seconds: Int64
    let database: PostgresConfiguration
    let logger: Logger

    func maintain<Result: Sendable>(_ work: @Sendable @escaping () async throws -> Result) async throws -> Result {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                await renew()
                return nil
            }
            defer { group.cancelAll() }
            while let finished = try await group.next() {
                if let result = finished { return result }
            }
            throw CancellationError()
        }
    }

    /// Returns only by cancellation: at a third of the lease's life, and four times as often after a failure.
    private func renew() async {
        let life = Duration.seconds(seconds)
        var pause = life / 3
        while (try? await Task.sleep(for: pause)) != nil {
            do {
                try await renewOnce()
                pause = life / 3
            } catch {
                guard !Task.isCancelled else { return }
                logger.warning(
                    "chunk lease is renewed again", metadata: ["chunk": "\(chunk.number)", "error": "\(error)"])
                pause = life / 12
            }
        }
    }

    private func renewOnce() async throws {
        let connection = try await PostgresConnection.connect(database, logger: logger)
        defer { Task { await connection.close() } }
        let identity: [PostgresValue] = [.int(chunk.runID), PostgresValue(chunk.number)]
        _ = try await connection.query(SQL.Pipeline.renewChunk, identity + [.int(chunk.generation), .int(seconds)])
    }
}
