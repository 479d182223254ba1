// SPDX-License-Identifier: Apache-2.0

/// When an order was seen, and where its purchase was said to stand.
struct OrderSight {
    /// The first time: a whole refund that was there by then hides what the developer had got.
    var first: Int64
    var last: Int64
    var status: DisclosedStatus?
    /// The purchase whose answers speak for the order's: the one that goes on with it, once that is known.
    var speaker: String
}

extension PlayCustomer {
    /// The images of an order, a product each.
    func images(of order: PlayOrder, _ token: PlayToken, in app: SimulatedApp, _ sight: OrderSight) -> [PeriodImage] {
        let totals = order.lines.map(\.totalMicros)
        let allProceeds = order.proceeds(firstSeenAt: sight.first)
        let proceeds = allProceeds.map { PlayOrder.split($0, by: totals) }
        return order.lines.indices.map { index in
            var image = PeriodImage(
                booked: booked(order, line: index, of: token, in: app), isPaid: order.isPaid,
                subscriptionID: token.token,
                speaker: sight.speaker, term: order.mainProduct.term, isBeside: index > 0, isAddOn: order.isForAddOn)
            image.booked.isUpgraded = sight.status.map { $0.isCutShort && $0.orderID == order.id } ?? false
            guard !order.isUnknown else {
                image.setStatusPrice(order, boughtAt: token.startedAt, market)
                return image
            }
            image.wholeCharge = .init(
                micros: order.totalMicros, taxMicros: order.taxMicros, proceedsMicros: allProceeds,
                feePercent: market.feePercent(at: order.createdAt), currency: market.currency)
            image.recurringCharge = order.recurringMicros(in: market).map {
                .init(micros: $0, currency: market.currency)
            }
            image.booked.proceedsMicros = proceeds?[index]
            image.setRefunds(of: order, line: index, by: totals, at: sight.last)
            return image
        }
    }

    private func booked(
        _ order: PlayOrder, line index: Int, of token: PlayToken, in app: SimulatedApp
    ) -> BookedTransaction {
        let line = order.lines[index]
        let place = periodClass(of: order, line: index, in: token)
        return BookedTransaction(
            appID: appID, originalTransactionID: order.baseID, transactionID: order.id,
            productID: line.product.identifier(in: app.bundleID), periodKey: order.id, kind: place.kind,
            isTrialConversion: place.isTrialConversion, offerType: offer(of: order, line, token), ownership: .purchased,
            environment: token.isTest ? .sandbox : .production, country: market.country,
            purchasedAt: order.processedAt ?? order.createdAt, periodStart: order.serviceStart,
            periodEnd: order.serviceEnd, priceMicros: line.totalMicros, currency: market.currency, isUpgraded: false,
            taxMicros: line.taxMicros,
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

extension PeriodImage {
    fileprivate mutating func setRefunds(of order: PlayOrder, line: Int, by totals: [Int64], at now: Int64) {
        refunds = order.refunds(at: now).map { refund in
            Refunded(
                at: refund.processedAt, micros: order.split(refund.micros, of: refund, by: totals)[line],
                taxMicros: order.split(refund.taxMicros, of: refund, by: totals)[line])
        }.filter { $0.micros > 0 }
        guard let last = refunds.last else { return }
        let micros = refunds.map(\.micros).reduce(0, +)
        booked.refundedAt = last.at
        booked.refundKind = order.isWhollyRefunded(at: now) || micros == booked.priceMicros ? .full : .partial
        booked.refundMicros = micros
        // A bank takes back all that was left of the order: of whatever part of it went back before, that is the reason.
        booked.refundReason = order.refunds(at: now).contains(where: \.isChargeback) ? .chargeback : nil
    }

    /// The old interface's own price, without the tax where the country's prices are; nothing else is known of it.
    fileprivate mutating func setStatusPrice(_ order: PlayOrder, boughtAt instant: Int64, _ market: Market) {
        booked.priceMicros = order.lines.first.map { market.playPrice(of: $0.product) }
        (booked.taxMicros, booked.basePlanID, booked.storeDiscountMicros) = (nil, nil, nil)
        booked.purchasedAt = instant
    }

    /// An order's charge and what was given back of it, each with its tax and its part of the proceeds.
    var entries: [MoneyLedger.Entry] {
        guard let price = bookedPrice else { return [] }
        let proceeds = booked.proceedsMicros
        var before: Int64 = 0
        let backs = refunds.map { part in
            defer { before += part.micros }
            return MoneyLedger.Entry(
                kind: .refund, at: part.at, micros: part.micros, taxMicros: part.taxMicros.map { -$0 },
                proceedsMicros: proceeds.map {
                    Self.share(of: $0, before, in: price) - Self.share(of: $0, before + part.micros, in: price)
                })
        }
        let charge = MoneyLedger.Entry(
            kind: .charge, at: booked.purchasedAt, micros: price, taxMicros: booked.taxMicros, proceedsMicros: proceeds)
        return [charge] + backs
    }

    /// The part of the proceeds that goes back with so much of the price, half up.
    private static func share(of proceeds: Int64, _ part: Int64, in price: Int64) -> Int64 {
        Rounding.halfUp(Int128(proceeds) * Int128(part), over: Int128(price))
    }
}

extension PlayOrder {
    /// What whole periods of its plans cost; nil where what was charged is what a period costs.
    func recurringMicros(in market: Market) -> Int64? {
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
        return Rounding.halfUp(Int128(shown) * Int128(totalMicros), over: Int128(left))
    }

    /// A refund's sum among the order's lines: all of it to the one that was taken back alone, else in proportion.
    func split(_ amount: Int64, of refund: Refund, by weights: [Int64]) -> [Int64] {
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
