// SPDX-License-Identifier: Apache-2.0

/// Money arithmetic in micros (millionths of a currency unit), in integers only.
package enum Money {
    /// Whether a text has the form of an ISO 4217 code: three capital letters. What has not is no currency to book under.
    package static func isCurrencyCode(_ text: String) -> Bool {
        text.utf8.count == 3 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }

    /// Micros of an App Store price in milliunits (thousandths of the unit, for every currency); nil when out of range.
    package static func micros(milliunits: Int64) -> Int64? {
        let (value, overflow) = milliunits.multipliedReportingOverflow(by: 1_000)
        return overflow ? nil : value
    }

    /// The refunded part of a price by the store's percentage (100,000 = 100 %), half up to the micro; nil when negative or out of range.
    package static func refund(of price: Int64, thousandthsOfPercent: Int64) -> Int64? {
        let (high, low) = price.multipliedFullWidth(by: thousandthsOfPercent)
        let (sum, carry) = low.addingReportingOverflow(50_000)
        let top = high + (carry ? 1 : 0)
        let divisor: Int64 = 100_000
        // From half the divisor on the quotient would not fit into an Int64, and the division would trap.
        guard high >= 0, top < divisor / 2 else { return nil }
        return divisor.dividingFullWidth((top, sum)).quotient
    }
}
