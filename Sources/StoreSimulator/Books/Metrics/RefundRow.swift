// SPDX-License-Identifier: Apache-2.0

/// Money given back on one day (UTC), by app, product, currency and kind.
package struct RefundRow: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The whole price at once.
        case full
        case partial
        /// Refunds that were taken back: below zero.
        case reversal
    }

    /// `yyyy-mm-dd`.
    package var date: String
    package var appID: String
    package var productID: String
    package var currency: String
    package var kind: Kind
    package var refunds = 0
    package var refundedMicros: Int64 = 0
}

extension MetricBooks {
    /// Refunds by the day the money was given back, through that date.
    package func refunds(through date: String) -> [RefundRow] {
        var rows: [RefundRow: RefundRow] = [:]
        for (booked, entries) in entries {
            guard let currency = booked.currency, let price = booked.priceMicros else { continue }
            for entry in entries {
                let day = CivilTime.date(ofDay: CivilTime.dayNumber(of: entry.at))
                guard day <= date, let (kind, count, micros) = entry.refund(ofPrice: price) else { continue }
                let empty = RefundRow(
                    date: day, appID: booked.appID, productID: booked.productID, currency: currency, kind: kind)
                rows[empty, default: empty].refunds += count
                rows[empty]?.refundedMicros += micros
            }
        }
        return Array(rows.values)
    }
}

extension MoneyLedger.Entry {
    fileprivate func refund(ofPrice price: Int64) -> (RefundRow.Kind, count: Int, micros: Int64)? {
        switch kind {
        case .charge: nil
        case .refund: (micros >= price ? .full : .partial, 1, micros)
        case .reversal(let count): (.reversal, -count, -micros)
        }
    }
}
