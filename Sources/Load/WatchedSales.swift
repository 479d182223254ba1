// SPDX-License-Identifier: Apache-2.0

internal import Model
internal import Postgres
internal import SQLCatalog

/// The one-time sales of a chunk: when each is looked at again for refunds, and whose it is.
struct WatchedSales {
    let connection: PostgresConnection
    let chunk: Chunk

    func write(_ rows: ChunkRows) async throws {
        try await persist(rows.looks.values.sorted { $0.key < $1.key })
        try await record(rows.failedLooks)
        guard !rows.soldUnder.isEmpty else { return }
        let sold = rows.soldUnder.sorted { $0.key < $1.key }
        try await connection.execute(
            SQL.Load.takeSaleOwners, [.intArray(sold.map(\.key.rawValue)), .intArray(sold.map(\.value.rawValue))])
    }

    private func persist(_ looks: [SaleLook]) async throws {
        guard !looks.isEmpty else { return }
        try await connection.execute(
            SQL.Load.persistLooks,
            [
                .intArray(looks.map(\.key.rawValue)), .intArray(looks.map(\.soldAt.micros)),
                .textArray(looks.map { $0.nextLookAt.microsText }),
                .textArray(looks.map { $0.receiptID.map { String($0) } }), PostgresValue(chunk.appID),
                .int(chunk.runID), PostgresValue(chunk.now),
            ])
    }

    private func record(_ failures: [FailedLook]) async throws {
        guard !failures.isEmpty else { return }
        try await connection.execute(
            SQL.Load.recordFailedLooks,
            [
                .intArray(failures.map(\.key.rawValue)), .intArray(failures.map { Int64($0.failures) }),
                .textArray(failures.map(\.message)), .textArray(failures.map { $0.nextLookAt.microsText }),
                .int(chunk.runID), PostgresValue(chunk.now),
            ])
    }
}
