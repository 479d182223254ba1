// SPDX-License-Identifier: Apache-2.0

extension MetricBooks {
    /// Each charge spread evenly over the time it was paid for, through that date: what a day (UTC) of service earned,
    /// and what is billed and not earned yet at its end, in micros.
    ///
    /// What all have earned together by the end of a day is rounded once, half to even.
    package func recognised(through date: String) -> [MetricRow] {
        let (last, cuts) = (CivilTime.dayNumber(of: CivilTime.end(ofDate: date)) - 1, supersededAt)
        var table = MetricTable(of: ["date", "app_id", "product_id", "currency"], ["recognised", "deferred"])
        for (line, purchases) in Dictionary(grouping: entries, by: \.booked.line) {
            var sums: [Int64: RunningSum] = [:]
            for (booked, entries) in purchases where !entries.isEmpty {
                let service = Service(
                    start: booked.periodStart, end: booked.periodEnd,
                    cut: booked.isUpgraded ? cuts[booked.periodKey] : nil, entries: entries)
                service.add(to: &sums, through: last)
            }
            var (settled, before): (Int64, Int64) = (0, 0)
            for (day, sum) in sums.sorted(by: { $0.key < $1.key }) where day <= last {
                settled += sum.settled
                let (billed, earned) = (sum.billed + settled, sum.earned.rounded(with: settled))
                table.add(
                    [CivilTime.date(ofDay: day)] + line,
                    ["recognised": Int128(earned - before), "deferred": Int128(billed - earned)])
                before = earned
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

    /// Adds what is billed and earned by the end of each day, from its first one on, while any of it is left to earn.
    func add(to sums: inout [Int64: RunningSum], through last: Int64) {
        let first = entries.map { CivilTime.dayNumber(of: $0.at) }.min() ?? 0
        let events = (entries.map(\.at) + [end, cut ?? end, start]).map(CivilTime.dayNumber(of:))
        let final = (events.max() ?? 0) + 1
        guard first <= min(last, final) else { return }
        for day in first...min(last, final) {
            let billed = billed(by: day)
            sums[day, default: RunningSum()].billed += billed
            sums[day]?.earned.add(billed, times: passed(by: day), over: length)
        }
        sums[final + 1, default: RunningSum()].settled += billed(by: final)
    }

    /// Charged less given back, by the end of a day.
    private func billed(by day: Int64) -> Int64 {
        entries.filter { $0.at < (day + 1) * CivilTime.day }.map(\.signed).reduce(0, +)
    }

    private var length: Int64 { max(1, end - start) }

    /// How much of its length is over by the end of a day.
    private func passed(by day: Int64) -> Int64 {
        let at = (day + 1) * CivilTime.day
        guard at > start else { return 0 }
        guard end > start, at < end, cut.map({ $0 >= at || $0 >= end }) ?? true else { return length }
        return at - start
    }
}

/// What is billed and earned by the end of a day, of all charges with a part of it.
private struct RunningSum {
    var billed: Int64 = 0
    var earned = ExactSum()
    /// Earned by then to the last micro, from this day on in no other sum.
    var settled: Int64 = 0
}

/// A sum of fractions with many denominators: whole units, and the rests in parts of 10^20.
private struct ExactSum {
    private static let parts: Int128 = 100_000_000_000_000_000_000

    private var whole: Int128 = 0
    private var rest: Int128 = 0

    mutating func add(_ micros: Int64, times part: Int64, over length: Int64) {
        let (quotient, remainder) = (Int128(micros) * Int128(part)).quotientAndRemainder(dividingBy: Int128(length))
        whole += quotient
        rest += remainder * Self.parts / Int128(length)
    }

    /// Half to even, with so many whole units more.
    ///
    /// Each addition cut off less than one part: what is within a billion parts of a half is one.
    func rounded(with more: Int64) -> Int64 {
        let near: Int128 = 1_000_000_000
        let exact = (whole + Int128(more)) * Self.parts + Rounding.halfEven(rest, over: near) * near
        return Int64(Rounding.halfEven(exact, over: Self.parts))
    }
}
