// SPDX-License-Identifier: Apache-2.0

/// A one-time sale that is looked at again for refunds that no store event reports.
///
/// It has no row among the subscriptions.
package struct SaleLook: Hashable, Sendable {
    /// Of the sale: that of its original transaction id or order id.
    package let key: SubscriptionKey
    package let soldAt: Instant
    /// Nil: it is looked at no more, for all of it was refunded, or the last look is over.
    package let nextLookAt: Instant?
    /// The receipt it is read from, in apps read by receipts.
    package let receiptID: Int64?
    /// The store was asked about it; else another answer showed it.
    package let wasAsked: Bool

    package init(
        key: SubscriptionKey, soldAt: Instant, nextLookAt: Instant?, receiptID: Int64? = nil, wasAsked: Bool = false
    ) {
        self.key = key
        self.soldAt = soldAt
        self.nextLookAt = nextLookAt
        self.receiptID = receiptID
        self.wasAsked = wasAsked
    }

    package func read(from receipt: Int64) -> SaleLook {
        SaleLook(key: key, soldAt: soldAt, nextLookAt: nextLookAt, receiptID: receipt, wasAsked: wasAsked)
    }

    /// Of two lines of a sale, or two answers that show it, the one that is looked at first.
    package static func sooner(_ one: SaleLook, _ other: SaleLook) -> SaleLook {
        let next = [one.nextLookAt, other.nextLookAt].compactMap(\.self).min()
        return SaleLook(
            key: one.key, soldAt: min(one.soldAt, other.soldAt), nextLookAt: next,
            receiptID: one.receiptID ?? other.receiptID, wasAsked: one.wasAsked || other.wasAsked)
    }
}
