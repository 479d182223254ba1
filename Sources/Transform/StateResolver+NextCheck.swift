// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

extension StateResolver {
    /// The check its state asks for, or the refund watch, the look for a row that was set aside, or that for an order that is
    /// not settled, where that comes first.
    func nextCheck(refundWatchDays days: [Int64], awaited: NextCheck? = nil) -> NextCheck {
        let regular = subject.hasMoreHistory ? Self.sooner(regularCheck, than: now + NextCheck.night) : regularCheck
        let watched = Self.earlier(regular, refundWatch(days), for: .refundWatch)
        let check = Self.earlier(watched, setAside.compactMap(\.nextLook).min(), for: .setAside)
        guard let awaited, let at = awaited.at, check.at.map({ at < $0 }) ?? true else { return check }
        return awaited
    }

    private static func earlier(_ check: NextCheck, _ other: Instant?, for reason: NextCheck.Reason) -> NextCheck {
        guard let other else { return check }
        if let at = check.at, at < other { return check }
        return NextCheck(at: other, reason: reason)
    }

    /// A history that was not read to its end is read on the next night, whatever the state asks for.
    private static func sooner(_ check: NextCheck, than night: Instant) -> NextCheck {
        check.at.map { $0 <= night } ?? false ? check : NextCheck(at: night, reason: .nightly)
    }

    /// A value that is not understood is asked about again the next night, also of what had ended.
    private var regularCheck: NextCheck {
        guard status.state != nil else { return NextCheck(at: now + NextCheck.night, reason: .nightly) }
        return NextCheck.after(
            NextCheck.Situation(
                store: store, state: state, autoRenew: status.autoRenew, expiresAt: expiresAt,
                effectiveEnd: unpaidEnd, resumesAt: status.resumesAt, periodStart: timeline.began?.start,
                registeredAt: subject.due?.registeredAt),
            now: now)
    }

    /// The next look at a charge; what somebody else pays is none of the subscription's.
    ///
    /// Charges that this answer showed, or whose history was read on, have been looked at now; for the others a look
    /// that fell due since the last check is still to come.
    private func refundWatch(_ days: [Int64]) -> Instant? {
        guard !days.isEmpty, subject.environment == .production else { return nil }
        let readsAll = subject.due?.wantsHistory ?? false
        let looksBack = RefundWatch.days(days, isGivenBack: true, in: store)
        var next: Instant?
        for period in timeline.periods where period.isPaid && !(period.isGivenBack && looksBack.isEmpty) {
            let isSeen = readsAll || period.observed != nil
            let look = RefundWatch.next(
                charges: [period.purchasedAt], checkedAt: isSeen ? now : before.lastCheckedAt ?? now,
                days: period.isGivenBack ? looksBack : days)
            next = [next, look].compactMap(\.self).min()
        }
        return next
    }
}
