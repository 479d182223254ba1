// SPDX-License-Identifier: Apache-2.0

/// A country's store: its currency, its tax, and its price list.
///
/// Every price is a multiple of four of the currency's smallest units, and an add-on costs a quarter of a month, so that
/// the shares the population's refunds take are whole numbers of micros and no books depend on a rounding.
package enum PlayMarket: String, Hashable, Sendable, CaseIterable {
    case unitedStates = "US"
    case germany = "DE"
    case unitedKingdom = "GB"
    case japan = "JP"
    case brazil = "BR"
    /// Where a customer must consent to the price after an offer.
    case southKorea = "KR"

    /// ISO 3166-1 alpha-2.
    package var country: String { rawValue }

    /// ISO 4217.
    package var currency: String {
        switch self {
        case .unitedStates: "USD"
        case .germany: "EUR"
        case .unitedKingdom: "GBP"
        case .japan: "JPY"
        case .brazil: "BRL"
        case .southKorea: "KRW"
        }
    }

    /// Whether the price that is shown holds the tax.
    package var isTaxInclusive: Bool { self != .unitedStates }

    /// Per cent of the price before tax.
    var taxRate: Int64 {
        switch self {
        case .unitedStates: 8
        case .germany: 19
        case .unitedKingdom: 20
        case .japan, .southKorea: 10
        case .brazil: 17
        }
    }

    /// Per cent of the price before tax that Google Play publishes it keeps of a subscription that renews itself (2022 on):
    /// 15, of which the billing's 5 are not announced for every country that parts the two.
    func feePercent(at instant: Int64) -> Int64 {
        self == .southKorea && CivilTime.date(ofDay: CivilTime.dayNumber(of: instant)) >= "2026-12-31" ? 10 : 15
    }

    /// Micros in the currency's smallest unit.
    var smallestUnit: Int64 { self == .japan || self == .southKorea ? 1_000_000 : 10_000 }

    /// The price the store shows, in micros; in Japan the year costs twelve months, and a year of Plus costs ten of its months
    /// everywhere.
    package func listPrice(of product: PlayProduct) -> Int64 {
        let prices: [PlayProduct: Int64] =
            switch self {
            case .unitedStates:
                [.weekly: 300, .monthly: 800, .yearly: 6_000, .premiumMonthly: 2_000, .prepaidMonthly: 1_000]
            case .germany:
                [.weekly: 320, .monthly: 840, .yearly: 6_400, .premiumMonthly: 2_200, .prepaidMonthly: 1_080]
            case .unitedKingdom:
                [.weekly: 240, .monthly: 720, .yearly: 5_600, .premiumMonthly: 1_800, .prepaidMonthly: 880]
            case .japan:
                [.weekly: 400, .monthly: 1_000, .yearly: 12_000, .premiumMonthly: 2_800, .prepaidMonthly: 1_200]
            case .brazil:
                [.weekly: 1_600, .monthly: 4_000, .yearly: 32_000, .premiumMonthly: 10_000, .prepaidMonthly: 4_400]
            case .southKorea:
                [.weekly: 3_200, .monthly: 8_000, .yearly: 64_000, .premiumMonthly: 20_000, .prepaidMonthly: 10_000]
            }
        let units =
            switch product {
            case .addonMonthly: prices[.monthly, default: 0] / 4
            case .instalmentMonthly: prices[.monthly, default: 0]
            case .plusMonthly: prices[.monthly, default: 0] / 2 * 3
            case .plusYearly: prices[.monthly, default: 0] * 15
            case .coins: prices[.weekly, default: 0]
            case .lifetime: prices[.yearly, default: 0]
            default: prices[product, default: 0]
            }
        return units * smallestUnit
    }

    /// What a customer pays for a shown price, and the tax in it; both in micros.
    func charge(forShown price: Int64) -> (total: Int64, tax: Int64) {
        let units = price / smallestUnit
        if isTaxInclusive {
            return (price, units * taxRate / (100 + taxRate) * smallestUnit)
        }
        let tax = units * taxRate / 100 * smallestUnit
        return (price + tax, tax)
    }

    /// What is left of a charge for the developer: its price without tax, less the fee of 15 %, floored.
    func revenue(ofTotal total: Int64, tax: Int64) -> Int64 {
        (total - tax) / smallestUnit * 85 / 100 * smallestUnit
    }
}
