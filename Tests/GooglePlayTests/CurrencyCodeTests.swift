// SPDX-License-Identifier: Apache-2.0

import Stores
import Testing

@testable import GooglePlay

/// An amount under a code that is no currency's is none.
@Suite struct CurrencyCodeTests {
    @Test(arguments: ["usd", "US", "U$D", "USDX", "ÄÖÜ", ""])
    func `what has not the form of a currency is no amount`(_ code: String) {
        let json = Array("{\"currencyCode\":\"\(code)\",\"units\":\"9\",\"nanos\":990000000}".utf8)
        #expect(PlayMoney(json: json) == nil)
    }

    @Test func `a code of that form that is not assigned is stored as it came`() {
        let json = Array("{\"currencyCode\":\"QQQ\",\"units\":\"9\",\"nanos\":990000000}".utf8)
        #expect(PlayMoney(json: json) == PlayMoney(currency: "QQQ", micros: 9_990_000))
    }
}
