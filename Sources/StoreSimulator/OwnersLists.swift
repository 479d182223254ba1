// SPDX-License-Identifier: Apache-2.0

/// What the owner of the simulated apps would import beside what the stores say: CSV files by name.
package struct OwnersLists: Sendable {
    /// `products.csv`, `prices.csv`, `tax-rates.csv` and `rates.csv`.
    package let files: [String: String]

    init(products: [ProductPeriod], receiptApps: [SimulatedApp], firstNight: Int64) {
        files = [
            "products.csv": Self.text(
                "app_id,product_id,period,subscription_group,level,valid_from,base_plan_id",
                products.map { "\($0.appID),\($0.productID),\($0.period),,,,\($0.basePlanID ?? "")" }),
            "prices.csv": Self.text(
                "app_id,product_id,country,currency,price,valid_from,period", receiptApps.flatMap(Self.prices)),
            "tax-rates.csv": Self.text(
                "country,rate,is_inclusive", Self.taxRates.map { "\($0.country),\($0.rate),\($0.rate != "0")" }),
            "rates.csv": Self.text("date,currency,rate", Self.rates(until: firstNight + 120 * CivilTime.day)),
        ]
    }

    private static func text(_ header: String, _ lines: [String]) -> String {
        ([header] + lines).joined(separator: "\n") + "\n"
    }

    /// A receipt names no price: the list has those of every market, and what a month of a year costs that is paid by the month.
    private static func prices(of app: SimulatedApp) -> [String] {
        Market.allCases.flatMap { market in
            Product.ofAppStore.flatMap { product -> [String] in
                let milliunits = market.appStorePrice(of: product)
                guard milliunits > 0 else { return [] }
                let line: (Int64, String) -> String = { price, period in
                    "\(app.id),\(product.identifier(in: app.bundleID)),\(market.country),\(market.currency),"
                        + "\(price / 1_000).\((price % 1_000).padded(to: 3)),2020-01-01,\(period)"
                }
                let whole = line(milliunits, "")
                guard product == .yearly else { return [whole] }
                return [whole, line(Commitment.monthlyPrice(ofYear: milliunits), "P1M")]
            }
        }
    }

    /// Nothing in the United States, where prices are without; round figures elsewhere.
    private static let taxRates: [(country: String, rate: String)] = [
        ("US", "0"), ("DE", "0.19"), ("GB", "0.20"), ("JP", "0.10"), ("ID", "0.11"), ("BR", "0.18"), ("KR", "0.10"),
    ]

    /// What a dollar costs, in ten-thousandths.
    private static let dollar: [(currency: String, price: Int64)] = [
        ("EUR", 9_200), ("GBP", 7_900), ("JPY", 1_520_000), ("IDR", 160_000_000), ("BRL", 54_000), ("KRW", 13_700_000),
    ]

    /// Every weekday of twenty-eight months before that instant, each currency up to 2 % beside its price.
    private static func rates(until end: Int64) -> [String] {
        let last = end / CivilTime.day
        return (last - 852..<last).filter { ($0 + 3) % 7 < 5 }.flatMap { day in
            dollar.map { currency, price in
                let beside = (day * 7 + price) % 41 - 20
                let rate = price + price * beside / 1_000
                return "\(CivilTime.date(ofDay: day)),\(currency),\(rate / 10_000).\((rate % 10_000).padded(to: 4))"
            }
        }
    }
}

extension SimulatedStores {
    package var ownersLists: OwnersLists {
        OwnersLists(
            products: productPeriods, receiptApps: configuration.apps.filter { $0.api == .receipts },
            firstNight: configuration.firstNight)
    }
}
