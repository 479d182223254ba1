// SPDX-License-Identifier: Apache-2.0

extension MetricBooks {
    /// Each charge spread evenly over the time it was paid for, through that date: what a day (UTC) of service earned, and
    /// what is billed and not earned yet at its end, in micros.
    package func recognised(through date: String) -> [MetricRow] {
        let (last, cuts) = (CivilTime.dayNumber(of: CivilTime.end(ofDate: date)) - 1, supersededAt)
        var table = MetricTable(of: ["date", "app_id", "product_id", "currency"], ["recognised", "deferred"])
        for (line, purchases) in Dictionary(grouping: entries, by: \.booked.line) {
            var days: [Int64: (recognised: Int128, deferred: Int128)] = [:]
            for (booked, entries) in purchases where !entries.isEmpty {
                let service = Service(
                    start: booked.periodStart, end: booked.periodEnd,
                    cut: booked.isUpgraded ? cuts[booked.periodKey] : nil, entries: entries)
                for (day, recognised, deferred) in service.days(through: last) {
                    days[day, default: (0, 0)].recognised += Int128(recognised)
                    days[day]?.deferred += Int128(deferred)
                }
            }
            for (day, sum) in days {
                table.add(
                    [CivilTime.date(ofDay: day)] + line, ["recognised": sum.recognised, "deferred": sum.deferred])
            }
        }
        return table.rows()
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
