// SPDX-License-Identifier: Apache-2.0

extension LifeWriter {
    /// What may come next when no theme says so, in parts of 1,000; the rest are plain renewals.
    private static let odds: [(Chapter, Int64)] = [
        (.earlyRenewal, 20), (.smallGap, 25), (.offThenOn, 20), (.promotionalOffer, 15), (.offerCodeRenewal, 10),
        (.voluntary, 45), (.priceRefused, 4), (.productGone, 3), (.unknownEnd, 3), (.retryRecovered, 15),
        (.retryLost, 12), (.retryCancelled, 6), (.graceRecovered, 15), (.graceThenRetryRecovered, 10),
        (.graceLost, 10), (.refundOfCurrent, 10), (.refundOfOlder, 10), (.proratedRefundOfOlder, 8), (.upgrade, 15),
        (.downgradeAtRenewal, 20), (.crossgradeAtRenewal, 8), (.downgradeUndone, 12), (.priceAgreed, 6), (.restored, 8),
        (.promotionalFree, 4), (.promotionalUpFront, 4), (.codeAsYouGo, 4), (.refundOfOlderReversed, 4),
        (.refundMoved, 3), (.refundRaised, 3), (.refundLowered, 3), (.refundReversed, 4), (.refundDeclined, 4),
        (.proratedRefundOfCurrent, 8), (.familyRevoked, 30),
    ]

    /// Writes the rest of the life: the theme's chapters first, then whatever chance brings.
    mutating func write(_ planned: [Chapter]) {
        var planned = planned[...]
        while !reachesHorizon {
            let chapter = planned.popFirst() ?? chapterByChance()
            if chapter.isReturn { continue }
            guard play(chapter).isEnd else { continue }
            guard let again = planned.popFirst() ?? returnByChance() else { return }
            let count = life.periods.count
            comeBack(again)
            guard life.periods.count > count else { return }
        }
    }

    private mutating func chapterByChance() -> Chapter {
        var ticket = random.value(in: 0...999)
        for (chapter, parts) in Self.odds {
            if ticket < parts { return chapter }
            ticket -= parts
        }
        return .renewal
    }

    private mutating func returnByChance() -> Chapter? {
        guard random.chance(perMille: 250) else { return nil }
        return random.pick(
            .repurchase, .repurchase, .repurchase, .lateRepurchase, .winBack, .winBackFree, .winBackUpFront)
    }
}
