// SPDX-License-Identifier: Apache-2.0

@testable import Reports

/// Rows of reports as a database would give them, made of customers who pay by the month: for pages too large to play.
///
/// Numbers follow from a seed. Levels by day are there for the days that a page has room for, and for the ends of months before.
struct LargeBooks {
    static let lastDay = 20_453  // 2025-12-31
    private static let firstDay = lastDay - 729
    private static let currencyCount = 40

    private struct Slice: Hashable {
        let product: Int
        let country: Int
    }

    private struct Sold {
        var charges = 0
        var micros = 0
        var reporting = 0
    }

    private struct Level {
        var count = 0
        var micros = 0
        var reporting = 0
    }

    let products: Int
    let countries: Int
    private(set) var charges = 0
    private var sold: [Int: [Slice: Sold]] = [:]
    /// New, and lost, by day.
    private var came: [Int: [Slice: Level]] = [:]
    private var went: [Int: [Slice: Level]] = [:]
    private var state: UInt64 = 20_251_231

    init(products: Int, countries: Int, charges wanted: Int) {
        self.products = products
        self.countries = countries
        while charges < wanted { addCustomer() }
    }

    private mutating func random(_ count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(count))
    }

    /// Stays between one and 23 months.
    private mutating func addCustomer() {
        let slice = Slice(product: random(products), country: random(countries))
        let first = Self.firstDay + random(730)
        let months = 1 + random(23)
        let micros = Self.price(of: slice)
        let level = Level(count: 1, micros: micros, reporting: Self.reporting(micros, slice, on: first))
        add(level, to: \.came, slice, on: first)
        for month in 0..<months where first + month * 30 <= Self.lastDay {
            let day = first + month * 30
            charges += 1
            sold[day, default: [:]][slice, default: Sold()].charges += 1
            sold[day, default: [:]][slice, default: Sold()].micros += micros
            sold[day, default: [:]][slice, default: Sold()].reporting += Self.reporting(micros, slice, on: day)
        }
        if first + months * 30 <= Self.lastDay { add(level, to: \.went, slice, on: first + months * 30) }
    }

    private mutating func add(
        _ level: Level, to path: WritableKeyPath<LargeBooks, [Int: [Slice: Level]]>, _ slice: Slice, on day: Int
    ) {
        self[keyPath: path][day, default: [:]][slice, default: Level()].count += 1
        self[keyPath: path][day, default: [:]][slice, default: Level()].micros += level.micros
        self[keyPath: path][day, default: [:]][slice, default: Level()].reporting += level.reporting
    }

    private static func price(of slice: Slice) -> Int { (199 + slice.product * 100 + slice.country * 7) * 10_000 }

    /// A rate of its own for each currency and day.
    private static func reporting(_ micros: Int, _ slice: Slice, on day: Int) -> Int {
        let currency = slice.country % currencyCount
        return currency == 0 ? micros : micros * (700_000 + currency * 9_731 + day % 97 * 113) / 1_000_000
    }

    private static func code(_ number: Int) -> String {
        String(decoding: [UInt8(65 + number / 26), UInt8(65 + number % 26)], as: UTF8.self)
    }

    private static func currency(_ country: Int) -> String {
        country % currencyCount == 0 ? "USD" : "X" + code(country % currencyCount)
    }

    static func decimal(_ micros: Int) -> String {
        let digits = String(abs(micros) % 1_000_000)
        return (micros < 0 ? "-" : "") + "\(abs(micros) / 1_000_000)." + String(repeating: "0", count: 6 - digits.count) + digits
    }
}

/// The reports' rows, by column.
extension LargeBooks {
    typealias Row = [String: String]

    private static func key(_ slice: Slice, _ day: Int) -> Row {
        [
            "date": PageSpan.text(ofDay: day), "month": String(PageSpan.text(ofDay: day).prefix(7)), "app_id": "acme",
            "store": slice.product % 2 == 0 ? "app_store" : "google_play", "product_id": "product.\(slice.product)",
            "country": code(slice.country), "currency": currency(slice.country), "product_type": "auto_renewable",
            "reporting_currency": "USD",
        ]
    }

    private static func money(_ name: String, _ micros: Int, _ reporting: Int) -> Row {
        [name: decimal(micros), name + "_reporting": decimal(reporting)]
    }

    /// Every charge on its day.
    func revenue(_ add: (Row) throws -> Void) rethrows {
        for day in Self.firstDay...Self.lastDay {
            for (slice, sold) in sold[day] ?? [:] {
                var row = Self.key(slice, day)
                row["charges"] = "\(sold.charges)"
                for name in ["gross", "net"] { row.merge(Self.money(name, sold.micros, sold.reporting)) { $1 } }
                row.merge(Self.money("proceeds", sold.micros * 7 / 10, sold.reporting * 7 / 10)) { $1 }
                try add(row)
            }
        }
    }

    /// The bridge, and deferred revenue, which moves each day everywhere: by product and currency.
    func levels(_ add: (_ bridge: Row, _ recognised: Row) throws -> Void) rethrows {
        var open: [Slice: Level] = [:]
        for day in Self.firstDay...Self.lastDay {
            let (new, lost) = (Self.byCurrency(came[day]), Self.byCurrency(went[day]))
            let isReported =
                day > Self.lastDay - PageCube.dayCount || PageSpan.text(ofDay: day + 1).hasSuffix("-01")
                || PageSpan.text(ofDay: day).hasSuffix("-01")
            for slice in Set(open.keys).union(new.keys) {
                let before = open[slice] ?? Level()
                let (come, gone) = (new[slice] ?? Level(), lost[slice] ?? Level())
                let after = Level(
                    count: before.count + come.count - gone.count, micros: before.micros + come.micros - gone.micros,
                    reporting: before.reporting + come.reporting - gone.reporting)
                open[slice] = after.count == 0 ? nil : after
                guard isReported else { continue }
                let key = Self.key(slice, day)
                var bridge = key.merging(Self.money("opening", before.micros, before.reporting)) { $1 }
                bridge.merge(Self.money("closing", after.micros, after.reporting)) { $1 }
                if come.count > 0 { bridge.merge(Self.money("new", come.micros, come.reporting)) { $1 } }
                if gone.count > 0 { bridge.merge(Self.money("churn_voluntary", -gone.micros, -gone.reporting)) { $1 } }
                var recognised = key.merging(Self.money("recognised", after.micros / 30, after.reporting / 30)) { $1 }
                recognised.merge(Self.money("deferred", after.micros / 2 + day, after.reporting / 2 + day)) { $1 }
                try add(bridge, recognised)
            }
        }
    }

    private static func byCurrency(_ levels: [Slice: Level]?) -> [Slice: Level] {
        (levels ?? [:]).reduce(into: [:]) { all, each in
            let slice = Slice(product: each.key.product, country: each.key.country % currencyCount)
            all[slice, default: Level()].count += each.value.count
            all[slice, default: Level()].micros += each.value.micros
            all[slice, default: Level()].reporting += each.value.reporting
        }
    }

    /// By month, product and country.
    func countries(_ add: (Row) throws -> Void) rethrows {
        var open: [Slice: Level] = [:]
        var month: [Slice: Sold] = [:]
        for day in Self.firstDay...Self.lastDay {
            for (slice, level) in came[day] ?? [:] { open[slice, default: Level()].count += level.count; open[slice, default: Level()].micros += level.micros; open[slice, default: Level()].reporting += level.reporting }
            for (slice, level) in went[day] ?? [:] { open[slice, default: Level()].count -= level.count; open[slice, default: Level()].micros -= level.micros; open[slice, default: Level()].reporting -= level.reporting }
            for (slice, sold) in sold[day] ?? [:] { month[slice, default: Sold()].micros += sold.micros; month[slice, default: Sold()].reporting += sold.reporting }
            guard PageSpan.text(ofDay: day + 1).hasSuffix("-01") else { continue }
            for slice in Set(open.keys).union(month.keys) {
                let (level, sold) = (open[slice] ?? Level(), month[slice] ?? Sold())
                var row = Self.key(slice, day)
                row["active"] = "\(level.count)"
                row.merge(Self.money("closing_mrr", level.micros, level.reporting)) { $1 }
                for name in ["gross", "net"] { row.merge(Self.money(name, sold.micros, sold.reporting)) { $1 } }
                try add(row)
            }
            month = [:]
        }
    }

    /// What was charged in the last thirty days comes again.
    func renewals(_ add: (Row) throws -> Void) rethrows {
        for day in Self.lastDay + 1...Self.lastDay + 30 {
            for (slice, sold) in sold[day - 30] ?? [:] {
                var row = Self.key(slice, day)
                row["due"] = "\(sold.charges)"
                row.merge(Self.money("amount", sold.micros, sold.reporting)) { $1 }
                try add(row)
            }
        }
    }
}
