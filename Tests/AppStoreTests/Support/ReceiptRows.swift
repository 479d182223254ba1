// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

@testable import AppStore

/// Rows of `verifyReceipt` to be changed member by member, and the answer they make.
enum ReceiptRows {
    /// 2026-03-10T12:00:00Z.
    static let asked = Rows.signed
    static let day: Int64 = 86_400_000

    static func row(_ changes: [String: (any Sendable)?] = [:]) -> [String: any Sendable] {
        var row: [String: any Sendable] = [
            "transaction_id": "11", "original_transaction_id": "11", "web_order_line_item_id": "91",
            "product_id": "gold", "quantity": "1", "purchase_date_ms": "\(asked - 10 * day)",
            "expires_date_ms": "\(asked + 20 * day)",
        ]
        for (name, value) in changes { row[name] = value }
        return row
    }

    /// Ended ten days before it was asked about.
    static func ended(_ changes: [String: (any Sendable)?] = [:]) -> [String: any Sendable] {
        row(
            ["purchase_date_ms": "\(asked - 40 * day)", "expires_date_ms": "\(asked - 10 * day)"].merging(changes) {
                $1
            })
    }

    static func pending(_ changes: [String: any Sendable] = [:]) -> [String: any Sendable] {
        ["original_transaction_id": "11", "product_id": "gold", "auto_renew_status": "1"].merging(changes) { $1 }
    }

    static func read(
        _ rows: [[String: any Sendable]], pending: [String: any Sendable]? = nil, more: [String: any Sendable] = [:]
    ) throws -> Reading {
        var answer: [String: any Sendable] = [
            "status": 0, "environment": "Production", "latest_receipt_info": rows,
            "receipt": ["bundle_id": "com.adapty.sample_app", "request_date_ms": "\(asked)"],
        ]
        if let pending { answer["pending_renewal_info"] = [pending] }
        answer.merge(more) { $1 }
        return try Sample.production.read(try Rows.json(answer), storeKey: "11")
    }
}
