// SPDX-License-Identifier: Apache-2.0

/// Where a reader knows from how long a paid period is.
package enum PeriodLengths: Hashable, Sendable {
    /// From its dates alone.
    case dates
    /// From a list of the products.
    case catalogue
}

extension LinedPeriod {
    /// What a period of its plan is worth: as it was charged, but for the rest of a period after a change of plan, where
    /// the list says how long a whole one is.
    func worth(by lengths: PeriodLengths) -> PeriodImage.Charge? {
        let worth = lengths == .catalogue ? image.recurringCharge ?? charge : charge
        guard let less, let currency = worth?.currency else { return worth }
        return PeriodImage.Charge(micros: -less.micros, currency: currency)
    }

    /// What a month is worth of it and of what runs beside it, in nanos, each rounded by itself; nil where any of that has no
    /// known price.
    func monthlyWorth(by lengths: PeriodLengths) -> Int128? {
        let parts = ([self] + beside).map { part in
            part.worth(by: lengths).map { part.monthlyNanos(of: $0.micros, by: lengths) }
        }
        return parts.contains(nil) ? nil : parts.compactMap(\.self).reduce(0, +)
    }

    /// The same with its currency.
    func value(by lengths: PeriodLengths) -> PaidLine.Value? {
        guard let charge = worth(by: lengths), let monthly = monthlyWorth(by: lengths) else { return nil }
        return PaidLine.Value(monthly: monthly, currency: charge.currency)
    }

    /// What a month of it is worth at that amount (÷ `divisor`) for the whole of it.
    func monthlyNanos(of micros: Int64, over divisor: Int128 = 1, by lengths: PeriodLengths) -> Int128 {
        length(by: lengths).monthlyNanos(of: Int128(micros), over: divisor)
    }

    /// What a month of it brings the developer: as the store reported it, else what is left of the price after tax and
    /// fee; nil where neither is known.
    func proceeds(of charge: PeriodImage.Charge, by lengths: PeriodLengths) -> Int128? {
        if let reported = charge.proceedsMicros { return monthlyNanos(of: reported, by: lengths) }
        guard let tax = charge.taxMicros, let fee = charge.feePercent else { return nil }
        return monthlyNanos(of: (charge.micros - tax) * (100 - fee), over: 100, by: lengths)
    }

    private func length(by lengths: PeriodLengths) -> Term {
        // More seats are as long as what they were added to.
        let first = beside.last ?? self
        return lengths == .catalogue ? image.term ?? .months(1) : Term(from: first.start, to: first.statedEnd)
    }
}

extension Term {
    /// The longest distance at which two instants still count as whole months apart.
    private static let tolerance = 26 * CivilTime.hour

    /// By its dates: 28 to 31 days are a month; calendar months that fit within 26 hours are so many; anything else is its
    /// days, to the nearest.
    init(from start: Int64, to end: Int64) {
        let length = end - start
        if (28 * CivilTime.day...31 * CivilTime.day).contains(length) {
            self = .months(1)
            return
        }
        let fitting = (1...36).first {
            abs(CivilTime.adding(months: $0, to: start) - end) <= Self.tolerance
        }
        self = fitting.map(Term.months) ?? .days(max((length + CivilTime.day / 2) / CivilTime.day, 1))
    }
}
