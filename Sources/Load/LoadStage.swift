// SPDX-License-Identifier: Apache-2.0

package import Model
package import Postgres
internal import SQLCatalog

/// Load: writes a chunk's rows in one transaction, so that progress commits with the rows.
///
/// Kill it anywhere and run it again: the tables are those of an unbroken run. Every statement is keyed, an unchanged
/// row changes nothing, and an older answer never overwrites a newer one.
package struct LoadStage: Sendable {
    let connection: PostgresConnection

    package init(connection: PostgresConnection) { self.connection = connection }

    /// Loads rows of the chunk and marks it done; returns how many transactions changed.
    ///
    /// Throws `LoadError` or `PostgresError`.
    ///
    /// `remaining`: subscriptions of the chunk that are still to be asked: it stays leased, with these alone.
    ///
    /// `isHandedBack`: it does not stay leased, for its app stops here.
    ///
    /// `deferring`: what is not to be loaded before it is decided on.
    package func load(
        _ rows: ChunkRows, as chunk: Chunk, counts: [String: Int64], remaining: [SubscriptionKey] = [],
        isHandedBack: Bool = false, deferring deferred: ChunkRows? = nil
    ) async throws -> Int {
        try await connection.withTransaction { _ in
            let changed = try await loadWithin(
                rows, as: chunk, counts: counts, remaining: remaining, isHandedBack: isHandedBack)
            if let deferred { try await `defer`(deferred, of: chunk) }
            return changed
        }
    }

    /// The same within the caller's transaction: what else belongs to these rows commits with them.
    package func loadWithin(
        _ rows: ChunkRows, as chunk: Chunk, counts: [String: Int64], remaining: [SubscriptionKey] = [],
        isHandedBack: Bool = false
    ) async throws -> Int {
        try await lock(chunk)
        let sent = try await stage(rows, chunk)
        let staged = try await countStaged(chunk)
        guard staged == sent else {
            throw LoadError.stagedMismatch(chunk: chunk.number, sent: sent, staged: staged)
        }
        if chunk.isBeside {
            try await connection.execute(SQL.Load.dateBesideTransactions, chunk.identity)
            try await connection.execute(SQL.Load.dateBesideSubscriptions, chunk.identity)
        }
        try await write(rows, chunk)
        let changed = try await finish(
            chunk, sent: sent, staged: staged, remaining: remaining, isHandedBack: isHandedBack)
        try await add(counts, to: chunk)
        return changed
    }

    /// Writes what was staged into the tables.
    ///
    /// From the first statement on, no other loader loads anything that this may change: what is found missing stays
    /// missing until it is booked.
    private func write(_ rows: ChunkRows, _ chunk: Chunk) async throws {
        try await lock(rows, chunk)
        try await register(rows, chunk)
        try await link(rows, chunk)
        let beside = AuxiliaryRows(connection: connection, chunk: chunk)
        // Before the subscriptions, as `register` takes them.
        try await beside.replace(rows.receipts)
        // By which a notification of another id of a transaction is found.
        try await beside.add(rows.aliases)
        try await book(chunk, links: rows.links)
        try await beside.write(rows)
        try await resolveDeadLetters(rows, chunk)
    }

    /// Until the transaction ends, no other loader writes anything of these rows' subscriptions.
    func lock(_ rows: ChunkRows, _ chunk: Chunk) async throws {
        if !rows.links.isEmpty { _ = try await connection.query(SQL.Load.lockLineages, [PostgresValue(chunk.appID)]) }
        let looks = rows.looks.keys + rows.failedLooks.map(\.key)
        let beside =
            rows.discoveries.map(\.key) + rows.failures.map(\.key) + rows.placeholders + rows.setAside.map(\.key)
            + looks
        let linked = rows.links.flatMap { [$0.key, $0.earlier] }
        try await connection.execute(
            SQL.Load.lockKeys,
            chunk.identity + [.intArray((beside + linked).map(\.rawValue)), .intArray(linked.map(\.rawValue))])
    }

    private func lock(_ chunk: Chunk) async throws {
        let row = try await connection.query(SQL.Load.lockChunk, chunk.identity).first
        guard let row, try row.int64("generation") == chunk.generation, try row.string("state") == "leased" else {
            throw LoadError.leaseLost(chunk: chunk.number)
        }
        guard try await !connection.query(SQL.Load.lockOpenRun, [.int(chunk.runID)]).isEmpty else {
            throw LoadError.runOver(run: chunk.runID, chunk: chunk.number)
        }
    }

    /// Subscriptions that the answers showed for the first time, before anything refers to them.
    private func register(_ rows: ChunkRows, _ chunk: Chunk) async throws {
        guard !rows.discoveries.isEmpty else { return }
        let found = rows.discoveries
        try await connection.execute(
            SQL.Load.registerDiscoveries,
            [
                .intArray(found.map(\.key.rawValue)), .textArray(found.map(\.appID.rawValue)),
                .textArray(found.map(\.store.rawValue)), .textArray(found.map(\.environment.rawValue)),
                .textArray(found.map { $0.storeKey.reveal() }), .textArray(found.map(\.productID)),
                .intArray(found.map(\.discoveredBy.rawValue)), .intArray(found.map { $0.receiptID ?? 0 }),
                PostgresValue(chunk.now),
            ])
    }

    /// Lineages that continue each other, before any row is written under the lineage it had.
    private func link(_ rows: ChunkRows, _ chunk: Chunk) async throws {
        guard !rows.links.isEmpty else { return }
        let later = PostgresValue.intArray(rows.links.map(\.key.rawValue))
        try await connection.execute(
            SQL.Load.addLineageLinks,
            [later, .intArray(rows.links.map(\.earlier.rawValue)), .int(chunk.runID)])
        try await connection.execute(SQL.Load.followLineageLinks, [later])
        guard !rows.substitutes.isEmpty else { return }
        try await connection.execute(
            SQL.Load.takeAccounts,
            [
                .intArray(rows.substitutes.map(\.key.rawValue)), .intArray(rows.substitutes.map(\.earlier.rawValue)),
            ])
    }

    private func stage(_ rows: ChunkRows, _ chunk: Chunk) async throws -> Int {
        let hashes = rows.answerHashes
        let transactions = try await connection.copyIn(SQL.Load.copyTransactions) { writer in
            for row in rows.transactions {
                try await writer.write(row: row.columns(of: chunk, answerHash: row.answerHash ?? hashes[row.key]))
            }
        }
        let subscriptions = try await connection.copyIn(SQL.Load.copySubscriptions) { writer in
            for row in rows.subscriptions {
                try await writer.write(row: row.columns(of: chunk, checkRequestsSeen: rows.asked[row.key]))
            }
        }
        return transactions + subscriptions
    }

    private func countStaged(_ chunk: Chunk) async throws -> Int {
        guard let row = try await connection.query(SQL.Load.countStaged, chunk.identity).first else { return 0 }
        return try row.int("transactions") + row.int("subscriptions")
    }

    /// Changes found, money booked, today's picture and its history written: in that order, each from what stood before.
    private func book(_ chunk: Chunk, links: [LineageLink]) async throws {
        let identity = chunk.identity
        let dated = identity + [PostgresValue(chunk.now)]
        try await connection.execute(SQL.Load.findChanges, identity)
        if !links.isEmpty {
            try await connection.execute(
                SQL.Load.relinkTransactions, identity + [.intArray(links.map(\.key.rawValue))])
        }
        try await connection.execute(SQL.Load.appendLedgerEntries, dated)
        try await connection.execute(SQL.Load.upsertTransactions, identity)
        try await connection.execute(SQL.Load.appendVersions, dated)
        try await connection.execute(SQL.Load.appendStateChanges, dated)
        try await connection.execute(SQL.Load.updateSubscriptions, dated)
        try await connection.execute(SQL.Load.requestCheckOfIndirectlySeen, identity)
        try await connection.execute(SQL.Load.requestCheckOfLinked, identity)
        try await connection.execute(SQL.Load.requestCheckOfUnplaced, identity)
    }

    /// After this chunk's own were set aside: what is met again stays one dead letter.
    private func resolveDeadLetters(_ rows: ChunkRows, _ chunk: Chunk) async throws {
        let ofRows = Set(rows.setAside.filter { $0.transactionID != nil }.map(\.key.rawValue))
            .subtracting(rows.failures.map(\.key.rawValue))
        if !ofRows.isEmpty {
            try await connection.execute(
                SQL.Load.requestCheckOfSetAside,
                chunk.identity + [.intArray(ofRows.sorted()), PostgresValue(chunk.now + NextCheck.night)])
        }
        let whole = PostgresValue.intArray(rows.readWhole.map(\.rawValue).sorted())
        try await connection.execute(
            SQL.Load.resolveDeadLetters,
            chunk.identity + [PostgresValue(chunk.now), PostgresValue(chunk.appID), whole])
    }

    private func finish(
        _ chunk: Chunk, sent: Int, staged: Int, remaining: [SubscriptionKey], isHandedBack: Bool
    ) async throws -> Int {
        let row = try await connection.query(
            SQL.Load.finishChunk,
            chunk.identity + [
                .int(chunk.generation), PostgresValue(sent), PostgresValue(staged),
                .intArray(remaining.map(\.rawValue)), .bool(isHandedBack),
            ]
        ).first
        guard let row else { throw LoadError.leaseLost(chunk: chunk.number) }
        let clearing = [
            SQL.Load.clearStageTransactions, SQL.Load.clearStageChanges, SQL.Load.clearStageSubscriptions,
            SQL.Load.clearStageKeys,
        ]
        for clear in clearing { try await connection.execute(clear, chunk.identity) }
        return try row.int("changed")
    }
}

extension LoadStage {
    /// Loads rows and rolls back: throws where the database would refuse them.
    package func rehearse(_ rows: ChunkRows, as chunk: Chunk) async throws {
        try await connection.rehearse { _ in
            _ = try await stage(rows, chunk)
            try await write(rows, chunk)
        }
    }
}
