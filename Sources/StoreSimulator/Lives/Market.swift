// SPDX-License-Identifier: Apache-2.0

/// A country in which the stores sell, by its ISO 3166-1 alpha-2 code; each store has its own price list there.
package enum Market: String, Hashable, Sendable, Codable, CaseIterable {
    case unitedStates = "US"
    case germany = "DE"
    case unitedKingdom = "GB"
    case japan = "JP"
    /// Of the App Store's apps alone.
    case indonesia = "ID"
    /// Of Google Play's apps alone.
    case brazil = "BR"
    /// Of Google Play's apps alone: a customer must consent to the price after an offer.
    case southKorea = "KR"

    /// ISO 3166-1 alpha-2.
    package var country: String { rawValue }
    /// ISO 4217.
    package var currency: String { names.currency }
    /// ISO 3166-1 alpha-3, as the App Store calls its store front.
    var alpha3: String { names.alpha3 }
    /// The App Store's number of the store front; empty where none of its apps is sold.
    var storefrontNumber: String { names.storefront }

    private var names: (currency: String, alpha3: String, storefront: String) {
        switch self {
        case .unitedStates: ("USD", "USA", "143441")
        case .germany: ("EUR", "DEU", "143443")
        case .unitedKingdom: ("GBP", "GBR", "143444")
        case .japan: ("JPY", "JPN", "143462")
        case .indonesia: ("IDR", "IDN", "143476")
        case .brazil: ("BRL", "BRA", "")
        case .southKorea: ("KRW", "KOR", "")
        }
    }

    /// The smallest amount that money of the currency is counted in (ISO 4217), in micros: a yen, a won, else a hundredth.
    var smallestUnit: Int64 { self == .japan || self == .southKorea ? 1_000_000 : 10_000 }
}

/// The App Store's price list.
extension Market {
    /// The list price of a product, in milliunits of the currency.
    ///
    /// In Japan the year costs exactly twelve months, so that changing between them is neither up nor down; Indonesia's
    /// year does not fit in 32 bits.
    func appStorePrice(of product: Product, raised: Bool = false) -> Int64 {
        if raised, let price = raisedPrice(of: product) { return price }
        // By the week, the month, the year, and of Premium and the add-on by the month.
        let prices: [Int64] =
            switch self {
            case .unitedStates: [2_990, 7_990, 47_990, 19_990, 1_990]
            case .germany: [3_290, 8_490, 49_990, 21_990, 2_190]
            case .unitedKingdom: [2_490, 6_990, 41_990, 17_990, 1_790]
            case .japan: [400_000, 1_000_000, 12_000_000, 2_900_000, 300_000]
            case .indonesia: [49_000_000, 129_000_000, 2_499_000_000, 329_000_000, 29_000_000]
            case .brazil, .southKorea: []
            }
        return zip(Product.ofAppStore, prices).first { $0.0 == product }?.1 ?? 0
    }

    /// The price of something sold once, in milliunits of the currency: in proportion to the month.
    func appStorePrice(of kind: SaleKind, quantity: Int64) -> Int64 {
        let month = appStorePrice(of: .monthly)
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

/// Google Play's price list, and the tax and the fee in a price.
///
/// Every price is a multiple of four of the currency's smallest units, and an add-on costs a quarter of a month, so that
/// the shares the population's refunds take are whole numbers of micros and no books depend on a rounding.
extension Market {
    /// Where Google Play's apps are sold.
    static let ofPlay = allCases.filter { $0 != .indonesia }

    /// Whether the price that is shown holds the tax.
    var isTaxInclusive: Bool { self != .unitedStates }

    /// Per cent of the price before tax.
    private var taxRate: Int64 {
        switch self {
        case .unitedStates: 8
        case .germany: 19
        case .unitedKingdom: 20
        case .japan, .southKorea: 10
        case .indonesia: 11
        case .brazil: 17
        }
    }

    /// Per cent of the price before tax that Google Play publishes it keeps of a subscription that renews itself (2022 on):
    /// 15, of which the billing's 5 are not announced for every country that parts the two.
    func feePercent(at instant: Int64) -> Int64 {
        self == .southKorea && CivilTime.date(ofDay: CivilTime.dayNumber(of: instant)) >= "2026-12-31" ? 10 : 15
    }

    /// By the week, the month, the year, and of Premium and prepaid by the month, in the currency's smallest units.
    private var playUnits: (week: Int64, month: Int64, year: Int64, premium: Int64, prepaid: Int64) {
        switch self {
        case .unitedStates: (300, 800, 6_000, 2_000, 1_000)
        case .germany: (320, 840, 6_400, 2_200, 1_080)
        case .unitedKingdom: (240, 720, 5_600, 1_800, 880)
        case .japan: (400, 1_000, 12_000, 2_800, 1_200)
        case .brazil: (1_600, 4_000, 32_000, 10_000, 4_400)
        case .southKorea: (3_200, 8_000, 64_000, 20_000, 10_000)
        case .indonesia: (0, 0, 0, 0, 0)
        }
    }

    /// The price the store shows, in micros; in Japan the year costs twelve months, and a year of Plus costs ten of its months
    /// everywhere.
    func playPrice(of product: Product) -> Int64 {
        let list = playUnits
        let units =
            switch product {
            case .weekly, .coins: list.week
            case .monthly, .instalmentMonthly: list.month
            case .yearly, .lifetime: list.year
            case .premiumMonthly: list.premium
            case .prepaidMonthly: list.prepaid
            case .addonMonthly: list.month / 4
            case .plusMonthly: list.month / 2 * 3
            case .plusYearly: list.month * 15
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
