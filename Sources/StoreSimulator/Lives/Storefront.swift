// SPDX-License-Identifier: Apache-2.0

/// A country's store: its currency and its price list.
package enum Storefront: String, Hashable, Sendable, Codable, CaseIterable {
    case unitedStates = "USA"
    case germany = "DEU"
    case unitedKingdom = "GBR"
    case japan = "JPN"
    case indonesia = "IDN"

    /// ISO 4217.
    package var currency: String {
        switch self {
        case .unitedStates: "USD"
        case .germany: "EUR"
        case .unitedKingdom: "GBP"
        case .japan: "JPY"
        case .indonesia: "IDR"
        }
    }

    /// The smallest amount that money of the currency is counted in (ISO 4217), in micros: a yen, else a hundredth.
    var coinMicros: Int64 { self == .japan ? 1_000_000 : 10_000 }

    /// ISO 3166-1 alpha-2.
    package var country: String {
        switch self {
        case .unitedStates: "US"
        case .germany: "DE"
        case .unitedKingdom: "GB"
        case .japan: "JP"
        case .indonesia: "ID"
        }
    }

    /// The App Store's number of the store front.
    var number: String {
        switch self {
        case .unitedStates: "143441"
        case .germany: "143443"
        case .unitedKingdom: "143444"
        case .japan: "143462"
        case .indonesia: "143476"
        }
    }

    /// The list price of a product, in milliunits of the currency.
    ///
    /// In Japan the year costs exactly twelve months, so that changing between them is neither up nor down; Indonesia's
    /// year does not fit in 32 bits.
    package func price(of product: Product, raised: Bool = false) -> Int64 {
        if raised, let price = raisedPrice(of: product) { return price }
        let prices: [Product: Int64] =
            switch self {
            case .unitedStates:
                [.weekly: 2_990, .monthly: 7_990, .yearly: 47_990, .premiumMonthly: 19_990, .addonMonthly: 1_990]
            case .germany:
                [.weekly: 3_290, .monthly: 8_490, .yearly: 49_990, .premiumMonthly: 21_990, .addonMonthly: 2_190]
            case .unitedKingdom:
                [.weekly: 2_490, .monthly: 6_990, .yearly: 41_990, .premiumMonthly: 17_990, .addonMonthly: 1_790]
            case .japan:
                [
                    .weekly: 400_000, .monthly: 1_000_000, .yearly: 12_000_000, .premiumMonthly: 2_900_000,
                    .addonMonthly: 300_000,
                ]
            case .indonesia:
                [
                    .weekly: 49_000_000, .monthly: 129_000_000, .yearly: 2_499_000_000, .premiumMonthly: 329_000_000,
                    .addonMonthly: 29_000_000,
                ]
            }
        return prices[product, default: 0]
    }

    /// The price of something sold once, in milliunits of the currency: in proportion to the month.
    func price(of kind: OneTimeSale.Kind, quantity: Int64) -> Int64 {
        let month = price(of: .monthly)
        switch kind {
        case .consumable: return month / 4 / 10 * 10 * quantity
        case .nonConsumable: return month * 10 * quantity
        case .nonRenewing: return month * 2 * quantity
        }
    }

    /// The price after the one price change, where there is one.
    private func raisedPrice(of product: Product) -> Int64? {
        switch (self, product) {
        case (.unitedStates, .monthly): 8_990
        case (.germany, .monthly): 9_490
        case (.unitedKingdom, .weekly): 2_990
        default: nil
        }
    }
}
