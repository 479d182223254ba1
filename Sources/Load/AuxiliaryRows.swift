// SPDX-License-Identifier: Apache-2.0

internal import Model
internal import Postgres
internal import SQLCatalog

/// What a chunk leaves beside its transactions and subscriptions: receipts, aliases, archived answers, failed checks.
struct AuxiliaryRows {
    let connection: PostgresConnection
    let chunk: Chunk

    func write(_ rows: ChunkRows) async throws {
        try await persist(rows.items)
        try await Archive(connection: connection, chunk: chunk).persist(rows.answers)
        try await record(rows.failures, asked: rows.asked)
        try await setAside(rows.setAside)
        try await replaceAwaited(rows.awaited)
        try await WatchedSales(connection: connection, chunk: chunk).write(rows)
        guard !rows.placeholders.isEmpty else { return }
        try await connection.execute(
            SQL.Load.removePlaceholders,
            [.intArray(rows.placeholders.map(\.rawValue)), rows.placeholders.checkRequestsSeen(rows.asked)])
    }

    func add(_ aliases: [TransactionAlias]) async throws {
        guard !aliases.isEmpty else { return }
        try await connection.execute(
            SQL.Load.addAliases,
            [
                .intArray(aliases.map(\.key.rawValue)), .textArray(aliases.map(\.alias)),
                .textArray(aliases.map(\.transactionID)), .int(chunk.runID),
            ])
    }

    /// Replaces what purchases with several products hold; one that holds a single product has no items.
    private func persist(_ items: [SubscriptionKey: [SubscriptionItem]]) async throws {
        guard !items.isEmpty else { return }
        let answered = items.sorted { $0.key < $1.key }
        let current = answered.flatMap { key, items in items.map { (key: key, item: $0) } }
        let (keys, products) = (
            PostgresValue.intArray(current.map(\.key.rawValue)), PostgresValue.textArray(current.map(\.item.productID))
        )
        try await connection.execute(SQL.Load.dropItems, [.intArray(answered.map(\.key.rawValue)), keys, products])
        guard !current.isEmpty else { return }
        try await connection.execute(
            SQL.Load.persistItems,
            [
                keys, products, .textArray(current.map { $0.item.expiresAt.microsText }),
                .textArray(current.map { $0.item.autoRenew.map(String.init) }),
                .textArray(current.map(\.item.latestTransactionID)),
                .textArray(current.map { $0.item.revokedAt.microsText }),
            ])
    }

    func replace(_ receipts: [Receipt]) async throws {
        guard !receipts.isEmpty else { return }
        try await connection.execute(
            SQL.Load.replaceReceipts,
            [
                .intArray(receipts.map(\.id)), .textArray(receipts.map { $0.data.reveal() }), .int(chunk.runID),
                PostgresValue(chunk.now),
            ])
    }

    private func record(_ failures: [FailedCheck], asked: [SubscriptionKey: Int64]) async throws {
        guard !failures.isEmpty else { return }
        let keys = PostgresValue.intArray(failures.map(\.key.rawValue))
        let ends: [PostgresValue] = [
            .textArray(failures.map(\.newState?.rawValue)), .textArray(failures.map { $0.endedAt.microsText }),
            .textArray(failures.map(\.endReason?.rawValue)),
        ]
        try await connection.execute(
            SQL.Load.recordFailedChanges, [keys] + ends + [.int(chunk.runID), PostgresValue(chunk.now)])
        let counted: [PostgresValue] = [
            .intArray(failures.map { Int64($0.failures) }), .textArray(failures.map(\.message)),
            .textArray(failures.map { $0.nextCheck.at.microsText }),
            .textArray(failures.map(\.nextCheck.reason.rawValue)),
        ]
        let read: [PostgresValue] = [
            failures.map(\.key).checkRequestsSeen(asked), .int(chunk.runID), PostgresValue(chunk.now),
            .intArray(failures.map { Int64($0.refusals) }),
            .textArray(failures.map { String($0.kind == .refusedForNow) }),
        ]
        try await connection.execute(SQL.Load.recordFailures, [keys] + counted + ends + read)
    }

    private func setAside(_ causes: [SetAside]) async throws {
        guard !causes.isEmpty else { return }
        try await connection.execute(
            SQL.Load.setAside,
            [
                .intArray(causes.map(\.key.rawValue)), .textArray(causes.map(\.stage)),
                .textArray(causes.map(\.reason)), .textArray(causes.map(\.detail)),
                .textArray(causes.map(\.transactionID)), PostgresValue(chunk.appID), .int(chunk.runID),
                PostgresValue(chunk.now), .bool(chunk.isBeside),
            ])
    }
}

extension AuxiliaryRows {
    /// After what was set aside: the letter of an order that is settled is closed, whichever run wrote it.
    private func replaceAwaited(_ awaited: [SubscriptionKey: [AwaitedOrder]]) async throws {
        guard !awaited.isEmpty else { return }
        let answered = awaited.sorted { $0.key < $1.key }
        let orders = answered.flatMap { key, orders in orders.map { (key: key, order: $0) } }
        try await connection.execute(
            SQL.Load.replaceAwaitedOrders,
            [
                .intArray(answered.map(\.key.rawValue)), .intArray(orders.map(\.key.rawValue)),
                .textArray(orders.map(\.order.id)), .intArray(orders.map(\.order.lastAskedAt.micros)),
                .intArray(orders.map { Int64($0.order.nights) }), PostgresValue(chunk.now),
            ])
    }
}

extension [SubscriptionKey] {
    /// How often each was made due when it was read, as an array whose elements may be NULL.
    fileprivate func checkRequestsSeen(_ asked: [SubscriptionKey: Int64]) -> PostgresValue {
        .textArray(map { key in asked[key].map { String($0) } })
    }
}

extension Instant? {
    /// Microseconds since 1970 as an array's element, which may be NULL.
    var microsText: String? { map { String($0.micros) } }
}
