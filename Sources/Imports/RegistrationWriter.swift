// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import Runs
import SQLCatalog
import Stores

/// Writes the registrations of a batch, a statement for those that are new and one for those that were known.
struct RegistrationWriter {
    let connection: PostgresConnection
    let known: KnownRegistrations

    /// Throws `Overtaken` where somebody registered one of the new ones meanwhile.
    func write(_ registrations: [Registration], now: Instant) async throws {
        let receipts = try await persistReceipts(of: registrations)
        let new = registrations.filter { !$0.isKnown }
        if !new.isEmpty {
            let inserted = try await connection.query(
                SQL.Import.insertRegistrations,
                [.intArray(new.map(\.key.rawValue)), .textArray(new.map(\.appID)), .textArray(new.map(\.storeKey))]
                    + Self.facts(of: new, receipts) + [PostgresValue(now)])
            guard inserted.count == new.count else { throw Overtaken() }
        }
        let known = registrations.filter(\.isKnown)
        guard !known.isEmpty else { return }
        try await connection.execute(
            SQL.Import.updateRegistrations, [.intArray(known.map(\.key.rawValue))] + Self.facts(of: known, receipts))
    }

    private static func facts(
        of registrations: [Registration], _ receipts: [SubscriptionKey: Int64]
    ) -> [PostgresValue] {
        [
            .textArray(registrations.map(\.accountID)), .textArray(registrations.map(\.productID)),
            .textArray(registrations.map(\.environment)), .textArray(registrations.map(\.country)),
            .textArray(registrations.map { $0.expiresAt?.iso8601 }),
            .textArray(registrations.map { receipts[$0.key].map(String.init) }),
        ]
    }

    /// A receipt belongs to many subscriptions: the one that a subscription is read from, else one with the same text, else
    /// a new one.
    private func persistReceipts(of registrations: [Registration]) async throws -> [SubscriptionKey: Int64] {
        let bearers = registrations.filter { $0.receipt != nil }
        guard !bearers.isEmpty else { return [:] }
        var byText = try await storedReceipts(with: bearers.filter { known.receipt(of: $0.key) == nil })
        var ids: [SubscriptionKey: Int64] = [:]
        var texts: [Int64: (app: String, text: String)] = [:]
        for bearer in bearers {
            let text = ReceiptText(bearer)
            let id = known.receipt(of: bearer.key) ?? byText[text] ?? Self.newReceipt(of: bearer)
            byText[text] = byText[text] ?? id
            ids[bearer.key] = id
            texts[id] = (text.app, text.text)
        }
        let rows = texts.sorted { $0.key < $1.key }
        try await connection.execute(
            SQL.Import.persistReceipts,
            [
                .intArray(rows.map(\.key)), .textArray(rows.map(\.value.app)), .textArray(rows.map(\.value.text)),
            ])
        return ids
    }

    private struct ReceiptText: Hashable {
        let app: String
        let text: String

        init(_ registration: Registration) {
            (app, text) = (registration.appID, registration.receipt ?? "")
        }
    }

    private func storedReceipts(with bearers: [Registration]) async throws(PostgresError) -> [ReceiptText: Int64] {
        let texts = Array(Set(bearers.map(ReceiptText.init)))
        guard !texts.isEmpty else { return [:] }
        var ids: [ReceiptText: Int64] = [:]
        for row in try await connection.query(
            SQL.Import.findReceipts, [.textArray(texts.map(\.app)), .textArray(texts.map(\.text))])
        {
            ids[texts[try row.int("place") - 1]] = try row.int64("receipt_id")
        }
        return ids
    }

    /// As `subledger.register` names it: after the subscription it was first registered with.
    private static func newReceipt(of registration: Registration) -> Int64 {
        SubscriptionKey(appID: AppID(registration.appID), storeKey: "receipt-of-\(registration.key)").rawValue
    }
}
