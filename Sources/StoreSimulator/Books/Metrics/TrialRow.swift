// SPDX-License-Identifier: Apache-2.0

/// What became of the trials of an app and a product that started on one day (UTC).
package struct TrialRow: Hashable, Sendable {
    /// `yyyy-mm-dd`.
    package var date: String
    package var appID: String
    package var productID: String
    package var started = 0
    /// Paid by the trial's end, its grace included.
    package var converted = 0
    /// Of the converted, those whose first paid period was given back, in part or whole.
    package var refunded = 0
    package var pending = 0
    package var ended = 0
}

extension MetricBooks {
    /// Trials by the day of their start, through that date.
    package func trials(through date: String) -> [TrialRow] {
        var rows: [TrialRow: TrialRow] = [:]
        for line in lineages {
            for trial in line.trials() {
                let day = CivilTime.date(ofDay: CivilTime.dayNumber(of: trial.start))
                guard day <= date else { continue }
                let outcome = line.outcome(of: trial, in: subscriptions[trial.subscriptionID]?.state, at: now)
                let empty = TrialRow(date: day, appID: line.appID, productID: trial.productID)
                rows[empty, default: empty].count(outcome)
            }
        }
        return Array(rows.values)
    }
}

/// An unbroken time for nothing before a lineage's first payment.
struct Trial {
    var start: Int64
    var end: Int64
    var productID: String
    /// Of its first free period.
    var country: String?
    /// The one that runs last.
    var subscriptionID: String
}

enum TrialOutcome {
    case converted(isRefunded: Bool)
    case pending, ended
}

extension Lineage {
    func trials() -> [Trial] {
        var trials: [Trial] = []
        for period in free where period.isTrial && !period.isOfferedToTheKnown {
            if let firstPaid, firstPaid.start <= period.start { break }
            if let last = trials.indices.last, period.start <= trials[last].end + CivilTime.day {
                trials[last].end = max(trials[last].end, period.coveredUntil)
                trials[last].subscriptionID = period.subscriptionID
            } else {
                trials.append(
                    Trial(
                        start: period.start, end: period.coveredUntil, productID: period.productID,
                        country: period.country, subscriptionID: period.subscriptionID))
            }
        }
        return trials
    }

    func outcome(of trial: Trial, in state: BookedSubscription.State?, at now: Int64) -> TrialOutcome {
        if let firstPaid, firstPaid.start >= trial.start, firstPaid.start <= trial.end + CivilTime.day {
            return .converted(isRefunded: firstPaid.isRefunded)
        }
        let isNewest = !segments.flatMap(\.pieces).contains { $0.start > trial.end }
        let isOver = [.expired, .revoked, .billingRetry, .paused].contains(state ?? .unverified)
        return trial.end > now || (isNewest && !isOver) ? .pending : .ended
    }
}

extension TrialRow {
    fileprivate mutating func count(_ outcome: TrialOutcome) {
        started += 1
        switch outcome {
        case .converted(let isRefunded):
            converted += 1
            refunded += isRefunded ? 1 : 0
        case .pending: pending += 1
        case .ended: ended += 1
        }
    }
}
