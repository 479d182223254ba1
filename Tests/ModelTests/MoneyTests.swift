// SPDX-License-Identifier: Apache-2.0

import Model
import Testing

@Suite("Money in micros")
struct MoneyTests {
    @Test(
        "A refund is the store's share of the price, half up to the micro",
        arguments: [
            // price, thousandths of a percent, refund
            (9_990_000, 100_000, 9_990_000),
            (9_990_000, 40_000, 3_996_000),
            // 999 milliunits × 33.333 %: 332,996.67 micros.
            (999_000, 33_333, 332_997),
            // 0.015 % of 1.99: 298.5 micros.
            (1_990_000, 15, 299),
            (1, 50_000, 1), (1, 49_999, 0), (3, 50_000, 2),
            (9_990_000, 0, 0), (0, 100_000, 0),
        ] as [(Int64, Int64, Int64)])
    func refund(price: Int64, share: Int64, expected: Int64) {
        #expect(Money.refund(of: price, thousandthsOfPercent: share) == expected)
    }

    @Test("A refund is exact to the largest price, and nil beyond it")
    func refundAtTheEdges() {
        #expect(Money.refund(of: .max, thousandthsOfPercent: 100_000) == .max)
        // (2^63 − 1) / 2 = 4611686018427387903.5
        #expect(Money.refund(of: .max, thousandthsOfPercent: 50_000) == 4_611_686_018_427_387_904)
        #expect(Money.refund(of: .max, thousandthsOfPercent: 100_001) == nil)
        #expect(Money.refund(of: .max, thousandthsOfPercent: .max) == nil)
        #expect(Money.refund(of: -1, thousandthsOfPercent: 100_000) == nil)
    }

    @Test("Milliunits are thousandths of the unit for every currency")
    func milliunits() {
        #expect(Money.micros(milliunits: 1_990) == 1_990_000)
        #expect(Money.micros(milliunits: 300_000) == 300_000_000)
        #expect(Money.micros(milliunits: 0) == 0)
        #expect(Money.micros(milliunits: .max) == nil)
        #expect(Money.micros(milliunits: 9_223_372_036_854_775) == 9_223_372_036_854_775_000)
        #expect(Money.micros(milliunits: 9_223_372_036_854_776) == nil)
    }
}
