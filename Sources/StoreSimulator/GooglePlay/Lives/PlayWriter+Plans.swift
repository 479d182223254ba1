// SPDX-License-Identifier: Apache-2.0

/// How another purchase takes the place of the running one, and what is added to one.
extension PlayWriter {
    /// The next period under another plan, or with another item; any other step is one of the money's.
    mutating func changePlan(_ step: PlayStep) {
        switch step {
        case .upgrade: replace(by: .premiumMonthly, at: instant(from: 200, to: 800))
        case .downgrade: replace(by: .monthly, at: instant(from: 200, to: 800))
        case .crossgrade: replace(by: product == .monthly ? .yearly : .monthly, at: instant(from: 200, to: 800))
        // Cancelled, and bought anew in the app before it ran out.
        case .resignup:
            let off = instant(from: 200, to: 400)
            cancel(at: off, by: .user(at: off))
            replace(by: product, at: instant(from: 500, to: 800))
        // A new purchase with the rest of the old one's time.
        case .topUp: replace(by: product, at: instant(from: 500, to: 800), until: product.term.after(serviceEnd))
        case .timeProration: replace(by: otherProduct, .timeProration)
        case .proratedPrice: replace(by: .premiumMonthly, .proratedPrice)
        case .withoutProration: replace(by: otherProduct, .withoutProration)
        case .creditedTime: replace(by: otherProduct, .fullPrice)
        case .planLengthened: replace(by: .plusYearly, .withoutProration)
        case .planLengthenedAtOnce: replace(by: .plusYearly, .fullPrice)
        case .planShortened: replace(by: .plusMonthly, .timeProration, isLate: true)
        case .prepaidToRenewing: change(toPrepaid: false)
        case .renewingToPrepaid: change(toPrepaid: true)
        case .downgradeDeferred: downgradeAtRenewal()
        // Until the renewal, for half of its price, under a number of its own.
        case .addOnBought: addOn(from: instant(from: 200, to: 500))
        // Together with what is there already: a new purchase, in which that is kept.
        case .addOnKept:
            let at = instant(from: 200, to: 500)
            carryOn(at: at, PlayReplacement(mode: .keepExisting, product: product))
            addOn(from: at)
        // With the end of the period.
        case .addOnRemoved:
            dropAddOn(at: instant(from: 300, to: 600)) { $0.isToBeRemoved = true }
        default: refund(step)
        }
    }

    private var otherProduct: Product { product == .premiumMonthly ? .monthly : .premiumMonthly }

    /// Another purchase takes the place of the running one at once, and is paid in full.
    private mutating func replace(by next: Product, at instant: Int64, until end: Int64? = nil) {
        let charge = Charge(
            processedAt: instant, start: instant, end: end ?? next.term.after(instant), mayRunLate: !newest.isPrepaid)
        succeed(by: next, .fullPrice, charge, isPrepaid: newest.isPrepaid, hidden: 300)
    }

    /// Another purchase takes the place of the running one, and what is left of that is paid back in one of the store's
    /// ways.
    ///
    /// `isLate`: when little is left: of a year's change at its beginning the store would have forgotten.
    private mutating func replace(by next: Product, _ mode: PlayReplacement.Mode, isLate: Bool = false) {
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
        succeed(by: next, mode, charge)
    }

    /// How long the worth of that time lasts at another price, in whole seconds.
    private func time(for rest: Int64, worth old: Int64, at new: Int64) -> Int64 {
        rest / CivilTime.second * (old / 1_000_000) / max(new / 1_000_000, 1) * CivilTime.second
    }

    /// From a plan that renews itself to one that is paid in advance, or back.
    private mutating func change(toPrepaid isPrepaid: Bool) {
        let (at, next) = (instant(from: 300, to: 700), isPrepaid ? Product.prepaidMonthly : .premiumMonthly)
        let charge = Charge(processedAt: at, start: at, end: next.term.after(at), mayRunLate: !isPrepaid)
        succeed(by: next, .fullPrice, charge, isPrepaid: isPrepaid)
    }

    /// The running purchase ends for one that is paid so.
    ///
    /// Of 1,000 that end there are so many that nobody ever handed in.
    private mutating func succeed(
        by next: Product, _ mode: PlayReplacement.Mode, _ charge: Charge, isPrepaid: Bool = false,
        hidden parts: Int64 = 200
    ) {
        let (at, old, replaced) = (charge.processedAt, newest.token, product)
        expire(at: at, until: at, by: .replacement)
        if !setting.isReadByV1, random.chance(perMille: parts) { hideNewest() }
        product = next
        open(at: at, linkedTo: old) {
            $0.isPrepaid = isPrepaid
            $0.replacement = PlayReplacement(mode: mode, product: replaced)
        }
        pay(charge)
    }

    /// Nobody hands it in: it is found through the one that takes its place.
    ///
    /// That it went on with another's payment shows only while it does, so such a one is handed in.
    private mutating func hideNewest() {
        let runsOn = tokens.dropLast().contains { $0.carriedOnBy == newest.token }
        if !runsOn { amend { $0.isRegistered = false } }
    }
}

extension PlayWriter {
    /// Another purchase takes the place of the running one and goes on with what was paid there: its items name orders that
    /// are not its own.
    private mutating func carryOn(at instant: Int64, _ replacement: PlayReplacement) {
        let (running, share, old) = (paid, priceShare, tokens.count - 1)
        expire(at: instant, until: instant, by: .replacement)
        if random.chance(perMille: 200) { hideNewest() }
        open(at: instant, linkedTo: tokens[old].token) { $0.replacement = replacement }
        tokens[old].carriedOnBy = newest.token
        (paid, priceShare) = (running, share)
    }

    /// Another product from the next period on, under a purchase of its own at once: until then that one runs on what the
    /// old one paid for, and holds a second item that nobody owns yet.
    private mutating func downgradeAtRenewal() {
        let (until, at) = (expiry, instant(from: 300, to: 600))
        carryOn(at: at, PlayReplacement(mode: .deferred, product: product))
        stand(.active, at: at, until: until) {
            $0.items[0].deferredProduct = .monthly
            $0.items.append(PlayMoment.Item(product: .monthly, expiresAt: until, renews: true, phase: .base))
        }
        (product, priceShare, priceChange) = (.monthly, 1_000, nil)
        renew()
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

    /// The add-on goes, as its item shows from then on; what it was bought with goes on.
    mutating func dropAddOn(at instant: Int64, _ change: (inout PlayMoment.Item) -> Void) {
        stand(.active, at: instant, until: expiry) { moment in
            for index in moment.items.indices where moment.items[index].product == .addonMonthly {
                change(&moment.items[index])
            }
        }
        hasAddOn = false
        renew()
    }
}
