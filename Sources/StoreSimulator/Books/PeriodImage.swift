// SPDX-License-Identifier: Apache-2.0

/// A period as the store shows it at one instant: what befell it later is not visible yet.
struct PeriodImage: Hashable, Sendable {
    var booked: BookedTransaction
    /// Not free, and its price not 0: the customer counts as paying.
    var isPaid: Bool
    var index: Int
    /// How long the product's periods last; nil where it covers none.
    var term: Term?
    /// When the period was cut short, and why: money may go back and leave it as it is.
    var revocation: Revocation?
    /// Seats that were bought within a period, beside the one it began with.
    var isAddition = false
    /// How many seats of a group were given back, as far as its row says so.
    var seatsGivenBack: Int64 = 0
    /// The store told a share of the price that went back, and no amount.
    var isRefundDerived = false
    /// One of several items of its transaction, and not the first, which stands for all of them.
    var isBeside = false
    /// What was charged for all items of its transaction; nil where it was not sold by items, or nobody knows.
    var wholeMicros: Int64?
    /// The sums in micros that were given back of an item, in the order of their days.
    var givenBack: [SubscriptionLife.Dated<Int64>] = []

    struct Revocation: Hashable, Sendable {
        var at: Int64
        var reason: EndReason
    }

    /// What it is known by from answer to answer: a transaction's id may change; seats that were added may share the line
    /// item of the transaction beside them, and items do.
    var key: String {
        if isBeside { return "\(booked.periodKey) \(booked.productID)" }
        return isAddition ? booked.transactionID : booked.periodKey
    }
}

extension CustomerLife {
    /// The images of a purchase at an instant, one for each of its items, with what was told of them before.
    func images(of purchase: Shown, at now: Int64, in app: SimulatedApp, revealed: Revelations) -> [PeriodImage] {
        firstImages(of: purchase, at: now, in: app, revealed: revealed).map { told in
            var image = told
            // A period that was known before it came back under another id keeps the first one.
            let first = revealed.periods[image.key]
            image.booked.transactionID = first?.booked.transactionID ?? image.booked.transactionID
            return image
        }
    }

    private func firstImages(
        of purchase: Shown, at now: Int64, in app: SimulatedApp, revealed: Revelations
    ) -> [PeriodImage] {
        switch purchase {
        case .sale(let sale): return [image(of: sale, at: now, in: app)].compactMap(\.self)
        case .period(let life, let index):
            let told = revealed.endings[life.originalTransactionID] ?? [:]
            guard var image = image(of: life, period: index, at: now, in: app, told: told) else { return [] }
            image.tell(life, seatsOf: life.periods[index], at: now, in: app, before: revealed)
            return image.divided(into: life.periods[index].items(at: now))
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
            refundKind: refund?.bookedKind(in: app), refundMicros: refund?.micros(of: price, in: storefront),
            isUpgraded: false)
        return PeriodImage(
            booked: booked, isPaid: price != 0, index: 0,
            isRefundDerived: app.api == .server && refund?.isShare ?? false && price != nil)
    }

    /// The image of one period at an instant; nil before it appeared. `told`: how its periods were said to have ended.
    private func image(
        of life: SubscriptionLife, period index: Int, at now: Int64, in app: SimulatedApp,
        told: [Int: LineageStory.Ending]
    ) -> PeriodImage? {
        let period = life.periods[index]
        guard period.createdAt <= now else { return nil }
        let place = place(of: index, in: life, at: now, app, told)
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
            refundKind: refund?.bookedKind(in: app), refundMicros: refund?.micros(of: price, in: storefront),
            isUpgraded: period.upgradedAt.map { $0 <= now } ?? false)
        return PeriodImage(
            booked: booked, isPaid: period.isPaid || (app.api == .receipts && !period.isTrial), index: index,
            term: period.term, revocation: refund.map { .init(at: $0.at, reason: $0.endReason) },
            isAddition: period.seats?.isAddition ?? false,
            isRefundDerived: app.api == .server && refund?.isShare ?? false && price != nil)
    }

    /// A bundle's first period goes on with what it took the place of.
    private func place(
        of index: Int, in life: SubscriptionLife, at now: Int64, _ app: SimulatedApp,
        _ told: [Int: LineageStory.Ending]
    ) -> SubscriptionLife.Place {
        guard index == 0, let bundle = life.bundle,
            let old = subscriptions.first(where: { $0.originalTransactionID == bundle.replaces })
        else { return life.place(of: index, at: now, in: app, told: told) }
        var whole = old
        whole.periods += life.periods
        return whole.place(of: old.periods.count, at: now, in: app, told: [:])
    }
}

extension PeriodImage {
    /// Seats are the purchaser's alone, though each member has a row that names as many. Those that were given back: the
    /// dearest first, and dated by the notification that told of it, else by the first answer that did: the row names no
    /// day.
    fileprivate mutating func tell(
        _ life: SubscriptionLife, seatsOf period: Period, at now: Int64, in app: SimulatedApp, before: Revelations
    ) {
        guard life.ownership == .purchased, let seats = period.seats else { return }
        booked.seats = seats.count
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
        case .familyRevoke, .upgradedToBundle, .unheardOf: .revoke
        }
    }

    /// The store's share of the price, half up to the smallest coin of the currency, as customers are paid; nil where the
    /// price is unknown or no money went back.
    func micros(of price: Int64?, in storefront: Storefront) -> Int64? {
        guard let price else { return nil }
        switch extent {
        case .full: return price
        case .familyRevoke, .upgradedToBundle, .unheardOf: return nil
        case .prorated(let percentage):
            let coin = Int128(storefront.coinMicros)
            // Half up: (share + half a coin) in whole coins, everything times 200,000 to stay whole.
            let doubled = Int128(price) * Int128(percentage) * 2 + coin * 100_000
            return min(Int64(doubled / (coin * 200_000) * coin), price)
        }
    }
}
