// SPDX-License-Identifier: Apache-2.0

/// A period as the store shows it at one instant: what befell it later is not visible yet.
struct PeriodImage: Hashable, Sendable {
    var booked: BookedTransaction
    /// Not free, and its price not 0: the customer counts as paying.
    var isPaid: Bool
    var index: Int
    /// How long the product's periods last; nil where it covers none.
    var term: Term?
}

extension CustomerLife {
    /// The image of a purchase at an instant, with what was told of it before.
    func image(
        of purchase: Shown, at now: Int64, in app: SimulatedApp, revealed: Revelations
    ) -> PeriodImage? {
        guard var image = firstImage(of: purchase, at: now, in: app, revealed: revealed) else { return nil }
        // A period that was known before it came back under another id keeps the first one.
        let first = revealed.periods[image.booked.periodKey]
        image.booked.transactionID = first?.booked.transactionID ?? image.booked.transactionID
        return image
    }

    private func firstImage(
        of purchase: Shown, at now: Int64, in app: SimulatedApp, revealed: Revelations
    ) -> PeriodImage? {
        switch purchase {
        case .sale(let sale): return image(of: sale, at: now, in: app)
        case .period(let life, let index):
            let told = revealed.endings[life.originalTransactionID] ?? [:]
            return image(of: life, period: index, at: now, in: app, told: told)
        }
    }

    /// The image of a sale at an instant; nil before it was made.
    private func image(of sale: OneTimeSale, at now: Int64, in app: SimulatedApp) -> PeriodImage? {
        guard sale.purchasedAt <= now else { return nil }
        let refund = sale.refund(at: now)
        let price = app.api == .server ? sale.priceMilliunits.map { $0 * 1_000 } : nil
        let booked = BookedTransaction(
            appID: appID, originalTransactionID: sale.transactionID, transactionID: sale.transactionID,
            productID: sale.productID, periodKey: sale.transactionID, kind: .oneTime, isTrialConversion: false,
            offerType: sale.offer?.bookedType(in: app), ownership: .purchased, environment: environment,
            country: app.api == .server ? storefront.country : nil, purchasedAt: sale.purchasedAt,
            periodStart: sale.purchasedAt, periodEnd: sale.purchasedAt, priceMicros: price,
            currency: price == nil ? nil : storefront.currency, refundedAt: refund?.at,
            refundKind: refund?.bookedKind(in: app), refundMicros: refund?.micros(of: price), isUpgraded: false)
        return PeriodImage(booked: booked, isPaid: price != 0, index: 0)
    }

    /// The image of one period at an instant; nil before it appeared. `told`: how its periods were said to have ended.
    private func image(
        of life: SubscriptionLife, period index: Int, at now: Int64, in app: SimulatedApp,
        told: [Int: LineageStory.Ending]
    ) -> PeriodImage? {
        let period = life.periods[index]
        guard period.createdAt <= now else { return nil }
        let place = life.place(of: index, at: now, in: app, told: told)
        let refund = period.refund(at: now)
        let price = app.api == .server ? period.priceMilliunits.map { $0 * 1_000 } : nil
        let booked = BookedTransaction(
            appID: appID, originalTransactionID: life.originalTransactionID,
            transactionID: period.transactionID(at: now),
            productID: period.productID, periodKey: period.lineItemID, kind: place.kind,
            isTrialConversion: place.isTrialConversion, offerType: period.offer?.bookedType(in: app),
            ownership: life.ownership, environment: environment,
            country: app.api == .server ? storefront.country : nil, purchasedAt: period.purchasedAt,
            periodStart: period.purchasedAt, periodEnd: period.expiresAt, priceMicros: price,
            currency: price == nil ? nil : storefront.currency, refundedAt: refund?.at,
            refundKind: refund?.bookedKind(in: app), refundMicros: refund?.micros(of: price),
            isUpgraded: period.upgradedAt.map { $0 <= now } ?? false)
        return PeriodImage(
            booked: booked, isPaid: period.isPaid || (app.api == .receipts && !period.isTrial), index: index,
            term: period.term)
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
        }
    }
}

extension Refund {
    /// A receipt knows that a period was cancelled, not how much of it was given back; of a family's share nothing is.
    func bookedKind(in app: SimulatedApp) -> BookedTransaction.RefundKind {
        switch extent {
        case .full: .full
        case .prorated: app.api == .server ? .partial : .full
        case .familyRevoke: .revoke
        }
    }

    /// The store's share of the price, half up to the micro; nil where the price is unknown or no money went back.
    func micros(of price: Int64?) -> Int64? {
        guard let price else { return nil }
        switch extent {
        case .full: return price
        case .familyRevoke: return nil
        case .prorated(let percentage):
            let (high, low) = price.multipliedFullWidth(by: percentage)
            let (quotient, remainder) = Int64(100_000).dividingFullWidth((high, low))
            return quotient + (remainder >= 50_000 ? 1 : 0)
        }
    }
}
