// SPDX-License-Identifier: Apache-2.0

/// The length of a period or an offer, in calendar units.
package enum Term: Hashable, Sendable {
    case days(Int64)
    case weeks(Int64)
    case months(Int64)

    /// The instant this much later.
    package func after(_ instant: Int64) -> Int64 {
        switch self {
        case .days(let count): instant + count * CivilTime.day
        case .weeks(let count): instant + count * 7 * CivilTime.day
        case .months(let count): CivilTime.adding(months: count, to: instant)
        }
    }

    /// The ISO 8601 duration.
    package var iso8601: String {
        switch self {
        case .days(let count): "P\(count)D"
        case .weeks(let count): "P\(count)W"
        case .months(let count): count % 12 == 0 ? "P\(count / 12)Y" : "P\(count)M"
        }
    }

    /// The value of a month at this price, in parts that compare exactly across terms: a month is 30.4375 days.
    func monthlyValue(of price: Int64) -> Int64 {
        // 30.4375 = 487/16; everything is scaled by 16 × 7 × 12 × 30 to stay whole.
        switch self {
        case .days(let count): price * 487 * 2_520 / count
        case .weeks(let count): price * 487 * 360 / count
        case .months(let count): price * 16 * 2_520 / count
        }
    }
}

/// A fact that holds from an instant on.
package struct Dated<Value: Hashable & Sendable>: Hashable, Sendable {
    package var at: Int64
    package var value: Value

    package init(at: Int64, _ value: Value) {
        self.at = at
        self.value = value
    }
}

extension Array {
    /// The value in force at an instant; nil before the first one.
    func value<Value>(at now: Int64) -> Value? where Element == Dated<Value> { last { $0.at <= now }?.value }
}
