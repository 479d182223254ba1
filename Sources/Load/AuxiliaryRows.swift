// SPDX-License-Identifier: Apache-2.0

internal import Model
internal import Postgres
internal import SQLCatalog

/// What a chunk leaves beside its transactions and subscriptions: receipts, aliases, archived answers, checks in vain.
struct AuxiliaryRows {
    /// Sent in one statement, roughly.
    private static let archivedBytes = 2_000_000

    let connection: PostgresConnection
    let chunk: Chunk

    func write(_ rows: ChunkRows) async throws {
        try await add(rows.aliases)
        try await keep(rows.items)
        try await archive(rows.answers)
        try await record(rows.failures, asked: rows.asked)
        try await setAside(rows.setAside)
        guard !rows.placeholders.isEmpty else { return }
        try await connection.execute(
            SQL.Load.removePlaceholders,
            [.intArray(rows.placeholders.map(\.rawValue)), rows.placeholders.wakesRead(rows.asked)])
    }

    private func add(_ aliases: [TransactionAlias]) async throws {
        guard !aliases.isEmpty else { return }
        try await connection.execute(
            SQL.Load.addAliases,
            [
                .intArray(aliases.map(\.key.rawValue)), .textArray(aliases.map(\.alias)),
                .textArray(aliases.map(\.transactionID)), .int(chunk.runID),
            ])
    }

    /// Replaces what purchases with several products hold; one that holds a single product has no items.
    private func keep(_ items: [SubscriptionKey: [SubscriptionItem]]) async throws {
        guard !items.isEmpty else { return }
        let answered = items.sorted { $0.key < $1.key }
        let held = answered.flatMap { key, items in items.map { (key: key, item: $0) } }
        let (keys, products) = (
            PostgresValue.intArray(held.map(\.key.rawValue)), PostgresValue.textArray(held.map(\.item.productID))
        )
        try await connection.execute(SQL.Load.dropItems, [.intArray(answered.map(\.key.rawValue)), keys, products])
        guard !held.isEmpty else { return }
        try await connection.execute(
            SQL.Load.keepItems,
            [
                keys, products, .textArray(held.map { $0.item.expiresAt.microsText }),
                .textArray(held.map { $0.item.autoRenew.map(String.init) }),
                .textArray(held.map(\.item.latestTransactionID)),
            ])
    }

    /// A document, and the subscription it is kept under.
    private typealias KeyedDocument = (key: SubscriptionKey, document: ArchivedDocument)

    /// In parts: a first night's answers are many megabytes. The documents of one check stay together.
    private func archive(_ answers: [SubscriptionKey: [ArchivedDocument]]) async throws {
        try await archiveChains(of: answers.values.flatMap(\.self))
        var part: [KeyedDocument] = []
        var bytes = 0
        for (key, documents) in answers.sorted(by: { $0.key < $1.key }) {
            part += documents.map { (key: key, document: $0) }
            bytes += documents.reduce(0) { $0 + $1.body.utf8.count }
            guard bytes >= Self.archivedBytes else { continue }
            try await archive(part: part)
            (part, bytes) = ([], 0)
        }
        if !part.isEmpty { try await archive(part: part) }
    }

    private func archiveChains(of documents: [ArchivedDocument]) async throws {
        let chains = documents.reduce(into: [:]) { $0.merge($1.chains) { first, _ in first } }
            .sorted { $0.key < $1.key }
        guard !chains.isEmpty else { return }
        try await connection.execute(
            SQL.Load.archiveChains, [.textArray(chains.map(\.key)), .textArray(chains.map(\.value))])
    }

    private func archive(part: [KeyedDocument]) async throws {
        try await connection.execute(
            SQL.Load.archiveAnswers,
            [
                .intArray(part.map(\.key.rawValue)), .textArray(part.map(\.document.contentHash)),
                .textArray(part.map { _ in chunk.appID.rawValue }), .textArray(part.map(\.document.endpoint)),
                .textArray(part.map(\.document.body)), .int(chunk.runID), PostgresValue(chunk.now),
                PostgresValue(chunk.number),
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
            failures.map(\.key).wakesRead(asked), .int(chunk.runID), PostgresValue(chunk.now),
        ]
        try await connection.execute(SQL.Load.recordFailures, [keys] + counted + ends + read)
    }

    private func setAside(_ causes: [SetAside]) async throws {
        guard !causes.isEmpty else { return }
        try await connection.execute(
            SQL.Load.setAside,
            [
                .intArray(causes.map(\.key.rawValue)), .textArray(causes.map(\.stage)),
                .textArray(causes.map(\.reason)), .textArray(causes.map(\.detail)), PostgresValue(chunk.appID),
                .int(chunk.runID), PostgresValue(chunk.now),
            ])
    }
}

extension [SubscriptionKey] {
    /// How often each was made due when it was read, as an array whose elements may be NULL.
    fileprivate func wakesRead(_ asked: [SubscriptionKey: Int64]) -> PostgresValue {
        .textArray(map { key in asked[key].map { String($0) } })
    }
}

extension Instant? {
    /// Microseconds since 1970 as an array's element, which may be NULL.
    fileprivate var microsText: String? { map { String($0.micros) } }
}
