// SPDX-License-Identifier: Apache-2.0

/// How a life ends, and begins again.
extension LifeWriter {
    mutating func end(_ step: AppStoreStep, _ last: Period) {
        switch step {
        case .voluntary: expire(.voluntary, at: instant(in: last, from: 200, to: 900))
        case .priceRefused:
            consent(.pending, at: instant(in: last, from: 100, to: 300))
            expire(.price, at: last.expiresAt)
        case .productGone: expire(.product, at: last.expiresAt)
        case .unknownEnd: expire(.unknown, at: last.expiresAt)
        case .refundOfCurrent: refund(last, .full)
        case .proratedRefundOfCurrent: refund(last, .prorated(percentage: random.pick(50_000, 25_000, 80_123)))
        case .familyRevoked: refund(last, .familyRevoke)
        case .retryCancelled:
            let at = last.expiresAt + random.days(2...30)
            fail(.cancelled(at: at))
            switchAutoRenew(false, at: at)
        default:
            let at = last.expiresAt + 60 * CivilTime.day
            fail(.givenUp(at: at), graceEndsAt: step == .graceLost ? last.expiresAt + product.appStoreGrace : nil)
            switchAutoRenew(false, at: at)
        }
    }

    /// The newest period is the last one, for the store's reason.
    mutating func expire(_ intent: Ending.Intent, at instant: Int64) {
        switchAutoRenew(false, at: instant)
        amend { $0.ending = .expires(intent) }
    }

    /// The payment that was due at the end of the newest period fails.
    mutating func fail(_ outcome: Ending.BillingTrouble.Outcome, graceEndsAt: Int64? = nil) {
        amend { $0.ending = .billing(.init(graceEndsAt: graceEndsAt, outcome: outcome)) }
    }

    /// The newest period is taken away, and renews no more.
    mutating func refund(_ extent: Refund.Extent, reason: Int, at instant: Int64) {
        amend { $0.refund = Refund(at: instant, extent: extent, reason: reason) }
        switchAutoRenew(false, at: instant)
    }

    private mutating func refund(_ last: Period, _ extent: Refund.Extent) {
        let latest = min(instant(in: last, perMille: 900), last.purchasedAt + setting.refundLimit)
        let at = random.duration(from: last.purchasedAt + CivilTime.hour, to: latest)
        refund(extent, reason: extent == .familyRevoke ? 0 : random.pick(0, 1), at: at)
    }

    /// Comes back after the end, under the same original transaction id.
    mutating func comeBack(_ step: AppStoreStep) {
        guard let ended = endedAt else { return }
        let instant = ended + random.days(step == .lateRepurchase ? 62...80 : 3...70)
        guard instant <= setting.horizon else { return }
        mark(step)
        if setting.ownership == .purchased, product.groupID == Product.monthly.groupID, random.chance(perMille: 300) {
            product = random.pick(.monthly, .weekly, .premiumMonthly)
        }
        switchAutoRenew(true, at: instant)
        renews(into: product, at: instant)
        if !life.priceConsent.isEmpty { consent(nil, at: instant) }
        var entry = Entry(.purchase, at: instant)
        (entry.offer, entry.share) = terms(of: step)
        add(entry)
    }

    /// When the store ended it, or nil while it goes on.
    private var endedAt: Int64? {
        if let refund = current.lastingRefund { return refund.at }
        switch current.ending {
        case .goesOn: return nil
        case .expires: return current.expiresAt
        case .billing(let trouble):
            switch trouble.outcome {
            case .recovers: return nil
            case .givenUp(let at), .cancelled(let at): return at
            }
        }
    }
}
