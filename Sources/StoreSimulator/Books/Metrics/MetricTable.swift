// SPDX-License-Identifier: Apache-2.0

/// A metric while it is filled: a row for whatever something was said of.
///
/// Sums are exact, and rounded once, as they are shown.
struct MetricTable {
    /// What a row is of.
    private let words: [String]
    /// What it shows, but for the rates.
    private let figures: [String]
    /// The places of what is unknown at first.
    private let known: Range<Int>
    private let nanos: Set<String>
    private let rates: KeyValuePairs<String, (part: String, whole: String)>
    private let nothing: Named<Int128>
    private(set) var sums: [[String?]: Named<Int128>] = [:]

    /// `sums`: figures that begin at zero; a sum with an unknown part is unknown.
    ///
    /// `known`: sums of what is known of their parts; unknown where that is nothing. `hidden`: sums that no row shows:
    /// rates are worked out from them. `nanos`: what is summed in thousandths of a micro, and shown in micros. `rates`:
    /// parts of wholes, in millionths; unknown where there is nothing to divide by.
    init(
        of words: [String], _ sums: [String], known: [String] = [], hidden: [String] = [], nanos: Set<String> = [],
        rates: KeyValuePairs<String, (part: String, whole: String)> = [:]
    ) {
        (self.words, self.nanos, self.rates) = (words, nanos, rates)
        figures = sums + known
        self.known = sums.count..<figures.count
        nothing = Named(figures + hidden, sums.map { _ in 0 } + known.map { _ in nil } + hidden.map { _ in 0 })
        precondition(nanos.isSubset(of: figures), "in nanos and no figures: \(nanos.subtracting(figures))")
    }

    /// `place`: what it is of, in the order of the words.
    mutating func add(_ place: [String?], _ figures: KeyValuePairs<String, Int128?>) {
        precondition(place.count == words.count, "\(place) are not \(words)")
        // The row is changed where it stands: whatever else is needed of the table is read before.
        let known = known
        sums[place, default: nothing].add(figures, known: known)
    }

    /// The rows that say something, or all of them, in the order of what they are of.
    func rows(evenOfNothing: Bool = false) -> [MetricRow] {
        let telling = sums.filter { evenOfNothing || $0.value.values.contains { ($0 ?? 0) != 0 } }
        let names = figures + rates.map(\.key)
        return telling.sorted { Self.precedes($0.key, $1.key) }.map { place, sums in
            let shown = zip(figures, sums.values).map { name, sum in
                sum.map { nanos.contains(name) ? Rounding.micros(ofNanos: $0) : Int64($0) }
            }
            let rates = rates.map { Rounding.millionths(sums[$0.value.part] ?? 0, of: sums[$0.value.whole] ?? 0) }
            return MetricRow(Named(words, place), Named(names, shown + rates))
        }
    }

    private static func precedes(_ left: [String?], _ right: [String?]) -> Bool {
        zip(left, right).first { $0 != $1 }.map { ($0 ?? "") < ($1 ?? "") } ?? false
    }
}

extension Named<Int128> {
    fileprivate mutating func add(_ figures: KeyValuePairs<String, Int128?>, known: Range<Int>) {
        for (name, figure) in figures {
            let place = place(of: name)
            let sum = values[place]
            if known.contains(place) {
                values[place] = figure.map { (sum ?? 0) + $0 } ?? sum
            } else {
                values[place] = figure.flatMap { figure in sum.map { $0 + figure } }
            }
        }
    }
}

extension CivilTime {
    /// `yyyy-mm-dd` of the day (UTC) that holds the instant.
    static func date(of instant: Int64) -> String { date(ofDay: dayNumber(of: instant)) }

    /// The first instant after a day: the first one that is not reported any more.
    static func end(ofDate date: String) -> Int64 {
        guard let day = dayNumber(ofDate: date) else { preconditionFailure("\(date) is no date") }
        return (day + 1) * Self.day
    }
}
