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
        let instant = ended + random.duration(from: 3 * CivilTime.day, to: 70 * CivilTime.day)
        guard instant <= setting.horizon else { return }
        mark(chapter)
        if setting.ownership == .purchased, product.groupID == Product.monthly.groupID, random.chance(perMille: 300) {
            product = random.pick(.monthly, .weekly, .premiumMonthly)
        }
        switchAutoRenew(true, at: instant)
        renews(into: product, at: instant)
        var entry = Entry(createdAt: instant, purchasedAt: instant, reason: .purchase)
        if chapter == .winBack {
            entry.offer = Offer(.winBack, .payAsYouGo, identifier: "comeback.half", term: product.term)
            entry.share = 500
        }
        add(entry)
    }

    /// When the store ended it, or nil while it goes on.
    private var endedAt: Int64? {
        guard let current else { return nil }
        if let refund = current.refund { return refund.at }
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
