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

/// Which voided purchases are asked for, and from where in their list.
struct PlayVoidedWindow: Hashable {
    var start: Int64
    var end: Int64
    var offset = 0
    var limit = 1_000

    /// The window of a query's parameters, in milliseconds; a page token carries its own. Nil for a bad one.
    init?(_ query: [String: String], now: Int64) {
        limit = min(query["maxResults"].flatMap { Int($0) } ?? 1_000, 1_000)
        guard limit > 0 else { return nil }
        if let token = query["token"] {
            let parts = token.split(separator: ".").map { Int64($0) }
            guard parts.count == 3, let start = parts[0], let end = parts[1], let offset = parts[2] else { return nil }
            (self.start, self.end, self.offset) = (start, end, Int(offset))
            return
        }
        let oldest = now - 30 * CivilTime.day
        guard let start = Self.instant(query["startTime"], or: oldest),
            let end = Self.instant(query["endTime"], or: now), start <= end,
            start.milliseconds >= oldest.milliseconds, end.milliseconds <= now.milliseconds
        else { return nil }
        (self.start, self.end) = (start, end)
    }

    private static func instant(_ milliseconds: String?, or fallback: Int64) -> Int64? {
        guard let milliseconds else { return fallback }
        guard let (micros, isTooLarge) = Int64(milliseconds)?.multipliedReportingOverflow(by: 1_000) else { return nil }
        return isTooLarge ? nil : micros
    }

    func token(from offset: Int) -> String { "\(start).\(end).\(offset)" }
}
