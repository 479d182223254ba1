// SPDX-License-Identifier: Apache-2.0

/// What was given back in one calendar month (UTC) of what had been sold in another, by app, product and currency.
package struct RefundMatrixRow: Hashable, Sendable {
    /// `yyyy-mm`, both.
    package var soldMonth: String
    package var refundedMonth: String
    package var appID: String
    package var productID: String
    package var currency: String
    package var refunds = 0
    package var refundedMicros: Int64 = 0
}

extension MetricBooks {
    /// Every refund and reversal through that date, by the month of its charge.
    package func refundMatrix(through date: String) -> [RefundMatrixRow] {
        var rows: [RefundMatrixRow: RefundMatrixRow] = [:]
        for (booked, entries) in entries {
            guard let currency = booked.currency, let charge = entries.first(where: { $0.givenBack == nil }) else {
                continue
            }
            for entry in entries where CivilTime.date(ofDay: CivilTime.dayNumber(of: entry.at)) <= date {
                guard let back = entry.givenBack else { continue }
                let empty = RefundMatrixRow(
                    soldMonth: CivilTime.month(of: charge.at), refundedMonth: CivilTime.month(of: entry.at),
                    appID: booked.appID, productID: booked.productID, currency: currency)
                rows[empty, default: empty].refunds += back.count
                rows[empty]?.refundedMicros += back.micros
            }
        }
        return rows.values.filter { $0.refunds != 0 || $0.refundedMicros != 0 }
    }
}
