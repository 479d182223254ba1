// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import SQLCatalog
import Stores

/// A purchase that waits in the inbox.
struct InboxPurchase: Sendable {
    let id: Int64
    let accountID: String?
    let purchase: SubmittedPurchase
    /// Runs that looked at it before this one.
    let attempts: Int

    init(_ row: PostgresRow) throws(PostgresError) {
        id = try row.int64("purchase_id")
        accountID = try row.optionalString("account_id").flatMap { $0.isEmpty ? nil : $0 }
        attempts = try row.int("attempts")
        purchase = SubmittedPurchase(
            kind: try row.word("kind", as: SubmittedPurchase.Kind.self), payload: Secret(try row.string("payload")),
            signature: try row.optionalString("signature"), productID: try row.optionalString("product_id"))
    }
}
