// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
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
