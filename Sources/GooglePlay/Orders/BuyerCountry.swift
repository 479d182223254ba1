// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// Where a purchase was made, by what an order and its purchase say of it: region codes of the CLDR, of which some are no countries.
struct BuyerCountry {
    /// ISO 3166-1 alpha-2, or XK; of the first word that is one.
    let code: String?
    /// Words were there, and none of them is a country.
    let isUnknown: Bool

    init(_ words: [String?], _ unknownValues: inout UnknownValueCounts) {
        let said = words.compactMap(\.self)
        code = said.lazy.compactMap { Country.code(ofStore: $0) }.first
        isUnknown = code == nil && !said.isEmpty
        for word in said.uniqued() where Country.code(ofStore: word) == nil { unknownValues.note("country=\(word)") }
    }
}
