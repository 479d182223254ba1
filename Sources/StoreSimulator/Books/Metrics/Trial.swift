// SPDX-License-Identifier: Apache-2.0

/// An unbroken time for nothing before a lineage's first payment.
struct Trial {
    enum Outcome {
        case converted(isRefunded: Bool)
        case pending, ended

        var isConverted: Bool { if case .converted = self { true } else { false } }
    }

    var start: Int64
    var end: Int64
    var productID: String
    /// Of its first free period.
    var country: String?
    /// The one that runs last.
    var subscriptionID: String
}

extension Lineage {
    func trials() -> [Trial] {
        var trials: [Trial] = []
        for period in trialPeriods {
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

    func outcome(of trial: Trial, in state: BookedSubscription.State?, at now: Int64) -> Trial.Outcome {
        if let firstPaid, firstPaid.start >= trial.start, firstPaid.start <= trial.end + CivilTime.day {
            return .converted(isRefunded: firstPaid.isRefunded)
        }
        let isNewest = !segments.flatMap(\.pieces).contains { $0.start > trial.end }
        let isOver = [.expired, .revoked, .billingRetry, .paused].contains(state ?? .unverified)
        return trial.end > now || (isNewest && !isOver) ? .pending : .ended
    }
}
