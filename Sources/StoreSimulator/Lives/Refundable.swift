// SPDX-License-Identifier: Apache-2.0

/// Anything bought whose money may be given back, and whose refund the store may tell otherwise later.
protocol Refundable {
    /// The refund as first decided; shown from its own instant on.
    var refund: Refund? { get }
    /// What the store says instead, each from an instant on: another date or share, or nothing at all (reversed).
    var refundChanges: [SubscriptionLife.Dated<Refund?>] { get }
}

extension Refundable {
    /// The refund that the store shows at an instant.
    func refund(at now: Int64) -> Refund? {
        if let change = refundChanges.last(where: { $0.at <= now }) { return change.value }
        return refund.flatMap { $0.at <= now ? $0 : nil }
    }

    /// The instants at which the store's word about it changes.
    var refundInstants: [Int64] { [refund?.at].compactMap(\.self) + refundChanges.map(\.at) }
}
