// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import StoreSimulator

/// The lists that an owner of the simulated apps would import.
@Suite struct OwnersListsTests {
    private static let lists = OwnersLists(
        products: [ProductPeriod(appID: "shop", productID: "com.shop.weekly", basePlanID: nil, period: "P7D")],
        receiptApps: [.receipt(id: "old", bundleID: "com.old")], firstNight: 1_767_579_300 * 1_000_000)

    private static func lines(_ file: String) -> [String] {
        (lists.files[file] ?? "").split(separator: "\n").map(String.init)
    }

    @Test func `a receipt's prices are those of every market that sells it`() {
        let prices = Self.lines("prices.csv")
        // Five products in five markets, the year's month in each, and the header.
        #expect(prices.count == 31)
        #expect(prices.contains("old,com.old.weekly,US,USD,2.990,2020-01-01,"))
        #expect(prices.contains("old,com.old.yearly,ID,IDR,2499000.000,2020-01-01,"))
        // A tenth more than the year, a twelfth of it: 229,075.
        #expect(prices.contains("old,com.old.yearly,ID,IDR,229075.000,2020-01-01,P1M"))
    }

    @Test func `rates are of weekdays, near what a dollar costs`() {
        let rates = Self.lines("rates.csv").dropFirst()
        // 852 days are 121 weeks and five days.
        #expect(rates.count / 6 >= 608 && rates.count / 6 <= 610)
        #expect(rates.allSatisfy { !$0.hasPrefix("2026-01-10") && !$0.hasPrefix("2026-01-11") }, "a weekend")
        let euros = rates.filter { $0.contains(",EUR,") }.compactMap { Double($0.split(separator: ",")[2]) }
        #expect(euros.allSatisfy { $0 >= 0.9016 && $0 <= 0.9384 } && Set(euros).count > 10)
    }

    @Test func `products and tax rates are lists as the imports take them`() {
        #expect(Self.lines("products.csv").last == "shop,com.shop.weekly,P7D,,,,")
        #expect(Self.lines("tax-rates.csv").prefix(3) == ["country,rate,is_inclusive", "US,0,false", "DE,0.19,true"])
    }
}
