// SPDX-License-Identifier: Apache-2.0

import Model

/// A change of product within a timeline, or of the base plan within a product, and its direction.
enum ProductChange {
    /// Another product, or another base plan of it.
    ///
    /// An unknown base plan is no other.
    static func isOne(from old: TimelinePeriod, to new: TimelinePeriod) -> Bool {
        guard old.productID == new.productID else { return true }
        guard let from = old.basePlanID, let to = new.basePlanID else { return false }
        return from != to
    }

    /// By the level of service where both are listed, else by the monthly value of the two prices, else a crossgrade: a
    /// price that is missing, zero or in another currency compares with nothing.
    static func kind(
        from old: TimelinePeriod, to new: TimelinePeriod, levels: ProductLevels
    ) -> TransactionKind {
        if let from = levels.level(of: old.productID, basePlanID: old.basePlanID),
            let to = levels.level(of: new.productID, basePlanID: new.basePlanID),
            from != to || old.productID != new.productID
        {
            return from == to ? .crossgrade : (to < from ? .upgrade : .downgrade)
        }
        guard let from = old.monthly, let to = new.monthly, old.currency == new.currency, old.currency != nil else {
            return .crossgrade
        }
        if PeriodLength.isMonthlyValue(of: from, below: to) { return .upgrade }
        return PeriodLength.isMonthlyValue(of: to, below: from) ? .downgrade : .crossgrade
    }
}

extension TimelinePeriod {
    fileprivate var monthly: (price: Int64, length: PeriodLength)? {
        guard let priceMicros = self.priceMicros, priceMicros > 0, let end, end > start else { return nil }
        return (priceMicros, PeriodLength(from: start, to: end))
    }
}
