// SPDX-License-Identifier: Apache-2.0

extension LifeWriter {
    /// The next period, bought up to a day before the old one ends and beginning where that ends.
    mutating func renew(under terms: (offer: Offer?, share: Int64) = (nil, 1_000)) {
        let old = current
        let lead = random.duration(from: CivilTime.hour, to: leadLimit(of: old))
        var entry = Entry(.renewal, at: old.expiresAt, shownAt: old.expiresAt - lead)
        (entry.offer, entry.share) = terms
        add(entry)
    }

    /// The next period, so much late: meanwhile the store says that it renews itself, and nothing else.
    mutating func renew(late delay: Int64) {
        add(Entry(.renewal, at: current.expiresAt + delay))
    }

    mutating func renewToTheHorizon() {
        while !reachesHorizon { renew() }
    }

    /// An instant of a period, in thousandths of its length, on a whole second.
    func instant(in period: Period, perMille part: Int64) -> Int64 {
        let offset = (period.expiresAt - period.purchasedAt) / 1_000 * part
        return period.purchasedAt + offset / CivilTime.second * CivilTime.second
    }

    /// A random instant of a period between two thousandths of its length.
    mutating func instant(in period: Period, from first: Int64, to last: Int64) -> Int64 {
        random.duration(from: instant(in: period, perMille: first), to: instant(in: period, perMille: last))
    }

    /// The longest time before the expiry at which the renewal may appear: a day, less in short periods.
    private func leadLimit(of period: Period) -> Int64 {
        min(CivilTime.day, max(2 * CivilTime.hour, (period.expiresAt - period.purchasedAt) / 8))
    }
}
