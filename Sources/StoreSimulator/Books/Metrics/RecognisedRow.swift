// SPDX-License-Identifier: Apache-2.0

/// What one day (UTC) of service earned, and what is billed and not earned yet at its end.
package struct RecognisedRow: Hashable, Sendable {
    /// `yyyy-mm-dd`.
    package var date: String
    package var appID: String
    package var productID: String
    package var currency: String
    package var recognisedMicros: Int64
    package var deferredMicros: Int64

    package init(
        date: String, appID: String, productID: String, currency: String, recognisedMicros: Int64 = 0,
        deferredMicros: Int64 = 0
    ) {
        self.date = date
        self.appID = appID
        self.productID = productID
        self.currency = currency
        self.recognisedMicros = recognisedMicros
        self.deferredMicros = deferredMicros
    }
}

extension Books {
    /// Each charge spread evenly over the time it was paid for, through that date.
    package func recognised(_ column: BookColumn, through date: String) -> [RecognisedRow] {
        guard let last = CivilTime.dayNumber(ofDate: date) else { return [] }
        let cuts = supersededAt(column)
        var rows: [[String]: RecognisedRow] = [:]
        for (booked, entries) in everyEntry(column) {
            guard let currency = booked.currency, !entries.isEmpty else { continue }
            let service = Service(
                start: booked.periodStart, end: booked.periodEnd,
                cut: booked.isUpgraded ? cuts[booked.periodKey] : nil, entries: entries)
            for (day, recognised, deferred) in service.days(through: last) {
                let date = CivilTime.date(ofDay: day)
                let empty = RecognisedRow(
                    date: date, appID: booked.appID, productID: booked.productID, currency: currency)
                rows[[date, booked.appID, booked.productID, currency], default: empty].recognisedMicros += recognised
                rows[[date, booked.appID, booked.productID, currency]]?.deferredMicros += deferred
            }
        }
        return rows.values.filter { $0.recognisedMicros != 0 || $0.deferredMicros != 0 }
    }

    /// When the periods that another one took the place of were over, by period key.
    private func supersededAt(_ column: BookColumn) -> [String: Int64] {
        let stories = column == .happened ? happenedStories : revealedStories
        let appStore = stories.flatMap { story in
            zip(story.periods, story.periods.dropFirst()).map { ($0.booked.periodKey, $1.booked.periodStart) }
        }
        return Dictionary(appStore + (play?.supersededAt(column) ?? [])) { first, _ in first }
    }
}

extension PlayBooks {
    /// By order: when the next one of its line began.
    fileprivate func supersededAt(_ column: BookColumn) -> [(String, Int64)] {
        chains(of: images(column).filter { $0.isMain && !$0.order.isForAddOn }).flatMap { chain in
            zip(chain, chain.dropFirst()).map { ($0.booked.periodKey, $1.booked.periodStart) }
        }
    }
}

/// The time a charge was paid for, and everything that was charged and given back for it.
private struct Service {
    var start: Int64
    var end: Int64
    /// When something took its place: what was left then is earned at once.
    var cut: Int64?
    var entries: [MoneyLedger.Entry]

    /// The days with anything to tell, each with what it earned and what is left at its end.
    func days(through last: Int64) -> [(day: Int64, recognised: Int64, deferred: Int64)] {
        let first = entries.map { CivilTime.dayNumber(of: $0.at) }.min() ?? 0
        let events = (entries.map(\.at) + [end, cut ?? end, start]).map(CivilTime.dayNumber(of:))
        let final = min(last, (events.max() ?? 0) + 1)
        guard first <= final else { return [] }
        return (first...final).map { day in
            let earned = earned(by: day)
            return (day, earned - self.earned(by: day - 1), billed(by: day) - earned)
        }
    }

    /// Charged less given back, by the end of a day.
    private func billed(by day: Int64) -> Int64 {
        entries.filter { CivilTime.dayNumber(of: $0.at) <= day }.map(\.signed).reduce(0, +)
    }

    /// The part of it that the time passed by the end of a day is worth; each charge in whole micros, half to even.
    private func earned(by day: Int64) -> Int64 {
        let (at, billed) = ((day + 1) * CivilTime.day, billed(by: day))
        guard at > start else { return 0 }
        guard end > start, at < end, cut.map({ $0 >= at || $0 >= end }) ?? true else { return billed }
        return Fraction(Int128(billed) * Int128(at - start), over: Int128(end - start)).rounded
    }
}
