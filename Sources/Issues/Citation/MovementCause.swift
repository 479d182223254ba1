// SPDX-License-Identifier: Apache-2.0

/// Why a figure moved since it was issued.
package enum MovementCause: String, Sendable, Hashable, Encodable, CaseIterable {
    /// Refunds and their reversals that the store told later.
    case refunds
    /// Transactions that were unknown then.
    case transactions
    /// A price that was missing then, or was corrected.
    case prices
    /// A link between purchases: one continues the other.
    case links
    /// What the store said of transactions and subscriptions later: ended, in grace, moved to another country.
    case states
    /// A line of the catalogue that was imported.
    case catalogue
    /// Exchange rates that were imported.
    case rates
    /// Commission rules or tax rates that were imported.
    case rules
    /// The program reckons otherwise than the one that issued it.
    case definitions
    /// The reports' time zone is another one.
    case timeZone = "time_zone"
    /// A figure is rounded once, and so is each of its parts.
    case rounding
    /// The report does not say which transactions its figures are made of.
    case notFollowed = "not_followed"
    case unknown
}

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

/// What of a figure's movement no transaction explains.
struct UnexplainedRest: Sendable, Hashable {
    let micros: Int64
    /// Transactions that the figure was followed to; nil where its report names none.
    let partCount: Int?
    let hasOtherDefinitions: Bool
    let hasOtherTimeZone: Bool
    let hasNewRules: Bool
    /// Commission rules and tax rates make a part of it.
    let isEstimated: Bool

    /// Of a transaction that nothing was learned of.
    var causeOfUnlearned: MovementCause { isEstimated && hasNewRules ? .rules : .unknown }

    var cause: MovementCause {
        if hasOtherTimeZone { return .timeZone }
        // Each part is rounded by half a millionth at most, at either seal.
        if let partCount, micros.magnitude <= UInt64(partCount + 1) { return .rounding }
        if hasOtherDefinitions { return .definitions }
        return partCount == nil && causeOfUnlearned == .unknown ? .notFollowed : causeOfUnlearned
    }
}
