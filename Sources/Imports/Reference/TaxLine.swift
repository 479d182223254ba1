// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import SQLCatalog

/// One line of `import tax-rates`.
struct TaxLine: ReferenceLine {
    static let columns = ["country", "rate", "is_inclusive", "valid_from"]
    static let insertion = SQL.Import.addTaxRates

    let country: String
    let rate: String
    let isInclusive: String
    let validFrom: String?

    static func read(
        _ fields: [String: String], for setting: ReferenceSetting
    ) throws(BadLine.Reason) -> [Self] {
        let fields = try ImportFields(fields, columns: columns)
        guard let country = try fields.optionalCountry() else { throw "missing country" }
        return [
            TaxLine(
                country: country, rate: try fields.share("rate", example: "0.19"),
                isInclusive: try fields.word("is_inclusive", among: ["true", "false"]),
                validFrom: try fields.optionalDay("valid_from"))
        ]
    }

    var key: [String] { [country, validFrom ?? ""] }
    var content: String { "\(rate), is_inclusive \(isInclusive)" }
    var values: [String?] { [country, rate, isInclusive, validFrom] }
}
