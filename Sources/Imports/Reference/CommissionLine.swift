// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import SQLCatalog

/// One line of `import commission-rules`.
struct CommissionLine: ReferenceLine {
    static let columns = [
        "rule", "store", "app_id", "country", "product_type", "rate", "valid_from", "valid_to",
    ]
    static let insertion = SQL.Import.addCommissionRules

    let rule: String
    let store: String
    let app: String?
    let country: String?
    let productType: String?
    /// Nil: the membership of an app, at the published rate.
    let rate: String?
    let validFrom: String?
    let validTo: String?

    static func read(
        _ fields: [String: String], for setting: ReferenceSetting
    ) throws(BadLine.Reason) -> [Self] {
        let fields = try ImportFields(fields, columns: columns)
        let rule = try fields.word("rule", among: ["standard", "after_one_year", "small_business"])
        let line = CommissionLine(
            rule: rule, store: try fields.word("store", among: StoreKind.allCases.map(\.rawValue)),
            app: try fields.optionalApp(setting.apps), country: try fields.optionalCountry(),
            productType: try fields.optionalWord("product_type", among: ["auto_renewable", "prepaid", "one_time"]),
            rate: try rate(fields, of: rule), validFrom: try fields.optionalDay("valid_from"),
            validTo: try fields.optionalDay("valid_to"))
        if rule == "small_business", line.app == nil { throw "missing app_id: a membership is an app's own" }
        if rule == "small_business", line.rate == nil, line.validFrom == nil {
            throw "missing valid_from: a membership has a first day"
        }
        if let reason = line.idleReason(setting.apps) { throw reason }
        if let end = line.validTo, end <= line.validFrom ?? "" { throw "valid_to is not after valid_from" }
        return [line]
    }

    /// Why no sale can ever have it.
    private func idleReason(_ apps: [String: StoreKind]) -> BadLine.Reason? {
        if let app, let kind = apps[app], kind.rawValue != store {
            return "it never applies: \(BadLine.Reason(app)) is an app of \(BadLine.Reason(kind.rawValue))"
        }
        if productType == "prepaid", store == StoreKind.appStore.rawValue {
            return "it never applies: prepaid plans are Google Play's"
        }
        if rule == "after_one_year", let productType, productType != "auto_renewable" {
            return "it never applies: a year of paid service is one of an auto_renewable product"
        }
        return nil
    }

    /// A membership names its first day; its rate is the published one, unless the owner has another.
    private static func rate(_ fields: ImportFields, of rule: String) throws(BadLine.Reason) -> String? {
        if rule == "small_business", try fields.optional("rate") == nil { return nil }
        return try fields.share("rate", example: "0.15")
    }

    var key: [String] { [rule, store, app ?? "", country ?? "", productType ?? "", validFrom ?? ""] }
    var content: String { "\(rate ?? "membership") up to \(validTo ?? "any day")" }
    var values: [String?] { [rule, store, app, country, productType, rate, validFrom, validTo] }
}
