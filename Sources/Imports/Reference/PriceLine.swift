// SPDX-License-Identifier: Apache-2.0

import Postgres
import SQLCatalog

/// One line of `import prices`.
struct PriceLine: ReferenceLine {
    static let columns = [
        "app_id", "product_id", "country", "currency", "price", "valid_from", "base_plan_id", "period",
    ]
    static let insertion = SQL.Import.addPrices
    static let repricesSales = true
    /// In place of a price: from that day on there is none.
    private static let withdrawal = "none"

    let app: String
    let product: String
    /// Nil: any.
    let country: String?
    let currency: String
    /// Nil: from that day on there is none any more.
    let micros: Int64?
    let validFrom: String?
    /// Google Play's; nil: any.
    let basePlan: String?
    /// The length of the sales that it is the price of; nil: the catalogue's.
    let period: String?

    static func read(
        _ fields: [String: String], for setting: ReferenceSetting
    ) throws(BadLine.Reason) -> [Self] {
        let fields = try ImportFields(fields, columns: columns)
        let app = try fields.app(setting.apps)
        return [
            PriceLine(
                app: app, product: try fields.required("product_id"),
                country: try fields.optionalCountry(), currency: try fields.currency(),
                micros: try micros(fields),
                validFrom: try fields.optionalDay("valid_from"),
                basePlan: try fields.optionalBasePlan(of: app, setting.apps),
                period: try fields.optionalLength("period"))
        ]
    }

    private static func micros(_ fields: ImportFields) throws(BadLine.Reason) -> Int64? {
        if try fields.optional("price") == withdrawal { return nil }
        let price = try fields.decimal("price", places: 6, example: "9.99")
        guard let micros = ImportDecimal(price)?.micros, micros <= 1_000_000_000_000_000 else {
            throw "bad price \(BadLine.Reason(quoting: price)): it is larger than any price"
        }
        return micros
    }

    /// A base plan has one price of a length at a time in a country, in one currency.
    var key: [String] { [app, product, basePlan ?? "", period ?? "", country ?? "", validFrom ?? ""] }
    var content: String { micros.map { "\($0) micros of \(currency)" } ?? "no price" }
    var values: [String?] { [app, product, country, currency, micros.map { String($0) }, validFrom, basePlan, period] }
    var appID: String? { app }
}
