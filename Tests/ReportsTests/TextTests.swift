// SPDX-License-Identifier: Apache-2.0

import Model
import Testing

@testable import Reports

/// Values as they stand in the files.
@Suite struct TextTests {
    @Test(arguments: [
        (9_990_000, "USD", "9.99"), (1_234_567_890_000, "USD", "1,234,567.89"), (980_000_000, "JPY", "980"),
        (1_234_000, "KWD", "1.234"), (0, "USD", "0.00"), (-5_000, "USD", "0.00"), (5_000, "USD", "0.00"),
        (15_000, "USD", "0.02"), (25_000, "USD", "0.02"), (25_001, "USD", "0.03"), (500_000, "JPY", "0"),
        (1_500_000, "JPY", "2"), (-1_999_000_000, "EUR", "−1,999.00"), (999_995_000, "USD", "1,000.00"),
        (Int64.max, "JPY", "9,223,372,036,855"),
    ])
    func `amounts are rounded to the minor unit, half to even`(micros: Int64, currency: String, text: String) {
        #expect(AmountText.amount(micros, in: currency) == text)
    }

    @Test func `changes carry a sign`() {
        #expect(AmountText.change(12) == "+12")
        #expect(AmountText.change(-1_200) == "−1,200")
        #expect(AmountText.change(0) == "±0")
        #expect(AmountText.change(-1_500_000, in: "USD") == "−1.50")
        #expect(AmountText.change(1_000, in: "USD") == "±0.00")
    }

    @Test func `shares have one digit, and none without a whole`() {
        #expect(AmountText.share(1, of: 3) == "33.3%")
        #expect(AmountText.share(1, of: 16) == "6.2%")
        #expect(AmountText.share(3, of: 16) == "18.8%")
        #expect(AmountText.share(1, of: 0) == nil)
        #expect(AmountText.share(.max, of: .max) == nil)
    }

    @Test func `days are counted across months and leap days`() throws {
        let day = try #require(BusinessDate("2028-03-01"))
        #expect(day.adding(days: -1)?.description == "2028-02-29")
        #expect(day.adding(days: 31)?.description == "2028-04-01")
    }
}
