// SPDX-License-Identifier: Apache-2.0

/// One calendar month (UTC) of an app, a product, a country and a currency: who stayed, tried, came and left, and the money.
package struct CountryRow: Hashable, Sendable {
    /// `yyyy-mm`.
    package var month: String
    package var appID: String
    package var productID: String
    package var country: String?
    /// Nil of trials, and where the price is not known.
    package var currency: String?
    package var active = 0
    package var trialsStarted = 0
    package var trialsConverted = 0
    package var new = 0
    package var churned = 0
    package var closingMicros: Int64 = 0
    package var grossMicros: Int64 = 0
    package var refundedMicros: Int64 = 0

    var isEmpty: Bool {
        [active, trialsStarted, trialsConverted, new, churned].allSatisfy { $0 == 0 } && grossMicros == 0
            && refundedMicros == 0
    }
}

extension MetricBooks {
    /// Every month, the last one through that date.
    package func countries(through date: String) -> [CountryRow] {
        guard let last = CivilTime.dayNumber(ofDate: date) else { return [] }
        var months = CountryMonths(end: (last + 1) * CivilTime.day, lengths: lengths)
        for line in lineages {
            months.take(line)
            for trial in line.trials() where trial.start < months.end {
                let outcome = line.outcome(of: trial, in: subscriptions[trial.subscriptionID]?.state, at: now)
                months.change(trial.start, line.appID, trial.productID, trial.country, nil) { row in
                    row.trialsStarted += 1
                    if case .converted = outcome { row.trialsConverted += 1 }
                }
            }
        }
        for (booked, entries) in entries {
            for entry in entries where entry.at < months.end {
                months.change(entry.at, booked.appID, booked.productID, booked.country, booked.currency) { row in
                    row.grossMicros += entry.givenBack == nil ? entry.micros : 0
                    row.refundedMicros += entry.givenBack?.micros ?? 0
                }
            }
        }
        return months.rows
    }
}

/// The rows of all months, filled one lineage after the other.
private struct CountryMonths {
    /// The first instant that is not reported any more.
    let end: Int64
    let lengths: PeriodLengths
    private var found: [CountryRow: (row: CountryRow, nanos: Int128)] = [:]

    init(end: Int64, lengths: PeriodLengths) { (self.end, self.lengths) = (end, lengths) }

    var rows: [CountryRow] {
        found.values.map { row, nanos in
            var row = row
            row.closingMicros = Rounding.micros(ofNanos: nanos)
            return row
        }.filter { !$0.isEmpty }
    }

    mutating func change(
        _ instant: Int64, _ appID: String, _ productID: String, _ country: String?, _ currency: String?,
        nanos: Int128 = 0, _ body: (inout CountryRow) -> Void
    ) {
        let empty = CountryRow(
            month: CivilTime.month(of: instant), appID: appID, productID: productID, country: country,
            currency: currency)
        body(&found[empty, default: (empty, 0)].row)
        found[empty]?.nanos += nanos
    }

    mutating func take(_ line: Lineage) {
        guard let first = line.firstPaid else { return }
        if !line.isImported, first.start < end { count(first, of: line, at: first.start) { $0.new += 1 } }
        for segment in line.segments where segment.end < end {
            guard case .churned = segment.outcome, let last = segment.pieces.last else { continue }
            count(last, of: line, at: segment.end) { $0.churned += 1 }
        }
        for (begin, next) in line.months(before: end) {
            guard let period = line.paid(at: min(next, end)) else { continue }
            count(period, of: line, at: begin, nanos: period.monthlyWorth(by: lengths) ?? 0) { $0.active += 1 }
        }
    }

    private mutating func count(
        _ period: PaidPeriod, of line: Lineage, at instant: Int64, nanos: Int128 = 0, _ body: (inout CountryRow) -> Void
    ) {
        change(
            instant, line.appID, period.productID, period.country, period.value(by: lengths)?.currency, nanos: nanos,
            body)
    }
}
