// SPDX-License-Identifier: Apache-2.0

extension CustomerLife {
    /// The images of a purchase at an instant, one for each of its items, with what was disclosed of them before.
    func images(
        of purchase: AppStorePurchase, at now: Int64, in app: SimulatedApp, disclosed: Disclosures
    ) -> [PeriodImage] {
        let endings = disclosed.endings[purchase.originalTransactionID] ?? [:]
        guard var whole = image(of: purchase, at: now, in: app, endings: endings) else { return [] }
        if let life = purchase.life { whole.setSeats(of: life, in: purchase.period, at: now, app, before: disclosed) }
        return whole.divided(into: purchase.period.items(at: now)).map { fresh in
            var image = fresh
            // A period that was known before it came back under another id keeps the first one.
            let first = disclosed.periods[image.key]
            image.booked.transactionID = first?.booked.transactionID ?? image.booked.transactionID
            image.booked.keepEnd(of: first?.booked)
            return image
        }
    }

    /// The image of one transaction at an instant, nil before it appeared; a receipt names neither country nor price.
    ///
    /// `endings`: how the periods of its subscription were said to have ended.
    private func image(
        of purchase: AppStorePurchase, at now: Int64, in app: SimulatedApp, endings: [Int: AppStoreLineage.Ending]
    ) -> PeriodImage? {
        let (period, refund, isReceipt) = (purchase.period, purchase.period.refund(at: now), app.api == .receipts)
        guard period.createdAt <= now else { return nil }
        let order =
            purchase.life.map { periodClass(of: purchase.index, in: $0, at: now, app, endings) }
            ?? PeriodClass(kind: .oneTime)
        // What a bundle includes has no price of its own, whatever its row says.
        let isIncluded = purchase.life?.includedIn != nil
        let price = isReceipt || isIncluded ? nil : period.priceMilliunits.map { $0 * 1_000 }
        let id = purchase.originalTransactionID
        let booked = BookedTransaction(
            appID: appID, originalTransactionID: id, transactionID: period.transactionID(at: now),
            productID: period.productID, periodKey: period.lineItemID, kind: order.kind,
            isTrialConversion: order.isTrialConversion, offerType: period.offer?.bookedType(in: app),
            ownership: isIncluded ? .assigned : purchase.ownership, environment: environment,
            country: isReceipt ? nil : market.country,
            purchasedAt: period.purchasedAt, periodStart: period.purchasedAt, periodEnd: period.statedEnd(at: now),
            priceMicros: price, currency: price == nil ? nil : market.currency, refundedAt: refund?.at,
            refundKind: refund?.bookedKind(in: app), refundMicros: refund?.micros(of: price, in: market),
            isUpgraded: period.upgradedAt.map { $0 <= now } ?? false, bundleTransactionID: purchase.bundleTransactionID)
        var image = PeriodImage(
            booked: booked, isPaid: period.isPaid || (isReceipt && !period.isTrial), subscriptionID: id, speaker: id,
            index: purchase.index, term: purchase.life == nil ? nil : period.term)
        image.revocation = purchase.life == nil ? nil : refund.map { .init(at: $0.at, reason: $0.endReason) }
        image.isAddition = period.seats?.isAddition ?? false
        image.isRefundDerived = price != nil && refund?.isShare ?? false
        return image
    }

    /// A bundle's first period goes on with what it took the place of.
    private func periodClass(
        of index: Int, in life: SubscriptionLife, at now: Int64, _ app: SimulatedApp,
        _ endings: [Int: AppStoreLineage.Ending]
    ) -> PeriodClass {
        guard index == 0, let bundle = life.bundle,
            let old = subscriptions.first(where: { $0.originalTransactionID == bundle.replaces })
        else { return life.periodClass(of: index, at: now, in: app, endings: endings) }
        var whole = old
        whole.periods += life.periods
        return whole.periodClass(of: old.periods.count, at: now, in: app, endings: [:])
    }
}

extension PeriodImage {
    /// Seats are the purchaser's alone, though each member has a row that names as many.
    ///
    /// Those that were given back: the dearest first, and dated by the notification that reported it, else by the first
    /// answer that did: the row names no day.
    fileprivate mutating func setSeats(
        of life: SubscriptionLife, in period: Period, at now: Int64, _ app: SimulatedApp, before: Disclosures
    ) {
        guard life.ownership == .purchased, let seats = period.seats else { return }
        booked.seats = seats.count
        // Each of them: the row dates that itself.
        if let refund = period.refund(at: now), refund.isOfMoney {
            (booked.seats, seatsGivenBack) = (0, seats.count)
            if !refund.isShare { booked.refundMicros = seats.totalMilliunits * 1_000 }
            return
        }
        guard let back = seats.givenBack(at: now) else { return }
        booked.seats = seats.count - back.value
        seatsGivenBack = back.value
        let known = before.periods[key]
        let answeredAt = known?.seatsGivenBack == back.value ? known?.booked.refundedAt : now
        booked.refundedAt = app.hasNotificationURL ? back.at : answeredAt
        booked.refundKind = back.value < seats.count ? .partial : .full
        booked.refundMicros = seats.worth(ofDearest: back.value) * 1_000
    }
}

extension PeriodImage {
    /// As the renewal's date shows it, where that lies beyond the end.
    func extended(to end: Int64) -> PeriodImage {
        var image = self
        if end > booked.periodEnd { image.booked.extendedUntil = end }
        return image
    }
}

extension BookedTransaction {
    /// The end that was shown first stays what was paid for; a later one extends it.
    fileprivate mutating func keepEnd(of first: BookedTransaction?) {
        guard let first else { return }
        let ends = [periodEnd, extendedUntil, first.extendedUntil].compactMap(\.self)
        periodEnd = first.periodEnd
        extendedUntil = ends.max().flatMap { $0 > periodEnd ? $0 : nil }
    }
}

extension Offer {
    /// A receipt has one field for promotional and win-back offers.
    func bookedType(in app: SimulatedApp) -> BookedTransaction.OfferType {
        switch kind {
        case .introductory: .introductory
        case .promotional: .promotional
        case .code: .code
        case .winBack: app.api == .server ? .winBack : .promotional
        case .retention: app.api == .server ? .retention : .promotional
        }
    }
}

extension Refund {
    /// A receipt knows that a period was cancelled, not how much of it was given back; of a family's share nothing is.
    func bookedKind(in app: SimulatedApp) -> BookedTransaction.RefundKind {
        switch extent {
        case .full: .full
        case .prorated: app.api == .server ? .partial : .full
        case .familyRevoke, .upgradedToBundle, .unheardOf: .revoke
        }
    }

    /// The store's share of the price, half up to the smallest coin of the currency, as customers are paid; nil where the
    /// price is unknown or no money went back.
    func micros(of price: Int64?, in market: Market) -> Int64? {
        guard let price else { return nil }
        switch extent {
        case .full: return price
        case .familyRevoke, .upgradedToBundle, .unheardOf: return nil
        case .prorated(let percentage):
            let coin = Int128(market.smallestUnit)
            let coins = Rounding.halfUp(Int128(price) * Int128(percentage), over: coin * 100_000)
            return min(coins * Int64(coin), price)
        }
    }
}

// What was sold by items is booked by items: a row each, under the owner's own name, with its own price and refunds.

extension PeriodImage {
    /// The rows of one transaction: its own where it was not sold by items.
    func divided(into items: [Commerce.Item]) -> [PeriodImage] {
        guard !items.isEmpty else { return [self] }
        return items.enumerated().map { place, item in
            var image = self
            image.apply(item)
            image.isBeside = place > 0
            image.wholeCharge = charge
            return image
        }
    }

    private mutating func apply(_ item: Commerce.Item) {
        let price = item.priceMilliunits.map { $0 * 1_000 }
        (booked.productID, booked.priceMicros) = (item.sku, price)
        (booked.refundedAt, booked.refundKind, booked.refundMicros) = (nil, nil, nil)
        revocation = item.takenBackAt.map { Revocation(at: $0, reason: .refund) }
        isRefundDerived = false
        let sums = price == nil ? [] : item.givenBack
        refunds = sums.compactMap { sum in sum.milliunits.map { .init(at: sum.at, micros: $0 * 1_000) } }
        // The newest of several sums dates the row; the money of each is of its own day.
        guard let at = refunds.last?.at ?? item.takenBackAt else { return }
        let sum = refunds.map(\.micros).reduce(0, +)
        booked.refundedAt = at
        booked.refundKind = price.map { sum < $0 } ?? false ? .partial : .full
        booked.refundMicros = price.map { _ in sum }
    }
}

extension SubscriptionLife {
    /// The items of a period, by name, those that were taken back with their instants; none where it is of a single product.
    func bookedItems(of status: SubscriptionStatus, at now: Int64) -> [BookedSubscription.Item] {
        let period = periods[status.periodIndex]
        let sold = period.items(at: now)
        guard sold.count > 1 else { return [] }
        return sold.map { item in
            BookedSubscription.Item(
                productID: item.sku, expiresAt: period.expiresAt(at: now),
                // What was taken back is no part of the renewal.
                autoRenew: status.autoRenew && item.takenBackAt == nil,
                latestTransactionID: period.transactionID(at: now), revokedAt: item.takenBackAt)
        }
    }
}
