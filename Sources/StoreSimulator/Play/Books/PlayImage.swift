// SPDX-License-Identifier: Apache-2.0

/// One product of a settled order, as the store shows it at one instant.
struct PlayImage: Sendable {
    /// A sum given back, on its own day.
    struct Part: Hashable, Sendable {
        var at: Int64
        var micros: Int64
        var taxMicros: Int64?
    }

    var booked: BookedTransaction
    var parts: [Part] = []
    var order: PlayOrder
    var token: PlayToken
    /// The purchase whose answers speak for it.
    var speaker: String
    /// The first product of its order stands for the purchase.
    var isMain = true
    /// What was charged for the whole order; nil for one whose price nobody knows.
    var wholeCharge: PaidPeriod.Charge?
    /// What whole periods of the order's plans cost as listed, where it was for the rest of one after a change of plan; no
    /// order tells the tax in that, nor the developer's part.
    var recurringCharge: PaidPeriod.Charge?
}

/// When an image was seen, and where the purchase was said to stand.
struct PlaySight {
    /// The first time: a whole refund that was there by then hides what the developer had got.
    var first: Int64
    var last: Int64
    var standing: PlayStanding?
    /// The purchase whose answers speak for the image's: the one that goes on with it, once that is known.
    var speaker: String
}

extension PlayCustomer {
    /// The images of an order, a product each.
    func images(of order: PlayOrder, _ token: PlayToken, in app: SimulatedApp, _ sight: PlaySight) -> [PlayImage] {
        let totals = order.lines.map(\.totalMicros)
        let proceeds = order.proceeds(firstSeenAt: sight.first).map { PlayOrder.split($0, by: totals) }
        let parts = order.refunds(at: sight.last).map { refund in
            (
                at: refund.processedAt, micros: order.split(refund.micros, of: refund, by: totals),
                tax: order.split(refund.taxMicros, of: refund, by: totals)
            )
        }
        return order.lines.indices.map { index in
            var image = PlayImage(
                booked: booked(order, index, token, app), order: order, token: token, speaker: sight.speaker,
                isMain: index == 0)
            image.booked.isUpgraded = sight.standing.map { $0.isCutShort && $0.orderID == order.id } ?? false
            guard !order.isUnknown else {
                image.tellByStatusAlone(market)
                image.wholeCharge = image.booked.priceMicros.map { .init(micros: $0, currency: market.currency) }
                return image
            }
            image.wholeCharge = .init(
                micros: order.totalMicros, taxMicros: order.taxMicros,
                proceedsMicros: order.proceeds(firstSeenAt: sight.first),
                feePercent: market.feePercent(at: order.createdAt), currency: market.currency)
            image.recurringCharge = order.recurringMicros(in: market).map {
                .init(micros: $0, currency: market.currency)
            }
            image.booked.proceedsMicros = proceeds?[index]
            image.parts = parts.filter { $0.micros[index] > 0 }.map {
                PlayImage.Part(at: $0.at, micros: $0.micros[index], taxMicros: $0.tax[index])
            }
            image.tellRefund(at: sight.last)
            return image
        }
    }

    private func booked(
        _ order: PlayOrder, _ index: Int, _ token: PlayToken, _ app: SimulatedApp
    ) -> BookedTransaction {
        let line = order.lines[index]
        let place = place(of: order, line: index, in: token)
        return BookedTransaction(
            appID: appID, originalTransactionID: order.baseID, transactionID: order.id,
            productID: line.product.identifier(in: app.bundleID), periodKey: order.id, kind: place.kind,
            isTrialConversion: place.isTrialConversion, offerType: offer(of: order, line, token), ownership: .purchased,
            environment: token.isTest ? .sandbox : .production, country: market.country,
            purchasedAt: order.processedAt ?? order.createdAt, periodStart: order.serviceStart,
            periodEnd: order.serviceEnd, priceMicros: line.totalMicros, currency: market.currency, refundedAt: nil,
            refundKind: nil, refundMicros: nil, isUpgraded: false, taxMicros: line.taxMicros,
            basePlanID: order.isOneTime ? nil : line.product.basePlanID,
            storeDiscountMicros: line.couponMicros > 0 ? line.couponMicros : nil)
    }

    /// A code counts for the first order alone, and a phase of its own wins over it.
    private func offer(
        of order: PlayOrder, _ line: PlayOrder.Line, _ token: PlayToken
    ) -> BookedTransaction.OfferType? {
        switch line.phase {
        case .freeTrial, .introductory: return .introductory
        case .base: return token.promotionCode != nil && order.id == token.orders.first?.id ? .code : nil
        case .proration: return nil
        }
    }
}

extension PlayImage {
    /// The charge and what was given back of it; nothing for testers, trials, and what cost nothing.
    var entries: [MoneyLedger.Entry] {
        guard booked.environment == .production, booked.kind != .trial, let price = booked.priceMicros, price > 0 else {
            return []
        }
        return [.init(kind: .charge, at: booked.purchasedAt, micros: price)]
            + parts.map { .init(kind: .refund, at: $0.at, micros: $0.micros) }
    }

    fileprivate mutating func tellRefund(at now: Int64) {
        guard let last = parts.last else { return }
        let micros = parts.map(\.micros).reduce(0, +)
        booked.refundedAt = last.at
        booked.refundKind = order.isWhollyRefunded(at: now) || micros == booked.priceMicros ? .full : .partial
        booked.refundMicros = micros
        // A bank takes back all that was left of the order: of whatever part of it went back before, that is the reason.
        booked.refundReason = order.refunds(at: now).contains(where: \.isChargeback) ? .chargeback : nil
    }

    /// The old interface's own price, without the tax where the country's prices are; nothing else is known of it.
    fileprivate mutating func tellByStatusAlone(_ market: PlayMarket) {
        booked.priceMicros = order.lines.first.map { market.listPrice(of: $0.product) }
        (booked.taxMicros, booked.basePlanID, booked.storeDiscountMicros) = (nil, nil, nil)
        booked.purchasedAt = token.startedAt
    }
}

extension PlayOrder {
    /// Nil where what was charged is what a period costs.
    fileprivate func recurringMicros(in market: PlayMarket) -> Int64? {
        guard lines.contains(where: { $0.phase == .proration }) else { return nil }
        let listed = lines.map(market.rated).reduce(0, +)
        return listed == totalMicros ? nil : listed
    }

    /// What the developer gets of the whole charge, as a reader learns it who first sees the order then: what the store
    /// shows is net of refunds, and is raised to the whole again.
    func proceeds(firstSeenAt instant: Int64) -> Int64? {
        guard let shown = shownRevenue(at: instant), !isWhollyRefunded(at: instant) else { return nil }
        let left = totalMicros - refunds(at: instant).map(\.micros).reduce(0, +)
        guard totalMicros > 0 else { return shown }
        guard left > 0 else { return nil }
        let (whole, rest) = left.dividingFullWidth(shown.multipliedFullWidth(by: totalMicros))
        return whole + (rest * 2 >= left ? 1 : 0)
    }

    /// A refund's sum among the order's lines: all of it to the one that was taken back alone, else in proportion.
    fileprivate func split(_ amount: Int64, of refund: Refund, by weights: [Int64]) -> [Int64] {
        guard let product = refund.product else { return Self.split(amount, by: weights) }
        return lines.map { $0.product == product ? amount : 0 }
    }

    /// A sum divided in proportion to weights: floored, and the micros that are left go to the first ones.
    static func split(_ amount: Int64, by weights: [Int64]) -> [Int64] {
        let whole = weights.reduce(0, +)
        guard whole > 0 else { return weights.indices.map { $0 == 0 ? amount : 0 } }
        var parts = weights.map { share(of: amount, $0, in: whole) }
        for index in 0..<Int(amount - parts.reduce(0, +)) { parts[index] += 1 }
        return parts
    }
}
