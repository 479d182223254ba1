// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing

@testable import AppStore

/// A price under a code that is no currency's: unknown, counted, and never a row that the database refuses.
@Suite struct CurrencyCodeTests {
    @Test(arguments: ["usd", "US", "U$D", "USDX", "ÄÖÜ", ""])
    func `what has not the form of a currency leaves the price unknown`(_ code: String) throws {
        let reading = try Acme.read(try Rows.statuses(status: 1, Rows.transaction(["currency": code])))
        let period = try #require(reading.observations.first?.periods.first)
        #expect(period.priceMicros == nil && period.currency == nil && period.priceSource == .missing)
        #expect(reading.unknownValues["transaction.price without meaning"] == 1)
    }

    @Test func `a code of that form that is not assigned is stored as it came`() throws {
        let reading = try Acme.read(try Rows.statuses(status: 1, Rows.transaction(["currency": "QQQ"])))
        #expect(reading.observations.first?.periods.first?.currency == "QQQ")
    }
}
