// SPDX-License-Identifier: Apache-2.0

/// What the store gets wrong about single ids, as owners have reported of it: rows that come without their app, or with
/// a product of twelve thousand letters, for a while, and receipts that are "malformed, or temporarily not available" for ever.
package struct AppStoreMistakes: Sendable {
    /// Transactions whose row names no app, until an instant of the store's clock.
    package var withoutApp: [String: Int64] = [:]
    /// Transactions whose row names a product that is no name, until an instant of the store's clock.
    package var withLongProduct: [String: Int64] = [:]
    /// Customers whose receipts are answered with 21002, by the original id of any of their subscriptions.
    package var malformedReceipts: Set<String> = []

    /// What it calls a product then.
    package static let longProduct = String(repeating: "gold.", count: 2_400)

    /// The row as the store shows it with its mistakes, by either of its doors.
    func spoilt(_ row: WireObject, at now: Int64) -> WireObject {
        guard let id = (row["transactionId"] ?? row["transaction_id"]) as? String else { return row }
        var spoilt = row
        if let until = withoutApp[id], now < until { spoilt["bundleId"] = nil }
        if let until = withLongProduct[id], now < until {
            spoilt[row["product_id"] == nil ? "productId" : "product_id"] = Self.longProduct
        }
        return spoilt
    }
}
