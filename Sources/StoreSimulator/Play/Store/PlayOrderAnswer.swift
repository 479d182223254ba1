// SPDX-License-Identifier: Apache-2.0

/// An order as `orders.get` and `orders.batchGet` show it.
struct PlayOrderAnswer: Encodable {
    struct Address: Encodable {
        var buyerState: String?
        var buyerCountry: String
        var buyerPostcode: String?
    }
    struct Details: Encodable {
        var taxInclusive: Bool?
    }
    struct Points: Encodable {
        var pointsOfferId = "half-or-all"
        var pointsCouponValue: PlayJSON.Money
        var pointsDiscountRateMicros = "500000"
        var pointsSpent = "100"
    }
    struct RefundDetails: Encodable {
        var total: PlayJSON.Money
        var tax: PlayJSON.Money
    }
    struct History: Encodable {
        struct Event: Encodable {
            var eventTime: String
        }
        struct Partial: Encodable {
            var createTime: String
            var processTime: String?
            var state: String
            var refundDetails: RefundDetails
        }
        struct Whole: Encodable {
            var eventTime: String
            var refundReason: String
            var refundDetails: RefundDetails
        }
        var processedEvent: Event?
        var cancellationEvent: Event?
        var partialRefundEvents: [Partial]?
        var refundEvent: Whole?
    }
    struct Subscription: Encodable {
        struct Phase: Encodable {
            var baseDetails: PlayJSON.Empty?
            var freeTrialDetails: PlayJSON.Empty?
            var introductoryPriceDetails: PlayJSON.Empty?
            var prorationPeriodDetails: Proration?
        }
        struct Proration: Encodable {
            var originalOfferPhase = "BASE"
        }
        var basePlanId: String
        var offerId: String?
        var offerPhaseDetails: Phase
        var servicePeriodStartTime: String
        var servicePeriodEndTime: String
    }
    struct Once: Encodable {
        var quantity: Int64
        var purchaseOptionId: String
    }
    struct Line: Encodable {
        var productId: String
        var productTitle: String
        var listingPrice: PlayJSON.Money
        var total: PlayJSON.Money
        var tax: PlayJSON.Money
        var subscriptionDetails: Subscription?
        var oneTimePurchaseDetails: Once?
    }

    var orderId: String
    var purchaseToken: String
    var state: String
    var createTime: String
    var lastEventTime: String
    var buyerAddress: Address?
    var salesChannel = "IN_APP"
    var orderDetails: Details
    var lineItems: [Line]
    var orderHistory: History
    var pointsDetails: Points?
    var total: PlayJSON.Money
    var tax: PlayJSON.Money
    var developerRevenueInBuyerCurrency: PlayJSON.Money?

    /// What the store shows of an order at its clock.
    init(_ order: PlayOrder, of token: PlayToken, by customer: PlayCustomer, in app: SimulatedApp, at now: Int64) {
        let currency = customer.market.currency
        orderId = order.id
        purchaseToken = token.token
        state = order.stateName(at: now)
        createTime = PlayJSON.time(order.createdAt)
        lastEventTime = PlayJSON.time(order.lastEvent(at: now))
        if order.showsAddress {
            let isAmerican = customer.market == .unitedStates
            buyerAddress = Address(
                buyerState: isAmerican ? "CA" : nil, buyerCountry: customer.market.country,
                buyerPostcode: isAmerican ? "94043" : nil)
        }
        orderDetails = Details(taxInclusive: PlayJSON.flag(customer.market.isTaxInclusive))
        lineItems = order.lines.map { Line($0, of: order, currency, app) }
        orderHistory = History(order, currency, at: now)
        if order.couponMicros > 0 {
            pointsDetails = Points(pointsCouponValue: .init(micros: order.couponMicros, currency: currency))
        }
        if token.expiredToken != nil, order.id == token.orders.first?.id { salesChannel = "PLAY_STORE" }
        total = PlayJSON.Money(micros: order.totalMicros, currency: currency)
        tax = PlayJSON.Money(micros: order.taxMicros, currency: currency)
        developerRevenueInBuyerCurrency = order.shownRevenue(at: now).map {
            PlayJSON.Money(micros: $0, currency: currency)
        }
    }
}

extension PlayOrderAnswer.Line {
    init(_ line: PlayOrder.Line, of order: PlayOrder, _ currency: String, _ app: SimulatedApp) {
        productId = line.product.identifier(in: app.bundleID)
        productTitle = line.product.name
        listingPrice = PlayJSON.Money(micros: line.listMicros, currency: currency)
        total = PlayJSON.Money(micros: line.totalMicros, currency: currency)
        tax = PlayJSON.Money(micros: line.taxMicros, currency: currency)
        guard !order.isOneTime else {
            oneTimePurchaseDetails = .init(quantity: order.quantity, purchaseOptionId: line.product.basePlanID)
            return
        }
        subscriptionDetails = PlayOrderAnswer.Subscription(
            basePlanId: line.product.basePlanID, offerId: line.phase.offerID,
            offerPhaseDetails: .init(
                baseDetails: line.phase == .base ? PlayJSON.Empty() : nil,
                freeTrialDetails: line.phase == .freeTrial ? PlayJSON.Empty() : nil,
                introductoryPriceDetails: line.phase == .introductory ? PlayJSON.Empty() : nil,
                prorationPeriodDetails: line.phase == .proration ? PlayOrderAnswer.Subscription.Proration() : nil),
            servicePeriodStartTime: PlayJSON.time(order.serviceStart),
            servicePeriodEndTime: PlayJSON.time(order.serviceEnd))
    }
}

extension PlayOrderAnswer.History {
    init(_ order: PlayOrder, _ currency: String, at now: Int64) {
        processedEvent = order.processedAt.flatMap { $0 <= now ? Event(eventTime: PlayJSON.time($0)) : nil }
        cancellationEvent = order.canceledAt.flatMap { $0 <= now ? Event(eventTime: PlayJSON.time($0)) : nil }
        let details = { (refund: PlayOrder.Refund) in
            PlayOrderAnswer.RefundDetails(
                total: PlayJSON.Money(micros: refund.micros, currency: currency),
                tax: PlayJSON.Money(micros: refund.taxMicros, currency: currency))
        }
        let parts = order.refunds.filter { !$0.isWhole && $0.requestedAt <= now }.map { refund in
            let isDone = refund.processedAt <= now
            return Partial(
                createTime: PlayJSON.time(refund.requestedAt),
                processTime: isDone ? PlayJSON.time(refund.processedAt) : nil,
                state: isDone ? "PROCESSED_SUCCESSFULLY" : "PENDING", refundDetails: details(refund))
        }
        partialRefundEvents = parts.isEmpty ? nil : parts
        refundEvent = order.refunds(at: now).first(where: \.isWhole).map {
            Whole(
                eventTime: PlayJSON.time($0.processedAt), refundReason: $0.isChargeback ? "CHARGEBACK" : "OTHER",
                refundDetails: details($0))
        }
    }
}

extension PlayOrder {
    func stateName(at now: Int64) -> String {
        guard isSettled(at: now) else { return canceledAt.map { $0 <= now } == true ? "CANCELED" : "PENDING" }
        if isWhollyRefunded(at: now) { return "REFUNDED" }
        if refunds.contains(where: { $0.isWhole && $0.requestedAt <= now }) { return "PENDING_REFUND" }
        return refunds(at: now).isEmpty ? "PROCESSED" : "PARTIALLY_REFUNDED"
    }

    func lastEvent(at now: Int64) -> Int64 {
        let events =
            [createdAt, processedAt, canceledAt].compactMap(\.self)
            + refunds.flatMap {
                [$0.requestedAt, $0.processedAt]
            }
        return events.filter { $0 <= now }.max() ?? createdAt
    }

    /// The developer's part, less its share of what was given back; nothing while the order is not settled.
    func shownRevenue(at now: Int64) -> Int64? {
        guard isSettled(at: now), let revenueMicros else { return nil }
        guard totalMicros > 0 else { return couponMicros > 0 ? revenueMicros : nil }
        let left = totalMicros - refunds(at: now).map(\.micros).reduce(0, +)
        return PlayOrder.share(of: revenueMicros, left, in: totalMicros)
    }

    /// `amount` × `part` ÷ `whole`, floored; `whole` is positive.
    static func share(of amount: Int64, _ part: Int64, in whole: Int64) -> Int64 {
        whole.dividingFullWidth(amount.multipliedFullWidth(by: part)).quotient
    }
}
