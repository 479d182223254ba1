// SPDX-License-Identifier: Apache-2.0

import Foundations
import Model
import Stores

/// The tax within what was paid: what a price that is listed without tax costs the customer follows from it.
struct TaxShare {
    private let paid: Int64
    private let tax: Int64

    /// Nil where the tax is not given, or nothing was paid.
    init?(_ paid: PlayMoney?, _ tax: PlayMoney?) {
        guard let paid, let tax, paid.currency == tax.currency, paid.micros > tax.micros else { return nil }
        self.paid = paid.micros
        self.tax = tax.micros
    }

    /// In micros, half up; nil where it is more than fits.
    func added(to price: Int64) -> Int64? { Shares.grossedUp(price, whole: paid, without: tax) }
}

extension Order {
    /// The share of the newest other order that was paid in this currency and not in another known country: the time
    /// left after a change of plan costs nothing, and the purchase it was left of was taxed.
    func taxShare(amongst others: [Order], in currency: String) -> TaxShare? {
        others.filter { $0.total?.currency == currency && $0.isTaxListed == false && !isAbroad($0) }
            .sorted { $0.age > $1.age }
            .lazy.compactMap { TaxShare($0.total, $0.tax) }.first
    }

    private func isAbroad(_ other: Order) -> Bool {
        guard let country, let elsewhere = other.country else { return false }
        return country != elsewhere
    }

    private var age: (Instant, String) { (processedAt ?? createdAt ?? .distantPast, id.text) }
}
