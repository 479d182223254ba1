// SPDX-License-Identifier: Apache-2.0

import Model
import Testing

@Suite("Money in micros")
struct MoneyTests {
    @Test(
        arguments: [
            // price, thousandths of a percent, currency, refund
            (9_990_000, 100_000, "USD", 9_990_000),
            // 3.996 and 0.332 996 67; 0.000 298 5.
            (9_990_000, 40_000, "USD", 4_000_000), (999_000, 33_333, "USD", 330_000), (1_990_000, 15, "USD", 0),
            // 0.025 is half a cent up, 0.024 999 5 is not.
            (50_000, 50_000, "EUR", 30_000), (50_000, 49_999, "EUR", 20_000),
            // 0.99 × 37.765 % = 0.373 873 5.
            (990_000, 37_765, "GBP", 370_000),
            // Yen have no minor unit, dinars have thousandths: 99.999 and 0.123 45.
            (300_000_000, 33_333, "JPY", 100_000_000), (1_000_000, 12_345, "KWD", 123_000),
            // An unknown currency is taken to have cents.
            (9_990_000, 40_000, nil, 4_000_000),
            // Half a cent would be paid as one, and is not more than the price.
            (5_000, 100_000, "USD", 5_000), (5_000, 90_000, "USD", 0), (6_000, 90_000, "USD", 6_000),
            (9_990_000, 0, "USD", 0), (0, 100_000, "USD", 0),
        ] as [(Int64, Int64, String?, Int64)])
    func `a refund is the store's share of the price, half up to the currency's minor unit, never more than the price`(
        price: Int64, share: Int64, currency: String?, expected: Int64
    ) {
        #expect(RefundAmount.micros(of: price, thousandthsOfPercent: share, currency: currency) == expected)
    }

    @Test func `a refund is exact to the largest price, and nil for a share or a price that is none`() {
        #expect(RefundAmount.micros(of: .max, thousandthsOfPercent: 100_000, currency: "USD") == .max)
        // (2^63 − 1) / 2 = 4611686018427387903.5 micros, to the cent.
        #expect(
            RefundAmount.micros(of: .max, thousandthsOfPercent: 50_000, currency: "USD") == 4_611_686_018_427_390_000)
        #expect(RefundAmount.micros(of: .max, thousandthsOfPercent: 100_001, currency: "USD") == nil)
        #expect(RefundAmount.micros(of: .max, thousandthsOfPercent: .max, currency: "USD") == nil)
        #expect(RefundAmount.micros(of: -1, thousandthsOfPercent: 100_000, currency: "USD") == nil)
        #expect(RefundAmount.micros(of: 1, thousandthsOfPercent: -1, currency: "USD") == nil)
    }

    @Test func `milliunits are thousandths of the unit for every currency`() {
        #expect(Money.micros(milliunits: 1_990) == 1_990_000)
        #expect(Money.micros(milliunits: 300_000) == 300_000_000)
        #expect(Money.micros(milliunits: 0) == 0)
        #expect(Money.micros(milliunits: .max) == nil)
        #expect(Money.micros(milliunits: 9_223_372_036_854_775) == 9_223_372_036_854_775_000)
        #expect(Money.micros(milliunits: 9_223_372_036_854_776) == nil)
    }
}
