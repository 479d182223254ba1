// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// Walks a timeline in its order and says what each period is in it.
///
/// `trial` is a free offer. `purchase` is the first paid period; a zero-price period that is no free offer (a code for
/// the whole price) is booked by its position like any other, so a timeline may open with a zero-price `purchase` and have
/// its first paid one later, which is then `purchase` too and never a trial's conversion. What follows on is `renewal`
/// or, with another product, a change of plan; after a lapse it is `resubscribe`.
///
/// The place of a period follows from the timeline alone, wherever the timeline shows it. Where only memory does (a gap that
/// the store spent waiting for the payment), the kind that was booked stays.
struct TransactionClassifier {
    /// What is known beyond the timeline itself.
    struct Memory {
        /// The store was waiting for a payment when it was last asked.
        var wasAwaitingPayment = false
        /// The timeline holds all we know; false for a subscription seen in the answer of another one.
        var isWhole = true
        /// The timeline continues that of an earlier purchase, whether or not this answer shows that one's periods.
        var isLinked = false
        /// The store's refund of a period ends it, whatever comes next.
        var refundsEndPeriods = false
        /// Level of service by product and base plan, 1 the highest.
        var levels: ProductLevels = [:]
    }

    struct Place: Hashable {
        var kind: TransactionKind
        var isTrialConversion = false
    }

    let memory: Memory
    private var previous: TimelinePeriod?
    /// The rows before it of the same period: that one ends when all of its rows have.
    private var besidePrevious: [TimelinePeriod] = []
    private var hasPaid = false
    private var hasRegular = false
    /// The furthest effective end so far, the previous period's apart.
    private var reach: Instant?

    init(memory: Memory) { self.memory = memory }

    /// `isFirstSeen`: all before it was known, and it is the first that was not.
    mutating func place(_ period: TimelinePeriod, isFirstSeen: Bool) -> Place {
        let isBeside = previous.map { period.isBeside($0) } ?? false
        if let previous, !isBeside { end(previous, before: period) }
        let place = classified(period, isBeside: isBeside, isFirstSeen)
        // A timeline that opens with a change of plan follows on an older purchase that was paid and is not in this answer:
        // its own first period may have cost nothing (Play's prorations).
        let followsOnPaid = previous == nil && memory.isLinked && period.known?.kind.isChangeOfPlan == true
        if isBeside, let previous { besidePrevious.append(previous) }
        previous = period
        hasPaid = hasPaid || period.isPaid || followsOnPaid
        hasRegular = hasRegular || !period.isFree
        return place
    }

    private mutating func end(_ previous: TimelinePeriod, before period: TimelinePeriod) {
        extendReach(to: previous, before: period)
        guard !besidePrevious.isEmpty else { return }
        for row in besidePrevious { extendReach(to: row, before: period) }
        besidePrevious = []
    }

    private mutating func extendReach(to row: TimelinePeriod, before period: TimelinePeriod) {
        let end = row.effectiveEnd(before: period, refundsEndPeriods: memory.refundsEndPeriods)
        reach = max(reach ?? .distantPast, end)
    }

    private func classified(_ period: TimelinePeriod, isBeside: Bool, _ isFirstSeen: Bool) -> Place {
        if let kind = period.known?.kind, kind == .topUp || kind == .oneTime { return Place(kind: kind) }
        if period.observed?.isPrepaid == true { return Place(kind: .topUp) }
        if period.isFree { return Place(kind: .trial) }
        guard let previous else { return opening(period) }
        let continues = isBeside || continues(period, isFirstSeen)
        if period.isPaid ? !hasPaid : !hasRegular {
            return Place(kind: .purchase, isTrialConversion: period.isPaid && previous.isFree && continues)
        }
        guard continues else { return Place(kind: .resubscribe) }
        guard ProductChange.isOne(from: previous, to: period) else { return Place(kind: .renewal) }
        return Place(kind: ProductChange.kind(from: previous, to: period, levels: memory.levels))
    }

    /// The first period we know of.
    ///
    /// Where others may have come before it, the store's word counts.
    private func opening(_ period: TimelinePeriod) -> Place {
        // Placed once behind the purchase it continues, which later answers need not show.
        if memory.isLinked, let known = period.known {
            return Place(kind: known.kind, isTrialConversion: known.isTrialConversion)
        }
        return Place(kind: !memory.isWhole && period.observed?.hint == .renewal ? .renewal : .purchase)
    }

    private func continues(_ period: TimelinePeriod, _ isFirstSeen: Bool) -> Bool {
        guard let reach, period.start - reach > Rules.continuousGap else { return true }
        if let hint = period.observed?.hint { return hint == .renewal }
        switch period.known {
        case .some(let known) where known.kind == .resubscribe: return false
        case .some(let known) where known.kind == .purchase: return known.isTrialConversion
        case .some: return true
        case nil: return isFirstSeen && memory.wasAwaitingPayment
        }
    }
}

extension TransactionKind {
    fileprivate var isChangeOfPlan: Bool { self == .upgrade || self == .downgrade || self == .crossgrade }
}
