// SPDX-License-Identifier: Apache-2.0

/// What Google Play's answers have said so far: when each settled order was shown, and when each purchase was told of.
struct PlayRevelations: Sendable {
    /// The store's clock at the first and the last time an order was shown as settled.
    struct Shown: Hashable, Sendable {
        var first: Int64
        var last: Int64
    }

    private(set) var orders: [String: Shown] = [:]
    /// The store's clock at every answer about a purchase, growing.
    private(set) var tokens: [String: [Int64]] = [:]

    /// The purchases that the store said it had forgotten.
    private(set) var gone: Set<String> = []

    mutating func forget(_ token: String) { gone.insert(token) }

    mutating func show(_ orderID: String, at now: Int64) {
        orders[orderID] = Shown(first: orders[orderID]?.first ?? now, last: now)
    }

    mutating func tell(_ token: String, at now: Int64) {
        if tokens[token]?.last != now { tokens[token, default: []].append(now) }
    }
}
