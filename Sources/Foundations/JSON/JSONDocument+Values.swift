// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension JSONDocument {
    /// What a text says; nil for any other value.
    package func text(_ value: Value) -> String? {
        guard case .text(let quoted) = value else { return nil }
        return String(decoding: content(ofText: quoted), as: UTF8.self)
    }

    /// A number as it is spelt; nil for any other value.
    package func number(_ value: Value) -> String? {
        guard case .scalar(let place) = value, bytes[place.lowerBound] < UInt8(ascii: "A") else { return nil }
        return String(decoding: bytes[place], as: UTF8.self)
    }

    /// A boolean; nil for any other value.
    package func flag(_ value: Value) -> Bool? {
        guard case .scalar(let place) = value else { return nil }
        switch bytes[place.lowerBound] {
        case UInt8(ascii: "t"): return true
        case UInt8(ascii: "f"): return false
        default: return nil
        }
    }

    /// Whether it is `null`.
    package func isNull(_ value: Value) -> Bool {
        guard case .scalar(let place) = value else { return false }
        return bytes[place.lowerBound] == UInt8(ascii: "n")
    }

    /// A whole number, also one that is spelt with a fraction of zeros or an exponent; nil for any other value, and beyond 64 bits.
    package func whole(_ value: Value) -> Int64? {
        guard let number = number(value) else { return nil }
        if let whole = Int64(number) { return whole }
        guard let double = Double(number), let whole = Int64(exactly: double) else { return nil }
        // Beyond, one double is several whole numbers.
        return double.magnitude < 0x1p53 ? whole : decimal(value).flatMap { Int64($0.description) }
    }

    /// A number; nil for any other value, and for what no `Decimal` can be.
    package func decimal(_ value: Value) -> Decimal? {
        number(value).flatMap { Decimal(string: $0) }.flatMap { $0.isNaN ? nil : $0 }
    }
}
