// SPDX-License-Identifier: Apache-2.0

/// Charges and refunds by day, straight from the entries of every purchase.
enum Revenue {
    /// A refund that was wholly taken back counts no longer, from the day on which it was known to be.
    static func rows(
        of purchases: [(image: PeriodImage, entries: [MoneyLedger.Entry])], through date: String
    ) -> [RevenueRow] {
        var rows: [String: RevenueRow] = [:]
        for (image, entries) in purchases {
            let it = image.booked
            guard let currency = it.currency else { continue }
            for entry in entries {
                let day = CivilTime.date(ofDay: CivilTime.dayNumber(of: entry.at))
                let key = [day, it.appID, it.productID, it.country ?? "", currency].joined(separator: "|")
                let empty = RevenueRow(
                    date: day, appID: it.appID, productID: it.productID, country: it.country, currency: currency,
                    charges: 0, refunds: 0, grossMicros: 0, refundedMicros: 0, taxMicros: 0, proceedsMicros: 0)
                rows[key, default: empty].count(entry)
            }
        }
        return rows.filter { $0.value.date <= date }.sorted { $0.key < $1.key }.map(\.value)
    }
}

extension RevenueRow {
    /// A sum of tax or proceeds with an unknown part is unknown.
    fileprivate mutating func count(_ entry: MoneyLedger.Entry) {
        switch entry.kind {
        case .charge:
            charges += 1
            grossMicros += entry.micros
        case .refund:
            refunds += 1
            refundedMicros += entry.micros
        case .reversal(let count):
            refunds -= count
            refundedMicros -= entry.micros
        }
        taxMicros = taxMicros.flatMap { sum in entry.taxMicros.map { sum + $0 } }
        proceedsMicros = proceedsMicros.flatMap { sum in entry.proceedsMicros.map { sum + $0 } }
    }
}

/// Charges and refunds of one day (UTC), app, product, country and currency; money in micros, refunds positive.
package struct RevenueRow: Hashable, Sendable, Codable {
    /// `yyyy-mm-dd`.
    package var date: String
    package var appID: String
    package var productID: String
    /// ISO 3166-1 alpha-2.
    package var country: String?
    package var currency: String
    package var charges: Int
    package var refunds: Int
    package var grossMicros: Int64
    package var refundedMicros: Int64
    /// The tax in what was charged less what was given back; nil where any of it is unknown.
    package var taxMicros: Int64?
    /// The developer's part of the same; nil where any of it is unknown.
    package var proceedsMicros: Int64?
}
