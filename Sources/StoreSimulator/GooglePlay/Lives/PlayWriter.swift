// SPDX-License-Identifier: Apache-2.0

/// Writes the purchases of one Play customer, step by step, from the first one to the horizon.
struct PlayWriter {
    /// What the writer has to know about the customer and the world.
    struct Setting {
        var market: Market
        /// Whether the app is read through the old interface, which cannot show some steps.
        var isReadByV1: Bool
        /// No period begins after this instant.
        var horizon: Int64
        /// What never happens here.
        var without: Set<PlayStep> = []
    }

    let setting: Setting
    var random: SeededGenerator
    var tokens: [PlayToken] = []
    private(set) var steps: Set<PlayStep> = []
    var product: Product
    var hasAddOn = false
    /// Whether the newest period is an ordinary one at the full price: only then may the product change, so that what
    /// counts as up and down is beyond dispute.
    var isPlain = false
    /// The number of the newest order: -1 for the first one of a purchase.
    var number = -1
    /// The newest paid order, an add-on's own apart.
    var paid: PlayOrder?
    /// The order of an add-on bought to the running period, until both are renewed together.
    var addOnOrder: PlayOrder?
    /// Thousandths of the list price, as it was changed for this purchase.
    var priceShare: Int64 = 1_000
    /// Renewals that an offer still covers, at half the price.
    var introductoryLeft = 0
    var instalments: PlayInstalments?
    /// As the items show them from now on.
    var priceChange: PlayPriceChange?
    var stepUp: PlayStepUp?
    /// How much later than the period the present expiry lies.
    private(set) var slack: Int64 = 0

    init(_ setting: Setting, product: Product, random: SeededGenerator) {
        self.setting = setting
        self.product = product
        self.random = random
    }

    var products: [Product] { hasAddOn ? [product, .addonMonthly] : [product] }
    var serviceStart: Int64 { paid?.serviceStart ?? 0 }
    var serviceEnd: Int64 { paid?.serviceEnd ?? 0 }
    /// When the present period runs out, as the store shows it.
    var expiry: Int64 { serviceEnd + slack }
    var reachesHorizon: Bool { serviceEnd > setting.horizon }

    mutating func mark(_ step: PlayStep) { steps.insert(step) }

    /// A new purchase.
    mutating func open(
        at instant: Int64, linkedTo linked: String? = nil, _ change: (inout PlayToken) -> Void = { _ in }
    ) {
        var token = PlayToken(token: newToken(), startedAt: instant, linkedToken: linked)
        change(&token)
        tokens.append(token)
        number = -1
        paid = nil
        (addOnOrder, instalments, priceChange, stepUp) = (nil, nil, nil, nil)
        (priceShare, introductoryLeft) = (1_000, 0)
    }

    /// The newest purchase: one is opened before anything else happens.
    var newest: PlayToken { tokens[tokens.count - 1] }

    /// Changes the newest purchase.
    mutating func amend(_ change: (inout PlayToken) -> Void) { change(&tokens[tokens.count - 1]) }

    /// A payment: which time it is for, and at what price.
    struct Charge {
        var createdAt: Int64?
        var processedAt: Int64
        var start: Int64
        var end: Int64
        var phase = PlayOrder.Phase.base
        /// Thousandths of the price.
        var share: Int64 = 1_000
        /// Thousandths of that which the store pays in the customer's place.
        var couponShare: Int64 = 0
        /// The price itself, as the store shows it, where it is no share of the list's.
        var shownMicros: Int64?
        var mayRunLate = true
    }

    /// A paid order, and the state that comes of it.
    mutating func pay(_ charge: Charge) {
        var order = order(charge)
        order.processedAt = charge.processedAt
        order.showsAddress = !random.chance(perMille: 100)
        let hidesRevenue = order.isTrial || random.chance(perMille: 15)
        if hidesRevenue, order.couponMicros == 0 { order.revenueMicros = nil }
        amend { $0.orders.append(order) }
        take(order, of: charge)
        let runsLate = charge.mayRunLate && random.chance(perMille: 300)
        slack = runsLate ? random.hours(1...5) : 0
        stand(.active, at: charge.processedAt, until: expiry)
        if priceChange?.state == .applied { priceChange = nil }
        if stepUp?.state == .completed { stepUp = nil }
    }

    /// The purchase stands on this order now.
    mutating func take(_ order: PlayOrder, of charge: Charge) {
        (paid, addOnOrder) = (order, nil)
        isPlain = charge.phase == .base && charge.share == 1_000 && charge.couponShare == 0
        guard let plan = instalments else { return }
        instalments?.remaining = plan.remaining > 0 ? plan.remaining - 1 : max((plan.subsequent ?? 0) - 1, 0)
    }

    /// What the store shows as the price of a period.
    func recurringPrice(of product: Product) -> Int64 {
        setting.market.playPrice(of: product) * (product == self.product ? priceShare : 1_000) / 1_000
    }

    /// A renewal that could not be collected, under a number of its own.
    @discardableResult
    mutating func decline(at instant: Int64, until canceledAt: Int64) -> String {
        var order = order(Charge(processedAt: 0, start: serviceEnd, end: product.term.after(serviceEnd)))
        order.createdAt = instant
        order.canceledAt = canceledAt
        order.revenueMicros = nil
        amend { $0.orders.append(order) }
        return order.id
    }

    mutating func order(_ charge: Charge, of some: [Product]? = nil) -> PlayOrder {
        let prices = (some ?? products).map { product in
            let list = recurringPrice(of: product)
            let share = charge.phase == .freeTrial ? 0 : charge.share
            return (product: product, list: list, shown: charge.shownMicros ?? list * share / 1_000)
        }
        let lines = prices.map { product, list, shown in
            let coupon = shown * charge.couponShare / 1_000
            let price = setting.market.charge(forShown: shown - coupon)
            return PlayOrder.Line(
                product: product, phase: charge.phase, listMicros: list, totalMicros: price.total, taxMicros: price.tax,
                couponMicros: coupon)
        }
        let undiscounted = prices.map { setting.market.charge(forShown: $0.shown) }
        let (total, tax) = (undiscounted.map(\.total).reduce(0, +), undiscounted.map(\.tax).reduce(0, +))
        let order = PlayOrder(
            id: nextOrderID(), createdAt: charge.createdAt ?? charge.processedAt, processedAt: nil, lines: lines,
            serviceStart: charge.start, serviceEnd: charge.end,
            revenueMicros: setting.market.revenue(ofTotal: total, tax: tax))
        number += 1
        return order
    }

    /// Where the newest purchase stands from an instant on.
    mutating func stand(
        _ state: PlayMoment.State, at instant: Int64, until expiry: Int64, renews: Bool = true,
        _ change: (inout PlayMoment) -> Void = { _ in }
    ) {
        var moment = PlayMoment(at: instant, state: state, items: items(until: expiry, renews: renews))
        change(&moment)
        amend { $0.moments.append(moment) }
    }

    private func items(until expiry: Int64, renews: Bool) -> [PlayMoment.Item] {
        [paid, addOnOrder].compactMap(\.self).flatMap { order in
            order.lines.map { line in
                var item = PlayMoment.Item(
                    product: line.product, expiresAt: expiry, renews: renews && !newest.isPrepaid,
                    latestOrderID: order.id, phase: line.phase)
                item.recurringMicros = recurringPrice(of: line.product)
                guard line.product == product else { return item }
                (item.priceChange, item.stepUp, item.instalments) = (priceChange, stepUp, instalments)
                return item
            }
        }
    }

    /// The id the next order gets.
    mutating func nextOrderID() -> String {
        guard let first = newest.orders.first else {
            let digits = (0..<17).map { _ in String(random.value(in: 0...9)) }.joined()
            let parts = [digits.prefix(4), digits.dropFirst(4).prefix(4), digits.dropFirst(8).prefix(4)]
            return "GPA.\(parts.joined(separator: "-"))-\(digits.dropFirst(12))"
        }
        return "\(first.baseID)..\(number)"
    }

    private mutating func newToken() -> String {
        let letters = Array("abcdefghijklmnop")
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let name = String((0..<24).map { _ in letters[Int(random.value(in: 0...15))] })
        return name + ".AO-J1O" + String((0..<40).map { _ in alphabet[Int(random.value(in: 0...63))] })
    }

    /// From when on something can befall the present period: its beginning, or its payment where that came later.
    var present: Int64 { max(serviceStart, paid?.processedAt ?? 0) }

    /// A random instant of what is left of the present period once it is paid, between two thousandths of its length.
    mutating func instant(from first: Int64, to last: Int64) -> Int64 {
        let part = (serviceEnd - present) / 1_000
        return present + random.duration(from: part * first, to: part * last)
    }
}
