// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Postgres
import SQLCatalog

/// Keeps a worker's lease on its chunk while the store is being asked, on a connection of its own.
///
/// A lease that is lost stops nothing here: the fence refuses the load, which is where it matters.
struct ChunkLease {
    let chunk: Chunk
    let seconds: Int64
    let night: NightlyRun

    func hold<Result: Sendable>(_ work: @Sendable @escaping () async -> Result) async throws -> Result {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { await work() }
            group.addTask {
                try await renew()
                return nil
            }
            defer { group.cancelAll() }
            while let finished = try await group.next() {
                if let result = finished { return result }
            }
            throw CancellationError()
        }
    }

    private func renew() async throws {
        while (try? await Task.sleep(for: .seconds(seconds / 3))) != nil {
            let connection = try await PostgresConnection.connect(night.database, logger: night.logger)
            let identity: [PostgresValue] = [.int(chunk.runID), PostgresValue(chunk.number)]
            _ = try await connection.query(
                SQL.Pipeline.renewChunk, identity + [.int(chunk.generation), .int(seconds)])
            await connection.close()
        }
    }
}
