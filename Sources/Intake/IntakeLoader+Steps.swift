// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Postgres
import Runs
import SQLCatalog
import Stores

/// A purchase that is registered and booked.
struct AcceptedPurchase {
    let account: String?
    let examined: ExaminedPurchase?
    let resolved: ResolvedPurchase
}

/// The steps of one transaction.
extension IntakeLoader {
    /// Until the transaction ends the run is this intake's, or the night is not sealed.
    func lockRun() async throws {
        if let night = place.night {
            try await Schema.share(on: connection)
            guard try await place.ledger.isOpen(night) else { throw BookingPlace.NightIsOver() }
        } else if try await connection.query(SQL.Intake.lockRun, [.int(run.id), .int(run.generation)]).isEmpty {
            throw PipelineError.takenOver(run)
        }
    }

    /// Beside a night others load, too: what is to be changed is locked as they lock it, before anything else of it is.
    func lockKeys(_ purchases: [AssessedPurchase]) async throws {
        guard let chunk else { return }
        let rows = ChunkRows(merging: purchases.compactMap { $0.resolved?.rows })
        if !rows.links.isEmpty { _ = try await connection.query(SQL.Load.lockLineages, [PostgresValue(appID)]) }
        let changed = rows.transactions.map(\.key) + rows.subscriptions.map(\.key) + rows.failures.map(\.key)
        let linked = rows.links.flatMap { [$0.key, $0.earlier] }
        let beside =
            rows.discoveries.map(\.key) + linked + rows.looks.keys + rows.failedLooks.map(\.key) + rows.placeholders
            + rows.setAside.map(\.key)
        try await connection.execute(
            SQL.Intake.lockKeys,
            [
                .int(chunk.runID), PostgresValue(chunk.number), .intArray((changed + beside).map(\.rawValue)),
                .intArray(linked.map(\.rawValue)),
            ])
    }

    /// The subscriptions among those that the purchases are about, each with its account where it has one, and the
    /// tokens of one-time purchases that were registered before they were settled.
    ///
    /// They stay as they are until this transaction ends.
    func registered(_ purchases: [AssessedPurchase]) async throws -> [SubscriptionKey: String?] {
        let resolved = purchases.compactMap(\.resolved)
        let keys = resolved.flatMap { $0.subscriptions.map(\.key) + $0.rows.soldUnder.keys }
        var registered: [SubscriptionKey: String?] = [:]
        for row in try await connection.query(SQL.Intake.lockOwners, [.intArray(keys.unique.map(\.rawValue))]) {
            registered[try row.subscriptionKey("subscription_key")] = .some(try row.optionalString("account_id"))
        }
        return registered
    }

    func ownership(
        of purchases: [AssessedPurchase], _ registered: [SubscriptionKey: String?]
    ) async throws -> Ownership {
        let sales = purchases.compactMap { $0.resolved?.main }.filter(\.isSale).map(\.key.rawValue)
        var owners = registered.compactMapValues(\.self)
        for row in try await connection.query(SQL.Intake.listSaleOwners, [.intArray(sales)]) {
            owners[try row.subscriptionKey("subscription_key")] = try row.string("account_id")
        }
        let named = purchases.compactMap { purchase in
            purchase.resolved.flatMap { resolved in purchase.period(resolved).map { (resolved.main.key, $0) } }
        }
        var known = Set(registered.keys.map { Ownership.Identity(key: $0, transactionID: nil) })
        let booked = try await connection.query(
            SQL.Intake.listBooked,
            [
                .intArray(named.map(\.0.rawValue)), .textArray(named.map(\.1.transactionID)),
                .textArray(named.map(\.1.periodKey)),
            ])
        for row in booked {
            known.insert(
                Ownership.Identity(
                    key: try row.subscriptionKey("subscription_key"), transactionID: try row.string("transaction_id")))
        }
        for resolved in purchases.compactMap(\.resolved) {
            for (token, sale) in resolved.rows.soldUnder {
                guard let account = registered[token] else { continue }
                owners[sale] = owners[sale] ?? account
                let sold = resolved.rows.transactions.filter { $0.key == sale }
                known.formUnion(sold.map { Ownership.Identity(key: sale, transactionID: $0.transactionID) })
            }
        }
        return Ownership(owners: owners, known: known)
    }

    func register(_ accepted: [AcceptedPurchase], _ registered: [SubscriptionKey: String?]) async throws {
        let lines = accepted.flatMap { purchase in purchase.resolved.subscriptions.map { (purchase, $0) } }
        guard !lines.isEmpty else { return }
        let missing = lines.map(\.1).filter { registered[$0.key] == nil }
        let storeKeys = missing.map(\.storeKey).unique.map { $0.reveal() }
        let inserted = try await connection.query(
            SQL.Intake.insertSubscriptions,
            [PostgresValue(appID), .textArray(storeKeys), PostgresValue(run.now)])
        guard inserted.count == storeKeys.count else { throw Overtaken() }
        _ = try await connection.query(
            SQL.Intake.registerPurchases,
            [
                PostgresValue(appID), .textArray(lines.map { $0.1.storeKey.reveal() }),
                .textArray(lines.map(\.0.account)),
                .textArray(lines.map { $0.0.examined?.productID ?? $0.1.productID }),
                .textArray(lines.map { $0.1.environment.rawValue }),
                .textArray(lines.map { $0.0.resolved.receipt?.reveal() }),
            ])
    }

    /// Loads the rows of the accepted purchases, as one chunk that no other process ever sees open, or as the one that
    /// was claimed beside a night.
    ///
    /// False where there are none.
    func book(_ accepted: [AcceptedPurchase]) async throws -> Bool {
        let keys = accepted.flatMap { $0.resolved.items.map(\.key) }.unique
        guard let chunk = try await begin(keys) else { return false }
        var rows = ChunkRows(merging: accepted.map(\.resolved.rows))
        // Registering them just now made them due; what else did so meanwhile counts.
        for line in accepted.flatMap(\.resolved.subscriptions) { rows.asked[line.key, default: 0] += 1 }
        for purchase in accepted { try await persistReceipt(of: purchase.resolved, in: &rows) }
        _ = try await LoadStage(connection: connection).loadWithin(rows, as: chunk, counts: rows.counts)
        return true
    }

    private func begin(_ keys: [SubscriptionKey]) async throws -> Chunk? {
        if let chunk { return try await begin(chunk, keys) }
        guard !keys.isEmpty else { return nil }
        let started = try await connection.query(
            SQL.Intake.beginChunk,
            [
                .int(run.id), PostgresValue(appID), .intArray(keys.map(\.rawValue)),
                .text("\(Leader.current.host):\(Leader.current.processID)"),
            ]
        ).first
        guard let started else { throw PipelineError(.failed, "no chunk could be opened for run \(run.id)") }
        return Chunk(
            runID: run.id, number: try started.int("chunk_no"), generation: try started.int64("generation"),
            appID: appID, now: run.now)
    }

    /// The fence is compared whether anything is booked or not: the purchases may be another intake's by now.
    private func begin(_ chunk: BesideChunk, _ keys: [SubscriptionKey]) async throws -> Chunk? {
        let identity: [PostgresValue] = [.int(chunk.runID), PostgresValue(chunk.number)]
        try await connection.execute(SQL.Load.clearStageKeys, identity)
        let opened = try await connection.query(
            SQL.Intake.beginBeside, identity + [.int(chunk.generation), .intArray(keys.map(\.rawValue))])
        guard !opened.isEmpty else {
            throw PipelineError(
                .alreadyRunning, "the lease on purchases of \(appID) ran out: another intake may have them; run again")
        }
        guard !keys.isEmpty else { return nil }
        return Chunk(
            runID: chunk.runID, number: chunk.number, generation: chunk.generation, appID: appID, now: run.now)
    }

    /// One-time sales of a receipt are looked at again by it, and no subscription may refer to it.
    private func persistReceipt(of purchase: ResolvedPurchase, in rows: inout ChunkRows) async throws {
        let looks = purchase.rows.looks.values.filter { $0.nextLookAt != nil }
        guard let receipt = purchase.receipt, let id = looks.lazy.compactMap(\.receiptID).first else { return }
        let stored = try await connection.query(
            SQL.Intake.persistSaleReceipt, [.int(id), PostgresValue(appID), .text(receipt.reveal())]
        ).first
        guard let storedID = try stored?.int64("receipt_id") else { return }
        for look in looks { rows.looks[look.key] = look.read(from: storedID) }
    }

    /// What cannot be read, and what three runs asked about without success, is for a person to see.
    func settleDeadLetters(_ purchases: [AssessedPurchase], _ verdicts: [PurchaseVerdict]) async throws {
        var (aside, settled): ([(key: SubscriptionKey, failure: StoreFailure)], [SubscriptionKey]) = ([], [])
        for purchase in purchases {
            if case .undecided(let failure) = purchase.opinion {
                let isLastTry = purchase.inbox.attempts + 1 >= NextCheck.nightsUntilSetAside
                if isLastTry || failure.kind == .unreadable { aside.append((purchase.key(in: appID), failure)) }
            } else if purchase.inbox.attempts > 0 {
                settled.append(purchase.key(in: appID))
            }
        }
        if !settled.isEmpty {
            try await connection.execute(
                SQL.Intake.resolveDeadLetters, [.intArray(settled.map(\.rawValue)), PostgresValue(run.now)])
        }
        guard !aside.isEmpty else { return }
        try await connection.execute(
            SQL.Load.setAside,
            [
                .intArray(aside.map(\.key.rawValue)), .textArray(aside.map { _ in "intake" }),
                .textArray(aside.map(\.failure.reason)), .textArray(aside.map(\.failure.message)),
                .textArray(aside.map { _ in nil }), PostgresValue(appID), .int(run.id), PostgresValue(run.now),
                .bool(chunk != nil),
            ])
    }

    func record(_ verdicts: [PurchaseVerdict]) async throws {
        try await connection.execute(
            SQL.Intake.recordOutcomes,
            [
                .intArray(verdicts.map(\.purchaseID)), .textArray(verdicts.map(\.state.rawValue)),
                .textArray(verdicts.map { $0.genuine.map(String.init) }),
                .textArray(verdicts.map { $0.ours.map(String.init) }),
                .textArray(verdicts.map { $0.isNew.map(String.init) }),
                .textArray(verdicts.map { $0.isCurrent.map(String.init) }), .textArray(verdicts.map(\.reason)),
                .textArray(verdicts.map { $0.key?.description }), .textArray(verdicts.map(\.productID)),
                .textArray(verdicts.map(\.transactionID)), .int(run.id), PostgresValue(run.now),
            ])
    }
}

extension AssessedPurchase {
    fileprivate var resolved: ResolvedPurchase? {
        if case .genuine(let resolved) = opinion { resolved } else { nil }
    }
}

extension Array where Element: Hashable {
    /// Each once, in the order of first appearance.
    fileprivate var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
