// SPDX-License-Identifier: Apache-2.0

/// What one day (UTC) of service earned, and what is billed and not earned yet at its end.
package struct RecognisedRow: Hashable, Sendable {
    /// `yyyy-mm-dd`.
    package var date: String
    package var appID: String
    package var productID: String
    package var currency: String
    package var recognisedMicros: Int64 = 0
    package var deferredMicros: Int64 = 0
}

extension MetricBooks {
    /// Each charge spread evenly over the time it was paid for, through that date.
    package func recognised(through date: String) -> [RecognisedRow] {
        guard let last = CivilTime.dayNumber(ofDate: date) else { return [] }
        let cuts = supersededAt
        let charged = entries.filter { $0.booked.currency != nil && !$0.entries.isEmpty }
        let lines = Dictionary(grouping: charged) { [$0.booked.appID, $0.booked.productID, $0.booked.currency ?? ""] }
        return lines.flatMap { line, purchases in
            var days: [Int64: (recognised: Int64, deferred: Int64)] = [:]
            for (booked, entries) in purchases {
                let service = Service(
                    start: booked.periodStart, end: booked.periodEnd,
                    cut: booked.isUpgraded ? cuts[booked.periodKey] : nil, entries: entries)
                for (day, recognised, deferred) in service.days(through: last) {
                    let sum = days[day] ?? (0, 0)
                    days[day] = (sum.recognised + recognised, sum.deferred + deferred)
                }
            }
            return days.filter { $0.value != (0, 0) }.map { day, sum in
                RecognisedRow(
                    date: CivilTime.date(ofDay: day), appID: line[0], productID: line[1], currency: line[2],
                    recognisedMicros: sum.recognised, deferredMicros: sum.deferred)
            }
        }
    }

    /// When the periods that another one took the place of were over, by period key.
    private var supersededAt: [String: Int64] {
        let appStore = appStoreLineages.flatMap { line in
            zip(line.periods, line.periods.dropFirst()).map { ($0.booked.periodKey, $1.booked.periodStart) }
        }
        return Dictionary(appStore + (books.play?.supersededAt(column) ?? [])) { first, _ in first }
    }
}

/// The time a charge was paid for, and everything that was charged and given back for it.
private struct Service {
    var start: Int64
    var end: Int64
    /// When something took its place: what was left then is earned at once.
    var cut: Int64?
    var entries: [MoneyLedger.Entry]

    /// The days with any movement, each with what it earned and what is left at its end.
    func days(through last: Int64) -> [(day: Int64, recognised: Int64, deferred: Int64)] {
        let first = entries.map { CivilTime.dayNumber(of: $0.at) }.min() ?? 0
        let events = (entries.map(\.at) + [end, cut ?? end, start]).map(CivilTime.dayNumber(of:))
        let final = min(last, (events.max() ?? 0) + 1)
        guard first <= final else { return [] }
        var before: Int64 = 0
        return (first...final).map { day in
            let billed = billed(by: day)
            let earned = earned(of: billed, by: day)
            defer { before = earned }
            return (day, earned - before, billed - earned)
        }
    }

    /// Charged less given back, by the end of a day.
    private func billed(by day: Int64) -> Int64 {
        entries.filter { $0.at < (day + 1) * CivilTime.day }.map(\.signed).reduce(0, +)
    }

    /// The part of it that the time passed by the end of a day is worth; each charge in whole micros, half to even.
    private func earned(of billed: Int64, by day: Int64) -> Int64 {
        let at = (day + 1) * CivilTime.day
        guard at > start else { return 0 }
        guard end > start, at < end, cut.map({ $0 >= at || $0 >= end }) ?? true else { return billed }
        return Int64(Rounding.halfEven(Int128(billed) * Int128(at - start), over: Int128(end - start)))
    }
}
