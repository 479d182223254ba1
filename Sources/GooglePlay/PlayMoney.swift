// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// An amount as Google writes it: whole units in a text, billionths in a number, and either left out when it is zero.
struct PlayMoney: JSONReadable, Hashable {
    /// ISO 4217.
    let currency: String
    let micros: Int64

    init(currency: String, micros: Int64) {
        self.currency = currency
        self.micros = micros
    }

    /// Throws for what is no amount: without a currency, negative, or out of range.
    init(_ fields: Fields) throws {
        let nanos = fields.has("nanos") ? fields.integer("nanos") : 0
        let units = fields.has("units") ? fields.integer("units") : 0
        guard let currency = fields.text("currencyCode"), Money.isCurrencyCode(currency), let units, let nanos,
            (0...999_999_999).contains(nanos), (0...9_000_000_000_000).contains(units)
        else { throw NoAmount() }
        self.init(currency: currency, micros: units * 1_000_000 + (nanos + 500) / 1_000)
    }

    private struct NoAmount: Error {}
}
