// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import SQLCatalog
import StoreSimulator
import TestSupport

/// Version 1 notifications, which no store keeps: the endpoint of the owner's backend takes them in, and puts them as they came
/// where the program looks for them.
extension NightWorld {
    /// Those that arrived in that time, but none from before the stores' clock began: nobody listened then.
    func takeIn(from: Instant, to: Instant) async throws {
        let insert = Statement(
            name: "the backend's endpoint",
            text: "insert into subledger.notification_inbox (app_id, source, payload, received_at) "
                + "values ($1, 'app_store_v1', $2, $3)")
        for post in try posts(from: from, to: to) {
            _ = try await connection.query(
                insert, [.text(post.appID), .text(post.payload), .timestamp(micros: post.at)])
        }
    }

    /// What the devices handed to the backend, as it puts it into the inbox of purchases.
    func handIn(_ bought: [Registration], at now: Instant) async throws {
        let insert = Statement(
            name: "the backend's endpoint",
            text: "insert into subledger.purchase_inbox (app_id, account_id, kind, payload, signature, received_at) "
                + "values ($1, $2, $3, $4, $5, $6)")
        for purchase in bought {
            let signed = try stores.signedPurchase(ofToken: purchase.storeKey)
            let kind = signed != nil ? "play_purchase" : purchase.receipt != nil ? "receipt" : "original_transaction_id"
            try await connection.execute(
                insert,
                [
                    .text(purchase.appID), .text(purchase.accountID), .text(kind),
                    .text(signed?.data ?? purchase.receipt ?? purchase.storeKey),
                    signed.map { .text($0.signature) } ?? .null, PostgresValue(now),
                ])
        }
    }

    private func posts(from: Instant, to: Instant) throws -> [PostedNotification] {
        try stores.posts(since: max(from, Self.firstNight - .days(1)).micros, until: to.micros)
    }

    /// The one-time purchases that were said by then to be given back: the only rows of a receipt that were cancelled and have
    /// no expiry.
    func salesToldRefunded(by now: Instant) throws -> Set<String> {
        let rows = try posts(from: .distantPast, to: now).filter { $0.type == "REFUND" }.flatMap { post in
            let body = try JSONSerialization.jsonObject(with: Data(post.payload.utf8)) as? [String: Any]
            let receipt = body?["unified_receipt"] as? [String: Any]
            return receipt?["latest_receipt_info"] as? [[String: String]] ?? []
        }
        let sales = rows.filter { $0["cancellation_date"] != nil && $0["expires_date"] == nil }
        return Set(sales.compactMap { $0["transaction_id"] })
    }
}
