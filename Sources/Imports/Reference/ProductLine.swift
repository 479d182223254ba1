// SPDX-License-Identifier: Apache-2.0

import Postgres
import SQLCatalog

/// One line of `import products`.
struct ProductLine: ReferenceLine {
    static let columns = [
        "app_id", "product_id", "period", "subscription_group", "level", "valid_from", "base_plan_id",
    ]
    static let insertion = SQL.Import.addProducts
    static let repricesSales = true

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
        let app = try fields.app(setting.apps)
        return [
            ProductLine(
                app: app, product: try fields.required("product_id"),
                period: try fields.optionalDuration("period"), group: try fields.optional("subscription_group"),
                level: try level(fields), validFrom: try fields.optionalDay("valid_from"),
                basePlan: try fields.optionalBasePlan(of: app, setting.apps))
        ]
    }

    var key: [String] { [app, product, basePlan ?? "", validFrom ?? ""] }
    var content: String { [period, group, level].compactMap(\.self).joined(separator: ", ") }
    var values: [String?] { [app, product, period, group, level, validFrom, basePlan] }
    var appID: String? { app }

    private static func level(_ fields: ImportFields) throws(BadLine.Reason) -> String? {
        guard let text = try fields.optional("level") else { return nil }
        guard let level = Int32(text), level > 0 else {
            throw "bad level \(BadLine.Reason(quoting: text)): 1 is the highest of its group"
        }
        return String(level)
    }
}
