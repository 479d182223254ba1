// SPDX-License-Identifier: Apache-2.0

/// A year's plan that is paid by the month.
extension LifeWriter {
    /// The first month of a commitment: a tenth dearer than the year at once.
    func newCommitment(at instant: Int64) -> Commitment {
        Commitment(
            number: 1, expiresAt: CivilTime.adding(months: Commitment.months, to: instant),
            priceMilliunits: setting.storefront.price(of: product) * 11 / 10)
    }

    /// Month by month to the horizon. `isCancelled`: the first year is the last, which shows in the commitment's own switch
    /// while its months go on being paid.
    mutating func writeCommitment(isCancelled: Bool) {
        if isCancelled, let first = current, let commitment = first.commitment {
            let length = commitment.expiresAt - first.purchasedAt
            let at = first.purchasedAt + length / 10 * random.value(in: 3...8) / CivilTime.second * CivilTime.second
            switchAutoRenew(false, at: at)
        }
        while !reachesHorizon, let old = current, let commitment = old.commitment {
            if commitment.isLast && isCancelled {
                amend { $0.ending = .expires(.voluntary) }
                return
            }
            let next = commitment.isLast ? newCommitment(at: old.expiresAt) : commitment.following
            let lead = random.duration(from: CivilTime.hour, to: CivilTime.day)
            add(
                Entry(
                    createdAt: old.expiresAt - lead, purchasedAt: old.expiresAt, reason: .renewal, commitment: next))
        }
    }
}

extension Commitment {
    fileprivate var following: Commitment {
        Commitment(number: number + 1, expiresAt: expiresAt, priceMilliunits: priceMilliunits)
    }
}
