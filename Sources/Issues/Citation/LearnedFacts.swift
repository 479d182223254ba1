// SPDX-License-Identifier: Apache-2.0

/// What was learned of a transaction between two seals.
struct LearnedFacts: Sendable, Hashable {
    var isNew = false
    var hasRefund = false
    var hasCharge = false
    var hasImage = false
    var hasState = false
    var hasProduct = false
    /// Its lineage was linked with another one.
    var hasLink = false
    /// An exchange rate was imported that holds for its purchase.
    var hasRate = false

    /// Why its part in a figure moved.
    func cause(of moved: MovedOrigin) -> MovementCause {
        if moved.isConversionAlone, hasRate { return .rates }
        if moved.origin.money == "refund", hasRefund { return .refunds }
        if isNew { return .transactions }
        if hasRefund, moved.origin.money.isEmpty { return .refunds }
        if hasCharge { return .prices }
        if hasLink { return .links }
        // What became of a subscription moves no money: that has entries of its own.
        if hasImage || (hasState && moved.origin.money.isEmpty) { return .states }
        return hasProduct ? .catalogue : .unknown
    }
}
