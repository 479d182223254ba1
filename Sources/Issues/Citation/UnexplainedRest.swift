// SPDX-License-Identifier: Apache-2.0

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
