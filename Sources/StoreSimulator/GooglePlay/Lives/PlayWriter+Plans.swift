// SPDX-License-Identifier: Apache-2.0

extension PlayWriter {
    /// Another purchase takes the place of the running one, and what is left of that is paid back in one of the store's
    /// ways.
    ///
    /// - Parameter isLate: when little is left: of a year's change at its beginning the store would have forgotten.
    mutating func replace(by next: Product, _ mode: PlayReplacement.Mode, isLate: Bool = false) {
        let at = isLate ? instant(from: 940, to: 980) : instant(from: 200, to: 700)
        let (end, rest) = (serviceEnd, serviceEnd - at)
        let (old, new) = (recurringPrice(of: product), setting.market.playPrice(of: next))
        let worth = time(for: rest, worth: product.term.monthlyValue(of: old), at: next.term.monthlyValue(of: new))
        var charge = Charge(processedAt: at, start: at, end: end, phase: .proration, share: 0, mayRunLate: false)
        switch mode {
        case .timeProration: charge.end = at + max(worth, 26 * CivilTime.hour)
        case .proratedPrice:
            let units = (new - old) / setting.market.smallestUnit * (rest / CivilTime.hour) / 744
            // Where the tax comes on top, it is a whole number of units of what is shown.
            let step: Int64 = setting.market.isTaxInclusive ? 1 : 25
            charge.shownMicros = units / step * step * setting.market.smallestUnit
        case .withoutProration, .deferred, .keepExisting: break
        case .fullPrice: charge = Charge(processedAt: at, start: at, end: next.term.after(at) + worth)
        }
        succeed(by: next, at: at, mode, charge)
    }

    /// How long the worth of that time lasts at another price, in whole seconds.
    private func time(for rest: Int64, worth old: Int64, at new: Int64) -> Int64 {
        rest / CivilTime.second * (old / 1_000_000) / max(new / 1_000_000, 1) * CivilTime.second
    }

    /// From a plan that renews itself to one that is paid in advance, or back.
    mutating func change(toPrepaid isPrepaid: Bool) {
        let (at, next) = (instant(from: 300, to: 700), isPrepaid ? Product.prepaidMonthly : .premiumMonthly)
        let charge = Charge(processedAt: at, start: at, end: next.term.after(at), mayRunLate: !isPrepaid)
        succeed(by: next, at: at, .fullPrice, charge, isPrepaid: isPrepaid)
    }

    /// Nobody hands it in: it is found through the one that takes its place. That it went on with another's payment
    /// shows only while it does, so such a one is handed in.
    mutating func hideNewest() {
        let runsOn = tokens.dropLast().contains { $0.carriedOnBy == tokens.last?.token }
        if !runsOn { amend { $0.isRegistered = false } }
    }

    private mutating func succeed(
        by next: Product, at instant: Int64, _ mode: PlayReplacement.Mode, _ charge: Charge, isPrepaid: Bool = false
    ) {
        let (old, replaced) = (tokens.last?.token, product)
        expire(at: instant, until: instant, by: .replacement)
        if !setting.isReadByV1, random.chance(perMille: 200) { hideNewest() }
        product = next
        open(at: instant, linkedTo: old) {
            $0.isPrepaid = isPrepaid
            $0.replacement = PlayReplacement(mode: mode, product: replaced)
        }
        pay(charge)
    }

    /// Another purchase takes the place of the running one and goes on with what was paid there: its items name orders that
    /// are not its own.
    mutating func carryOn(at instant: Int64, _ replacement: PlayReplacement) {
        let (running, share, old) = (paid, priceShare, tokens.count - 1)
        expire(at: instant, until: instant, by: .replacement)
        if random.chance(perMille: 200) { hideNewest() }
        open(at: instant, linkedTo: tokens[old].token) { $0.replacement = replacement }
        tokens[old].carriedOnBy = tokens.last?.token
        (paid, priceShare) = (running, share)
    }

    /// An add-on until the renewal, bought together with what is there already: a new purchase, in which that is kept.
    mutating func buyAddOnAnew() {
        let at = instant(from: 200, to: 500)
        carryOn(at: at, PlayReplacement(mode: .keepExisting, product: product))
        addOn(from: at)
    }

    /// An add-on from now until the renewal, for half of its price, under a number of its own.
    mutating func buyAddOn() {
        addOn(from: instant(from: 200, to: 500))
    }

    private mutating func addOn(from at: Int64) {
        var order = order(
            Charge(processedAt: at, start: at, end: serviceEnd, phase: .proration, share: 500), of: [.addonMonthly])
        order.processedAt = at
        addOnOrder = order
        amend { $0.orders.append(order) }
        stand(.active, at: at, until: expiry)
        hasAddOn = true
        renew()
    }

    /// The add-on goes with the end of the period.
    mutating func removeAddOn() {
        stand(.active, at: instant(from: 300, to: 600), until: expiry) { moment in
            for index in moment.items.indices where moment.items[index].product == .addonMonthly {
                moment.items[index].isToBeRemoved = true
            }
        }
        hasAddOn = false
        renew()
    }

    /// Leaves, but has promised payments: they go on, and only then it ends.
    mutating func leaveInstalments() {
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
