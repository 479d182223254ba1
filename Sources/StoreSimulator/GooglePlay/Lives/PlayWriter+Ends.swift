// SPDX-License-Identifier: Apache-2.0

/// How a purchase ends.
extension PlayWriter {
    mutating func end(_ step: PlayStep) {
        let end = serviceEnd
        switch step {
        case .voluntary, .developerCancelled:
            let at = instant(from: 200, to: 900)
            let whom = step == .voluntary ? PlayMoment.Cancellation.user(at: at) : .developer
            cancel(at: at, by: whom)
            expire(at: end, until: end, by: whom)
        case .refundOfCurrent: revoke(isChargeback: false)
        case .chargeback: revoke(isChargeback: true)
        // Access is taken away at once, and half of the money given back: only a part, so the store's word stays the reason.
        case .proratedRevoke:
            let at = instant(from: 300, to: 600)
            amendNewestOrder { $0.refund($0.totalMicros / 2, tax: $0.taxMicros / 2, at: at, requestedAt: at) }
            expire(at: at, until: at, by: .developer)
        // The app never said that it got the purchase: after three days the store takes it back.
        case .unacknowledged:
            let at = present + 3 * CivilTime.day
            amend { $0.isAcknowledged = false }
            amendNewestOrder {
                $0.refund(at: at, requestedAt: at)
                $0.void = PlayOrder.Void(at: at, seenAt: at + 6 * CivilTime.hour, source: 2, reason: 8)
            }
            expire(at: at, until: at, by: .system)
        case .optInRefused, .stepUpRefused: changePrice(step)
        case .instalmentsCancelled: leaveInstalments()
        case .prepaidLapsed: expire(at: end, until: end, by: nil)
        case .silentGraceLost:
            let over = end + 48 * CivilTime.hour
            let declined = decline(at: expiry, until: over)
            expire(at: over, until: end, by: .system, declined: declined)
        default: losePayment(step)
        }
    }

    mutating func cancel(at instant: Int64, by whom: PlayMoment.Cancellation) {
        stand(.canceled, at: instant, until: serviceEnd, renews: false) { $0.cancellation = whom }
    }

    mutating func expire(
        at instant: Int64, until expiry: Int64, by whom: PlayMoment.Cancellation?, declined: String? = nil
    ) {
        stand(.expired, at: instant, until: expiry, renews: false) {
            $0.cancellation = whom
            $0.declinedOrderID = declined
        }
    }

    /// The running order is given back and access taken away at once.
    private mutating func revoke(isChargeback: Bool) {
        let latest = min(instant(from: 600, to: 600), present + 50 * CivilTime.day)
        let at = present + random.duration(from: CivilTime.minute, to: latest - present)
        let seenAt = at + random.hours(1...12)
        amendNewestOrder {
            $0.refund(at: at, requestedAt: at, isChargeback: isChargeback)
            $0.void = PlayOrder.Void(
                at: at, seenAt: seenAt, source: isChargeback ? 2 : 1, reason: isChargeback ? 7 : 1)
        }
        expire(at: at, until: at, by: isChargeback ? .system : .developer)
    }

    /// Leaves, but has promised payments: they go on, and only then it ends.
    private mutating func leaveInstalments() {
        let at = instant(from: 200, to: 400)
        instalments?.isCancellationPending = true
        stand(.active, at: at, until: expiry)
        while let left = instalments?.remaining, left > 0 {
            guard !reachesHorizon else { return }
            renew()
        }
        let (end, off) = (serviceEnd, instant(from: 600, to: 800))
        cancel(at: off, by: .user(at: at))
        expire(at: end, until: end, by: .user(at: at))
    }
}
