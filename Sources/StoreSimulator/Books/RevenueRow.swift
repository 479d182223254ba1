// SPDX-License-Identifier: Apache-2.0

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

    package init(
        date: String, appID: String, productID: String, country: String?, currency: String, charges: Int, refunds: Int,
        grossMicros: Int64, refundedMicros: Int64, taxMicros: Int64? = nil, proceedsMicros: Int64? = nil
    ) {
        self.date = date
        self.appID = appID
        self.productID = productID
        self.country = country
        self.currency = currency
        self.charges = charges
        self.refunds = refunds
        self.grossMicros = grossMicros
        self.refundedMicros = refundedMicros
        self.taxMicros = taxMicros
        self.proceedsMicros = proceedsMicros
    }
}
