// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ReportSupport

/// refund_rates.csv: the same refunds held against the month they were given in, and against that of their charges.
@Suite struct RefundRateTests {
    private let january = Sale(key: 1, from: "2026-01-10 10:00Z", to: "2026-02-10 10:00Z")
    private let alsoJanuary = Sale(key: 2, from: "2026-01-20 10:00Z", to: "2026-02-20 10:00Z")
    private let february = Sale(key: 3, from: "2026-02-05 10:00Z", to: "2026-03-05 10:00Z")

    /// Charged: 9.99 twice in January and once in February.
    ///
    /// Given back: in February the whole of one of January's; in March 30 % (2.997) of the other and the whole of
    /// February's, of which the store takes the latter back in April. By day: February 1 ÷ 1, March 2 ÷ 0, April −1 ÷
    /// 0. By charge: January 2 ÷ 2 and 12.987 ÷ 19.98 = 0.65, February 1 ÷ 1 through March and 0 ÷ 1 after it.
    @Test
    func `the refund rate of a month is given by the day of the refund and by the month of the charge`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-30")
            for sale in [january, alsoJanuary, february] { try await world.charged(sale) }
            try await world.booked("refund", -9_990_000, at: "2026-02-03 00:00Z", of: january)
            try await world.booked("refund", -2_997_000, at: "2026-03-02 00:00Z", of: alsoJanuary)
            try await world.booked("refund", -9_990_000, at: "2026-03-03 00:00Z", of: february)
            try await world.booked("refund_reversal", 9_990_000, at: "2026-04-04 00:00Z", of: february)
            #expect(
                try await world.refundRates(through: "2026-04-30") == [
                    "2026-01|2|0|0.000000|0.000000|2|1.000000|12.987000|0.650000",
                    "2026-02|1|1|1.000000|9.990000|0|0.000000|0.000000|0.000000",
                    "2026-03|0|2||12.987000|0||0.000000|", "2026-04|0|-1||-9.990000|0||0.000000|",
                ])
            #expect(
                try await world.refundRates(through: "2026-03-31")[1]
                    == "2026-02|1|1|1.000000|9.990000|1|1.000000|9.990000|1.000000")
        }
    }
}

extension ReportWorld {
    fileprivate func refundRates(through date: String) async throws -> [String] {
        try await reported(
            """
            select month, charges, refunds, refund_rate, refunded, charges_given_back, charge_refund_rate, given_back,
                given_back_share
            from refund_rates order by month
            """, through: date)
    }
}
