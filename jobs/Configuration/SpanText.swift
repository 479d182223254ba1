// SPDX-License-Identifier: Apache-2.0

import Model

/// Lengths of time as people write them in the configuration: `90d`, `5h`, `30m`, `10s`.
enum SpanText {
    /// Nil for anything but a whole number above zero with its unit, up to a hundred years.
    static func parse(_ text: String) -> Span? {
        guard let unit = text.last, let count = Int64(text.dropLast()), count > 0, text.first != "+" else { return nil }
        let seconds: Int64
        switch unit {
        case "d": seconds = 86_400
        case "h": seconds = 3_600
        case "m": seconds = 60
        case "s": seconds = 1
        default: return nil
        }
        let (total, overflow) = count.multipliedReportingOverflow(by: seconds)
        return overflow || total > 36_525 * 86_400 ? nil : .seconds(total)
    }
}
