// SPDX-License-Identifier: Apache-2.0

import Model

/// The direction of a change of product within a line.
enum ProductChange {
    /// By the level of service where both are listed, else by the monthly value of the two prices, else a crossgrade: a
    /// price that is missing, zero or in another currency compares with nothing.
    static func kind(
        from old: LinePeriod, to new: LinePeriod, levels: [String: Int64]
    ) -> TransactionKind {
        if let from = levels[old.productID], let to = levels[new.productID] {
            return from == to ? .crossgrade : (to < from ? .upgrade : .downgrade)
        }
        guard let from = old.monthly, let to = new.monthly, old.currency == new.currency, old.currency != nil else {
            return .crossgrade
        }
        if PeriodLength.isMonthlyValue(of: from, below: to) { return .upgrade }
        return PeriodLength.isMonthlyValue(of: to, below: from) ? .downgrade : .crossgrade
    }
}

extension LinePeriod {
    fileprivate var monthly: (price: Int64, length: PeriodLength)? {
        guard let priceMicros, priceMicros > 0, let end, end > start else { return nil }
        return (priceMicros, PeriodLength(from: start, to: end))
    }
}
