// SPDX-License-Identifier: Apache-2.0

/// Writes the purchases of one Play customer, chapter by chapter, from the first one to the horizon.
struct PlayWriter {
    /// What the writer has to know about the customer and the world.
    struct Setting {
        var market: PlayMarket
        /// Whether the app is read through the old interface, to which some chapters cannot be told.
        var isReadByV1: Bool
        /// No period begins after this instant.
        var horizon: Int64
    }

    let setting: Setting
    var random: SeededGenerator
    var tokens: [PlayToken] = []
    private(set) var chapters: Set<PlayChapter> = []
    var product: PlayProduct
    var hasAddOn = false
    /// Whether the newest period is an ordinary one at the full price: only then may the product change, so that what
    /// counts as up and down is beyond dispute.
    var isPlain = false
    /// The number of the newest order: -1 for the first one of a purchase.
    var number = -1
    /// The newest paid order.
    private(set) var paid: PlayOrder?
    /// How much later than the period the present expiry lies.
    private(set) var slack: Int64 = 0

    init(_ setting: Setting, product: PlayProduct, random: SeededGenerator) {
        self.setting = setting
        self.product = product
        self.random = random
    }

    var products: [PlayProduct] { hasAddOn ? [product, .addonMonthly] : [product] }
    var serviceStart: Int64 { paid?.serviceStart ?? 0 }
    var serviceEnd: Int64 { paid?.serviceEnd ?? 0 }
    /// When the present period runs out, as the store shows it.
    var expiry: Int64 { serviceEnd + slack }
    var reachesHorizon: Bool { serviceEnd > setting.horizon }

    mutating func mark(_ chapter: PlayChapter) { chapters.insert(chapter) }

    /// A new purchase.
    mutating func open(
        at instant: Int64, linkedTo linked: String? = nil, _ change: (inout PlayToken) -> Void = { _ in }
    ) {
        var token = PlayToken(token: newToken(), startedAt: instant, linkedToken: linked)
        change(&token)
        tokens.append(token)
        number = -1
        paid = nil
    }

    /// Changes the newest purchase.
    mutating func amend(_ change: (inout PlayToken) -> Void) {
        guard let last = tokens.indices.last else { return }
        change(&tokens[last])
    }

    /// A payment: which time it is for, and at what price.
    struct Charge {
        var createdAt: Int64?
        var processedAt: Int64
        var start: Int64
        var end: Int64
        var phase = PlayOrder.Phase.base
        /// Thousandths of the list price.
        var share: Int64 = 1_000
        var mayRunLate = true
    }

    /// A paid order, and the standing that comes of it.
    mutating func pay(_ charge: Charge) {
        var order = order(charge)
        order.processedAt = charge.processedAt
        order.showsAddress = !random.chance(perMille: 100)
        if order.isTrial || random.chance(perMille: 15) { order.revenueMicros = nil }
        amend { $0.orders.append(order) }
        paid = order
        isPlain = charge.phase == .base && charge.share == 1_000
        let runsLate = charge.mayRunLate && random.chance(perMille: 300)
        slack = runsLate ? random.duration(from: CivilTime.hour, to: 5 * CivilTime.hour) : 0
        stand(.active, at: charge.processedAt, until: expiry)
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

    private mutating func order(_ charge: Charge) -> PlayOrder {
        let lines = products.map { product in
            let list = setting.market.listPrice(of: product)
            let share = charge.phase == .freeTrial ? 0 : charge.share
            let price = setting.market.charge(forShown: list * share / 1_000)
            return PlayOrder.Line(
                product: product, phase: charge.phase, listMicros: list, totalMicros: price.total, taxMicros: price.tax)
        }
        let (total, tax) = (lines.map(\.totalMicros).reduce(0, +), lines.map(\.taxMicros).reduce(0, +))
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
        let isPrepaid = tokens.last?.isPrepaid ?? false
        let items = (paid?.lines ?? []).map { line in
            PlayMoment.Item(
                product: line.product, expiresAt: expiry, renews: renews && !isPrepaid, latestOrderID: paid?.id,
                phase: line.phase)
        }
        var moment = PlayMoment(at: instant, state: state, items: items)
        change(&moment)
        amend { $0.moments.append(moment) }
    }

    /// The id the next order gets.
    mutating func nextOrderID() -> String {
        guard let first = tokens.last?.orders.first else {
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
