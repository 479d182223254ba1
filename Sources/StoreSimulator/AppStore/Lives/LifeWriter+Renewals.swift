// SPDX-License-Identifier: Apache-2.0

extension LifeWriter {
    /// The next period, bought up to a day before the old one ends and beginning where that ends.
    mutating func renew(under terms: (offer: Offer?, share: Int64) = (nil, 1_000)) {
        guard let old = current else { return }
        let lead = random.duration(from: CivilTime.hour, to: leadLimit(of: old))
        var entry = Entry(.renewal, at: old.expiresAt, shownAt: old.expiresAt - lead)
        (entry.offer, entry.share) = terms
        add(entry)
    }

    /// The next period, dated some hours before the old expiry and ending where it would have ended anyway.
    mutating func renewEarly() {
        guard let old = current else { return }
        let purchasedAt = old.expiresAt - random.duration(from: CivilTime.hour, to: 6 * CivilTime.hour)
        add(Entry(.renewal, at: purchasedAt, until: product.term.after(old.expiresAt)))
    }

    /// The next period, a few minutes late.
    mutating func renewAfterGap() {
        guard let old = current else { return }
        let purchasedAt = old.expiresAt + random.duration(from: 30 * CivilTime.second, to: 4 * CivilTime.minute)
        add(Entry(.renewal, at: purchasedAt))
    }

    /// The next period, so much late: meanwhile the store says that it renews itself, and nothing else.
    mutating func renew(late delay: Int64) {
        guard let old = current else { return }
        let purchasedAt = old.expiresAt + delay
        add(Entry(.renewal, at: purchasedAt))
    }

    /// Plain renewals to the horizon.
    mutating func renewToTheHorizon() {
        while !reachesHorizon { renew() }
    }

    /// Auto-renew off and on again before the expiry.
    mutating func waver() {
        guard let old = current else { return }
        let off = instant(in: old, from: 200, to: 400)
        switchAutoRenew(false, at: off)
        switchAutoRenew(true, at: instant(in: old, from: 500, to: 700))
        renew()
    }

    /// The price goes up, the customer is asked and agrees.
    mutating func agreeToPrice() {
        guard let old = current else { return }
        consent(.pending, at: instant(in: old, from: 100, to: 300))
        consent(.agreed, at: instant(in: old, from: 400, to: 700))
        markup = markup * 115 / 100
        renew()
        if let new = current { consent(nil, at: new.createdAt) }
    }

    /// Renews, and on another device the new period comes back under another transaction id.
    mutating func restore() {
        renew()
        guard let period = current else { return }
        let at = instant(in: period, from: 200, to: 600)
        let identifier = identifiers.transaction()
        amend { $0.restores = [.init(at: at, identifier)] }
    }

    /// Another product is chosen for the next period, and the old one again before it begins.
    mutating func changeAndUndo() {
        guard let old = current else { return }
        let (first, last) = (instant(in: old, from: 200, to: 400), instant(in: old, from: 500, to: 700))
        wavers(towards: product == .monthly ? .yearly : .monthly, from: first, to: last)
        renew()
    }

    /// Another product from the next period on.
    mutating func change(to next: Product) {
        guard let old = current else { return }
        renews(into: next, at: instant(in: old, from: 300, to: 800))
        renew()
    }

    /// A dearer product at once: the running period is superseded.
    mutating func upgrade(to next: Product) {
        guard let old = current else { return }
        let at = instant(in: old, from: 200, to: 800)
        amend { $0.upgradedAt = at }
        renews(into: next, at: at)
        add(Entry(.purchase, at: at))
    }

    /// The payment fails and succeeds some days later, outside any grace: a new billing date.
    mutating func recoverFromRetry(afterGrace: Bool) {
        guard let old = current else { return }
        let graceEndsAt = afterGrace ? old.expiresAt + product.appStoreGrace : nil
        amend { $0.ending = .billing(.init(graceEndsAt: graceEndsAt, outcome: .recovers)) }
        let earliest = (graceEndsAt ?? old.expiresAt) + 2 * CivilTime.day
        let paidAt = random.duration(from: earliest, to: old.expiresAt + 55 * CivilTime.day)
        add(Entry(.renewal, at: paidAt))
    }

    /// The payment fails and succeeds within the grace: the billing date stays.
    mutating func recoverInGrace() {
        guard let old = current else { return }
        let graceEndsAt = old.expiresAt + product.appStoreGrace
        amend { $0.ending = .billing(.init(graceEndsAt: graceEndsAt, outcome: .recovers)) }
        let latest = product.appStoreGrace * 3 / 4
        let paidAt = old.expiresAt + random.duration(from: 2 * CivilTime.hour, to: latest)
        add(Entry(.renewal, at: paidAt, until: product.term.after(old.expiresAt)))
    }

    /// An instant of a period, in thousandths of its length, on a whole second.
    func instant(in period: Period, perMille part: Int64) -> Int64 {
        let offset = (period.expiresAt - period.purchasedAt) / 1_000 * part
        return period.purchasedAt + offset / CivilTime.second * CivilTime.second
    }

    /// A random instant of a period between two thousandths of its length.
    mutating func instant(in period: Period, from first: Int64, to last: Int64) -> Int64 {
        let (lower, upper) = (instant(in: period, perMille: first), instant(in: period, perMille: last))
        return random.duration(from: lower, to: upper)
    }

    /// The longest time before the expiry at which the renewal may appear: a day, less in short periods.
    private func leadLimit(of period: Period) -> Int64 {
        min(CivilTime.day, max(2 * CivilTime.hour, (period.expiresAt - period.purchasedAt) / 8))
    }
}
