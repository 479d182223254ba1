// SPDX-License-Identifier: Apache-2.0

/// What was given back in one calendar month (UTC) of an app, a product and a currency, and what has been given back of the
/// month's own charges since.
///
/// Amounts in micros; rates in millionths, nil where there is nothing to divide by.
package struct RefundRateRow: Hashable, Sendable {
    /// `yyyy-mm`.
    package var month: String
    package var appID: String
    package var productID: String
    package var currency: String
    package var charges = 0
    package var chargedMicros: Int64 = 0
    /// Given in the month, of any charge.
    package var refunds = 0
    package var refundedMicros: Int64 = 0
    /// Charges of the month of which something was given back.
    package var chargesGivenBack = 0
    package var givenBackMicros: Int64 = 0

    /// By the day of the refund: refunds of charges, money of money; by the charge: the same two.
    package var rates: [Int64?] {
        [
            Self.rate(Int64(refunds), Int64(charges)), Self.rate(refundedMicros, chargedMicros),
            Self.rate(Int64(chargesGivenBack), Int64(charges)), Self.rate(givenBackMicros, chargedMicros),
        ]
    }

    private static func rate(_ part: Int64, _ whole: Int64) -> Int64? {
        Rounding.millionths(Int128(part), of: Int128(whole))
    }
}

extension MetricBooks {
    /// The refund rates of every month, with what happened through that date.
    package func refundRates(through date: String) -> [RefundRateRow] {
        var rows: [RefundRateRow: RefundRateRow] = [:]
        for (booked, all) in entries {
            guard let currency = booked.currency else { continue }
            func change(_ instant: Int64, _ body: (inout RefundRateRow) -> Void) {
                let empty = RefundRateRow(
                    month: CivilTime.month(of: instant), appID: booked.appID, productID: booked.productID,
                    currency: currency)
                body(&rows[empty, default: empty])
            }
            let known = all.filter { CivilTime.date(ofDay: CivilTime.dayNumber(of: $0.at)) <= date }
            for entry in known {
                guard let back = entry.givenBack else { continue }
                change(entry.at) {
                    $0.refunds += back.count
                    $0.refundedMicros += back.micros
                }
            }
            guard let charge = known.first(where: { $0.givenBack == nil }) else { continue }
            let back = known.compactMap { $0.givenBack?.micros }.reduce(0, +)
            change(charge.at) {
                $0.charges += 1
                $0.chargedMicros += charge.micros
                $0.chargesGivenBack += back > 0 ? 1 : 0
                $0.givenBackMicros += back
            }
        }
        return rows.values.filter { $0.charges != 0 || $0.refunds != 0 || $0.refundedMicros != 0 }
    }
}

extension MoneyLedger.Entry {
    /// Nil of a charge.
    var givenBack: (count: Int, micros: Int64)? {
        switch kind {
        case .charge: nil
        case .refund: (1, micros)
        case .reversal(let count): (-count, -micros)
        }
    }
}
