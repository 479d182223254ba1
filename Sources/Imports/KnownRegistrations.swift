// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import SQLCatalog

/// The subscriptions of a batch that were registered before it, locked until the transaction ends.
struct KnownRegistrations {
    private var owners: [SubscriptionKey: String?] = [:]
    private var receipts: [SubscriptionKey: Int64] = [:]

    init(of keys: [SubscriptionKey], on connection: PostgresConnection) async throws(PostgresError) {
        let wanted = Set(keys).map(\.rawValue).sorted()
        for row in try await connection.query(SQL.Import.lockRegistered, [.intArray(wanted)]) {
            let key = try row.subscriptionKey("subscription_key")
            owners[key] = .some(try row.optionalString("account_id"))
            receipts[key] = try row.optionalInt64("receipt_id")
        }
    }

    /// What a batch adds to, before its first line.
    func registration(of key: SubscriptionKey, appID: String, storeKey: String) -> Registration {
        Registration(
            key: key, appID: appID, storeKey: storeKey, isKnown: owners[key] != nil, owner: owners[key].flatMap(\.self))
    }

    /// The receipt it belongs to already.
    func receipt(of key: SubscriptionKey) -> Int64? { receipts[key] }
}
