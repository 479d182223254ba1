// SPDX-License-Identifier: Apache-2.0

/// A figure's value: a number of things, an amount or a share, exactly.
package struct FigureAmount: Sendable, Hashable {
    /// Millionths; nil is unknown.
    package let micros: Int64?
    /// A whole number.
    package let isCount: Bool
    /// ISO 4217 code of an amount; nil of other figures.
    package let currency: String?

    package init(micros: Int64?, isCount: Bool, currency: String?) {
        self.micros = micros
        self.isCount = isCount
        self.currency = currency
    }

    /// As the files write it: a whole number, or six decimals; nil is unknown.
    package var text: String? {
        micros.map { micros in
            let (whole, fraction) = micros.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
            let digits = String(fraction)
            let sign = micros < 0 ? "-" : ""
            guard !isCount || fraction > 0 else { return "\(sign)\(whole)" }
            return "\(sign)\(whole)." + String(repeating: "0", count: 6 - digits.count) + digits
        }
    }
}
