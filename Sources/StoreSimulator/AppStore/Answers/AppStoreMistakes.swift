// SPDX-License-Identifier: Apache-2.0

/// What the store gets wrong about single ids, as owners have reported of it: rows that come without their app for a while, and
/// receipts that are "malformed, or temporarily not available" for ever.
package struct AppStoreMistakes: Sendable {
    /// Transactions whose row names no app, until an instant of the store's clock.
    package var withoutApp: [String: Int64] = [:]
    /// Customers whose receipts are answered with 21002, by the original id of any of their subscriptions.
    package var malformedReceipts: Set<String> = []

    /// The row as the store shows it with its mistakes.
    func spoilt(_ row: WireObject, at now: Int64) -> WireObject {
        guard let id = row["transactionId"] as? String, let until = withoutApp[id], now < until else { return row }
        var spoilt = row
        spoilt["bundleId"] = nil
        return spoilt
    }
}
