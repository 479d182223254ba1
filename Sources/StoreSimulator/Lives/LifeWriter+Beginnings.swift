// SPDX-License-Identifier: Apache-2.0

extension LifeWriter {
    /// The first purchase.
    mutating func begin(_ chapter: Chapter, at instant: Int64) {
        mark(chapter)
        var entry = Entry(createdAt: instant, purchasedAt: instant, reason: .purchase)
        switch chapter {
        case .freeTrial:
            entry.offer = Offer(.introductory, .freeTrial, term: product.trial)
        case .payAsYouGo:
            entry.offer = Offer(.introductory, .payAsYouGo, term: product.term)
            entry.share = 400
        case .payUpFront:
            entry.offer = Offer(.introductory, .payUpFront, term: product.term)
            entry.share = 600
        case .codeTrial:
            entry.offer = Offer(.code, .freeTrial, identifier: "FRIENDS", term: product.trial)
        case .commitment:
            entry.commitment = newCommitment(at: instant)
        case .offerCodeFirst:
            entry.offer = Offer(.code, .payUpFront, identifier: "WELCOME25", term: product.term)
            entry.share = 750
        case .zeroPriceCode:
            entry.offer = Offer(.code, .payUpFront, identifier: "PRESS100", term: product.term)
            entry.share = 0
        default:
            break
        }
        add(entry)
    }

    /// Comes back after the end, under the same original transaction id.
    mutating func comeBack(_ chapter: Chapter) {
        guard let ended = endedAt else { return }
        let days: ClosedRange<Int64> = chapter == .lateRepurchase ? 62...80 : 3...70
        let pause = random.duration(from: days.lowerBound * CivilTime.day, to: days.upperBound * CivilTime.day)
        let instant = ended + pause
        guard instant <= setting.horizon else { return }
        mark(chapter)
        if setting.ownership == .purchased, product.groupID == Product.monthly.groupID, random.chance(perMille: 300) {
            product = random.pick(.monthly, .weekly, .premiumMonthly)
        }
        switchAutoRenew(true, at: instant)
        renews(into: product, at: instant)
        if !life.priceConsent.isEmpty { consent(nil, at: instant) }
        var entry = Entry(createdAt: instant, purchasedAt: instant, reason: .purchase)
        switch chapter {
        case .winBack:
            entry.offer = Offer(.winBack, .payAsYouGo, identifier: "comeback.half", term: product.term)
            entry.share = 500
        case .winBackUpFront:
            entry.offer = Offer(.winBack, .payUpFront, identifier: "comeback.third", term: product.term)
            entry.share = 660
        case .winBackFree:
            entry.offer = Offer(.winBack, .freeTrial, identifier: "comeback.free", term: product.trial)
        default: break
        }
        add(entry)
    }

    /// When the store ended it, or nil while it goes on.
    private var endedAt: Int64? {
        guard let current else { return nil }
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
