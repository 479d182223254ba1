// SPDX-License-Identifier: Apache-2.0

extension Books {
    /// The transactions of the App Store whose refund was worked out from a share of the price.
    package func derivedRefunds(_ column: BookColumn) -> Set<String> {
        Set(money(column).filter { $0.image.isRefundDerived }.map(\.image.booked.transactionID))
    }
}
