// SPDX-License-Identifier: Apache-2.0

/// Money given back while the subscription goes on.
extension LifeWriter {
    /// The next period, and what is given back of this one or of the one before it, where that is the step.
    mutating func refund(_ step: AppStoreStep, _ old: Period) {
        switch step {
        case .refundOfOlder: refundOlder(.full)
        case .proratedRefundOfOlder: refundOlder(.prorated(percentage: random.pick(40_000, 33_333, 62_500)))
        case .refundOfOlderReversed, .refundMoved, .refundRaised, .refundLowered: refundOlderTwice(step)
        // The running period is refunded and taken away, given back again some days later, and renews.
        case .refundReversed:
            let at = instant(in: old, from: 100, to: 300)
            let reversedAt = instant(in: old, from: 500, to: 700)
            refund(.full, reason: random.pick(0, 1), at: at)
            amend { $0.refundChanges = [.init(at: reversedAt, nil)] }
            switchAutoRenew(true, at: reversedAt)
            renew()
        case .refundDeclined:
            let at = instant(in: old, from: 200, to: 800)
            amend { $0.refundDeclinedAt = at }
            renew()
        default: renew(under: terms(of: step))
        }
    }

    /// Renews, and has the period before refunded while the new one runs.
    private mutating func refundOlder(_ extent: Refund.Extent) {
        renew()
        let (earliest, latest) = timeForRefundOfOlder
        guard latest > earliest else { return }
        let at = random.duration(from: earliest, to: latest)
        let reason = random.pick(0, 1)
        amend(before: 1) { $0.refund = Refund(at: at, extent: extent, reason: reason) }
    }

    /// The same, and days later the store says something else of it: nothing was given back after all, on another day, or
    /// more or less of it.
    private mutating func refundOlderTwice(_ step: AppStoreStep) {
        renew()
        let (earliest, latest) = timeForRefundOfOlder
        guard latest > earliest + 4 * CivilTime.hour else { return }
        let middle = earliest + (latest - earliest) / 2
        let at = random.duration(from: earliest, to: middle - 2 * CivilTime.hour)
        let changedAt = random.duration(from: middle, to: latest)
        let isReversed = step == .refundOfOlderReversed
        let refund = Refund(
            at: at, extent: isReversed ? .full : .prorated(percentage: 40_000), reason: random.pick(0, 1))
        var changed = refund
        switch step {
        case .refundMoved: changed.at = changedAt - CivilTime.hour
        case .refundRaised: changed.extent = .prorated(percentage: 65_000)
        case .refundLowered: changed.extent = .prorated(percentage: 15_015)
        default: break
        }
        amend(before: 1) {
            $0.refund = refund
            $0.refundChanges = [.init(at: changedAt, isReversed ? nil : changed)]
        }
    }

    /// While the new period runs, and not too long after the old one's charge.
    private var timeForRefundOfOlder: (earliest: Int64, latest: Int64) {
        let (old, new) = (life.periods[life.periods.count - 2], current)
        return (
            max(old.expiresAt, new.purchasedAt) + CivilTime.hour,
            min(old.purchasedAt + setting.refundLimit, instant(in: new, perMille: 900))
        )
    }
}
