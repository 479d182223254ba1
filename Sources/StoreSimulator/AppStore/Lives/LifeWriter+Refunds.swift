// SPDX-License-Identifier: Apache-2.0

/// Money given back while the subscription goes on.
extension LifeWriter {
    /// Renews, and has the period before refunded while the new one runs.
    mutating func refundOlder(_ extent: Refund.Extent) {
        renew()
        guard let (earliest, latest) = timeForRefundOfOlder(), latest > earliest else { return }
        refundPrevious(extent, at: random.duration(from: earliest, to: latest))
    }

    /// The same, and days later the store says something else of it: nothing was given back after all, on another day, or
    /// more or less of it.
    mutating func refundOlderTwice(_ step: AppStoreStep) {
        renew()
        guard let (earliest, latest) = timeForRefundOfOlder(), latest > earliest + 4 * CivilTime.hour else { return }
        let middle = earliest + (latest - earliest) / 2
        let at = random.duration(from: earliest, to: middle - 2 * CivilTime.hour)
        let changedAt = random.duration(from: middle, to: latest)
        let extent: Refund.Extent = step == .refundOfOlderReversed ? .full : .prorated(percentage: 40_000)
        refundPrevious(extent, at: at)
        amendPrevious { period in
            guard var refund = period.refund else { return }
            switch step {
            case .refundMoved: refund.at = changedAt - CivilTime.hour
            case .refundRaised: refund.extent = .prorated(percentage: 65_000)
            case .refundLowered: refund.extent = .prorated(percentage: 15_015)
            default: break
            }
            period.refundChanges = [.init(at: changedAt, step == .refundOfOlderReversed ? nil : refund)]
        }
    }

    /// The running period is refunded and taken away, given back again some days later, and renews.
    mutating func refundAndReverse() {
        guard let period = current else { return }
        let at = instant(in: period, from: 100, to: 300)
        let reversedAt = instant(in: period, from: 500, to: 700)
        let reason = random.pick(0, 1)
        amend { $0.refund = Refund(at: at, extent: .full, reason: reason) }
        amend { $0.refundChanges = [.init(at: reversedAt, nil)] }
        switchAutoRenew(false, at: at)
        switchAutoRenew(true, at: reversedAt)
        renew()
    }

    /// Money is asked back, and the store declines.
    mutating func declineRefund() {
        guard let period = current else { return }
        let at = instant(in: period, from: 200, to: 800)
        amend { $0.refundDeclinedAt = at }
        renew()
    }

    private mutating func refundPrevious(_ extent: Refund.Extent, at instant: Int64) {
        let reason = random.pick(0, 1)
        amendPrevious { $0.refund = Refund(at: instant, extent: extent, reason: reason) }
    }

    /// While the new period runs, and not too long after the old one's charge.
    private func timeForRefundOfOlder() -> (earliest: Int64, latest: Int64)? {
        guard let old = life.periods.dropLast().last, let new = current else { return nil }
        return (
            max(old.expiresAt, new.purchasedAt) + CivilTime.hour,
            min(old.purchasedAt + setting.refundLimit, instant(in: new, perMille: 900))
        )
    }
}
