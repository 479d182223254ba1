// SPDX-License-Identifier: Apache-2.0

/// Writes one subscription, step by step, from its first purchase to the horizon.
struct LifeWriter {
    /// What the writer has to know about the customer and the world.
    struct Setting {
        var bundleID: String
        var market: Market
        var ownership: Ownership = .purchased
        /// When the one price change comes into force, for new periods.
        var pricesRiseAt: Int64
        /// No period begins after this instant.
        var horizon: Int64
        /// Whether refunds may come so late that only a notification reports them.
        var hasNotifications: Bool

        init(app: SimulatedApp, market: Market, span: LifeSpan) {
            bundleID = app.bundleID
            self.market = market
            pricesRiseAt = span.firstNight + 20 * CivilTime.day
            horizon = span.horizon
            hasNotifications = app.hasNotificationURL
        }

        /// How long after its charge a refund may come, or be reported differently: the store takes none after half a
        /// year, and without notifications a charge is looked at for 60 days.
        var refundLimit: Int64 { (hasNotifications ? 150 : 55) * CivilTime.day }
    }

    let setting: Setting
    var random: SeededGenerator
    var identifiers: IdentifierSequence
    private(set) var life: SubscriptionLife
    private(set) var steps: Set<AppStoreStep> = []
    var product: Product
    /// Thousandths of the list price, since the customer agreed to an increase.
    var markup: Int64 = 1_000
    /// Whether the newest period is an ordinary one, at the list price and of the usual length: only then may the
    /// product change, so that what counts as up and down is beyond dispute.
    private(set) var isPlain = false

    init(_ setting: Setting, product: Product, isRegistered: Bool, random: SeededGenerator, ids: IdentifierSequence) {
        self.setting = setting
        self.product = product
        self.random = random
        identifiers = ids
        life = SubscriptionLife(
            originalTransactionID: "", groupID: product.groupID, ownership: setting.ownership,
            isRegistered: isRegistered, periods: [])
    }

    /// The newest period: every life is begun before anything else happens to it.
    var current: Period { life.periods[life.periods.count - 1] }

    /// Whether the newest period still has a future inside the horizon.
    var reachesHorizon: Bool { current.expiresAt > setting.horizon }

    mutating func mark(_ step: AppStoreStep) { steps.insert(step) }

    mutating func switchAutoRenew(_ isOn: Bool, at instant: Int64) {
        life.autoRenew.append(.init(at: instant, isOn))
    }

    /// The product it will renew into, from an instant on; as long as no period of it begins, it may be another one again.
    mutating func choose(_ next: Product, at instant: Int64) {
        life.renewalProduct.append(.init(at: instant, next.identifier(in: setting.bundleID)))
    }

    /// Every period that is added from now on is of this product.
    mutating func renews(into product: Product, at instant: Int64) {
        if product != self.product { markup = 1_000 }
        self.product = product
        choose(product, at: instant)
    }

    /// The customer's answer to a price increase.
    mutating func consent(_ answer: SubscriptionLife.PriceConsent?, at instant: Int64) {
        life.priceConsent.append(.init(at: instant, answer))
    }

    /// Changes the newest period, or the one that is so many before it.
    mutating func amend(before count: Int = 0, _ change: (inout Period) -> Void) {
        change(&life.periods[life.periods.count - 1 - count])
    }

    /// How a new transaction comes about.
    struct Entry {
        var reason: Period.Reason
        var purchasedAt: Int64
        /// When the store shows it first.
        var createdAt: Int64
        /// Where it does not follow from the term; such a period is no ordinary one.
        var expiresAt: Int64?
        var offer: Offer?
        /// Thousandths of the list price.
        var share: Int64 = 1_000
        var commitment: Commitment?

        init(_ reason: Period.Reason, at instant: Int64, shownAt: Int64? = nil, until expiry: Int64? = nil) {
            (self.reason, purchasedAt, createdAt, expiresAt) = (reason, instant, shownAt ?? instant, expiry)
        }
    }

    /// Adds a transaction of the present product.
    mutating func add(_ entry: Entry) {
        let identifier = identifiers.transaction()
        if life.periods.isEmpty { life.originalTransactionID = identifier }
        let term = entry.commitment != nil ? .months(1) : entry.offer?.term ?? product.term
        let isForgotten = random.chance(perMille: 10) || setting.ownership == .familyShared
        life.periods.append(
            Period(
                transactionID: identifier, lineItemID: identifiers.lineItem(),
                productID: product.identifier(in: setting.bundleID), term: term, createdAt: entry.createdAt,
                purchasedAt: entry.purchasedAt, expiresAt: entry.expiresAt ?? term.after(entry.purchasedAt),
                reason: entry.reason, priceMilliunits: isForgotten ? nil : price(of: entry), offer: entry.offer))
        amend { $0.commitment = entry.commitment }
        isPlain = entry.expiresAt == nil && entry.offer == nil && entry.commitment == nil
    }

    /// The price in whole units of a thousandth, and in Japan in whole yen.
    private func price(of entry: Entry) -> Int64 {
        if entry.offer?.discount == .freeTrial { return 0 }
        if let whole = entry.commitment?.priceMilliunits { return whole / Commitment.months / 10 * 10 }
        let isRaised = entry.purchasedAt >= setting.pricesRiseAt
        let price = setting.market.appStorePrice(of: product, raised: isRaised) * entry.share / 1_000 * markup / 1_000
        return price / 10 * 10
    }
}
