// SPDX-License-Identifier: Apache-2.0

/// The shapes that Google's JSON is made of: members at their default are left out, 64-bit numbers are strings, and
/// where an empty object stands, its presence is what is said.
enum PlayJSON {
    /// `{}` where something is so, and nothing where it is not.
    static func present(_ isSo: Bool) -> WireObject? { isSo ? [:] : nil }

    /// A sum: whole units as a string, billionths as a number; zero members are left out.
    static func money(_ micros: Int64, _ currency: String) -> WireObject {
        let (units, rest) = (micros / 1_000_000, micros % 1_000_000)
        return [
            "currencyCode": currency, "units": units == 0 ? nil : String(units),
            "nanos": rest == 0 ? nil : rest * 1_000,
        ]
    }

    /// RFC 3339 in UTC with no, three, six or nine digits of a second: as many as there are, and sometimes more.
    static func time(_ instant: Int64) -> String {
        let whole = CivilTime.iso8601(instant)
        let micros = ((instant % CivilTime.second) + CivilTime.second) % CivilTime.second
        guard micros != 0 else { return whole }
        let digits = String(CivilTime.second + micros).dropFirst()
        let isEven = instant / CivilTime.minute % 2 == 0
        let fraction =
            if micros % 1_000 == 0 { isEven ? String(digits.prefix(3)) : String(digits) } else {
                isEven ? String(digits) : digits + "000"
            }
        return "\(whole.dropLast()).\(fraction)Z"
    }

    /// Milliseconds since the Unix epoch, as a string.
    static func milliseconds(_ instant: Int64) -> String { String(instant / 1_000) }

    /// A truth value that is left out where it does not hold.
    static func flag(_ value: Bool) -> Bool? { value ? true : nil }
}
