// SPDX-License-Identifier: Apache-2.0

import Postgres
import SQLCatalog

/// One line of `import products`.
struct ProductLine: ReferenceLine {
    static let columns = [
        "app_id", "product_id", "period", "subscription_group", "level", "valid_from", "base_plan_id",
    ]
    static let insertion = SQL.Import.addProducts

    let app: String
    let product: String
    let period: String?
    let group: String?
    let level: String?
    let validFrom: String?
    /// Google Play's; nil: any.
    let basePlan: String?

    static func read(
        _ fields: [String: String], for setting: ReferenceSetting
    ) throws(BadLine.Reason) -> [Self] {
        let fields = try ImportFields(fields, columns: columns)
        return [
            ProductLine(
                app: try fields.app(setting.apps), product: try fields.required("product_id"),
                period: try period(fields), group: try fields.optional("subscription_group"),
                level: try level(fields), validFrom: try fields.optionalDay("valid_from"),
                basePlan: try fields.optional("base_plan_id"))
        ]
    }

    var key: [String] { [app, product, basePlan ?? "", validFrom ?? ""] }
    var content: String { [period, group, level].compactMap(\.self).joined(separator: ", ") }
    var values: [String?] { [app, product, period, group, level, validFrom, basePlan] }
    var appID: String? { app }

    private static func period(_ fields: ImportFields) throws(BadLine.Reason) -> String? {
        guard let text = try fields.optional("period") else { return nil }
        guard isDuration(text) else {
            throw "bad period \(BadLine.Reason(quoting: text)): an ISO 8601 duration such as P1M, P1W or P1Y"
        }
        return text
    }

    /// `P` and then years, months, weeks and days in this order, each from 1.
    private static func isDuration(_ text: String) -> Bool {
        guard text.hasPrefix("P"), text.utf8.count > 1 else { return false }
        var rest = text.dropFirst()
        for (unit, digits) in [("Y", 3), ("M", 3), ("W", 3), ("D", 4)] {
            let number = rest.prefix { $0.isASCII && $0.isNumber }
            guard rest[number.endIndex...].hasPrefix(unit) else { continue }
            guard (1...digits).contains(number.count), number.first != "0" else { return false }
            rest = rest[number.endIndex...].dropFirst()
        }
        return rest.isEmpty
    }

    private static func level(_ fields: ImportFields) throws(BadLine.Reason) -> String? {
        guard let text = try fields.optional("level") else { return nil }
        guard let level = Int32(text), level > 0 else {
            throw "bad level \(BadLine.Reason(quoting: text)): 1 is the highest of its group"
        }
        return String(level)
    }
}

/// One line of `import prices`.
struct PriceLine: ReferenceLine {
    static let columns = ["app_id", "product_id", "country", "currency", "price", "valid_from", "base_plan_id"]
    static let insertion = SQL.Import.addPrices

    let app: String
    let product: String
    /// Nil: any.
    let country: String?
    let currency: String
    let price: String
    let micros: Int64
    let validFrom: String?
    /// Google Play's; nil: any.
    let basePlan: String?

    static func read(
        _ fields: [String: String], for setting: ReferenceSetting
    ) throws(BadLine.Reason) -> [Self] {
        let fields = try ImportFields(fields, columns: columns)
        let price = try fields.decimal("price", places: 6, example: "9.99")
        guard let micros = ImportDecimal(price)?.micros, micros <= 1_000_000_000_000_000 else {
            throw "bad price \(BadLine.Reason(quoting: price)): it is larger than any price"
        }
        return [
            PriceLine(
                app: try fields.app(setting.apps), product: try fields.required("product_id"),
                country: try fields.optionalCountry(), currency: try fields.currency(), price: price, micros: micros,
                validFrom: try fields.optionalDay("valid_from"), basePlan: try fields.optional("base_plan_id"))
        ]
    }

    /// A base plan has one price at a time in a country, in one currency.
    var key: [String] { [app, product, basePlan ?? "", country ?? "", validFrom ?? ""] }
    var content: String { "\(micros) micros of \(currency)" }
    var values: [String?] { [app, product, country, currency, String(micros), validFrom, basePlan] }
    var appID: String? { app }
}
