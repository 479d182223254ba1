// SPDX-License-Identifier: Apache-2.0

/// Charges and refunds by day from the orders themselves, with the tax and the developer's part in them.
enum PlayRevenue {
    static func rows(of images: [PlayImage], through date: String) -> [RevenueRow] {
        var rows: [String: RevenueRow] = [:]
        for image in images where image.booked.environment == .production && image.booked.kind != .trial {
            guard let price = image.booked.priceMicros, price > 0 else { continue }
            let (tax, proceeds) = (image.booked.taxMicros, image.booked.proceedsMicros)
            book(&rows, image, at: image.booked.purchasedAt) { row in
                row.charges += 1
                row.grossMicros += price
                row.add(tax: tax, proceeds: proceeds)
            }
            var before: Int64 = 0
            for part in image.parts {
                let shares = (share(proceeds, before, price), share(proceeds, before + part.micros, price))
                before += part.micros
                book(&rows, image, at: part.at) { row in
                    row.refunds += 1
                    row.refundedMicros += part.micros
                    let back = shares.0.flatMap { first in shares.1.map { first - $0 } }
                    row.add(tax: part.taxMicros.map { -$0 }, proceeds: back)
                }
            }
        }
        return rows.values.filter { $0.date <= date }.sorted { ($0.date, $0.productID) < ($1.date, $1.productID) }
    }

    /// The part of the proceeds that goes back with so much of the price, half up.
    private static func share(_ proceeds: Int64?, _ part: Int64, _ price: Int64) -> Int64? {
        proceeds.map { proceeds in
            let (whole, rest) = price.dividingFullWidth(proceeds.multipliedFullWidth(by: part))
            return whole + (rest * 2 >= price ? 1 : 0)
        }
    }

    private static func book(
        _ rows: inout [String: RevenueRow], _ image: PlayImage, at instant: Int64, _ change: (inout RevenueRow) -> Void
    ) {
        let (it, date) = (image.booked, CivilTime.date(ofDay: CivilTime.dayNumber(of: instant)))
        let key = [date, it.appID, it.productID, it.country ?? "", it.currency ?? ""].joined(separator: "|")
        let empty = RevenueRow(
            date: date, appID: it.appID, productID: it.productID, country: it.country, currency: it.currency ?? "",
            charges: 0, refunds: 0, grossMicros: 0, refundedMicros: 0, taxMicros: 0, proceedsMicros: 0)
        change(&rows[key, default: empty])
    }
}

extension RevenueRow {
    /// A sum with an unknown part is unknown.
    fileprivate mutating func add(tax: Int64?, proceeds: Int64?) {
        taxMicros = taxMicros.flatMap { sum in tax.map { sum + $0 } }
        proceedsMicros = proceedsMicros.flatMap { sum in proceeds.map { sum + $0 } }
    }
}
