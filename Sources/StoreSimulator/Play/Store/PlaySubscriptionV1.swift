// SPDX-License-Identifier: Apache-2.0

/// The answer of the old `purchases.subscriptions.get`.
struct PlaySubscriptionV1: Encodable {
    struct Introductory: Encodable {
        var introductoryPriceCurrencyCode: String
        var introductoryPriceAmountMicros: String
        var introductoryPricePeriod: String
        var introductoryPriceCycles: Int
    }

    struct PriceChange: Encodable {
        struct Price: Encodable {
            var currency: String
            var priceMicros: String
        }
        var newPrice: Price
        var state: Int
    }

    var kind = "androidpublisher#subscriptionPurchase"
    var startTimeMillis: String
    var expiryTimeMillis: String
    var autoResumeTimeMillis: String?
    var autoRenewing: Bool
    var priceCurrencyCode: String
    var priceAmountMicros: String
    var introductoryPriceInfo: Introductory?
    var countryCode: String
    var developerPayload = ""
    var paymentState: Int?
    var cancelReason: Int?
    var userCancellationTimeMillis: String?
    var orderId: String?
    var linkedPurchaseToken: String?
    var purchaseType: Int?
    var priceChange: PriceChange?
    var acknowledgementState = 1
    var obfuscatedExternalAccountId: String
    var emailAddress: String?
}

extension PlaySubscriptionV1 {
    /// What the store shows of a purchase that stands so; nil where it has no item.
    init?(_ token: PlayToken, _ moment: PlayMoment, of customer: PlayCustomer) {
        guard let item = moment.mainItem else { return nil }
        startTimeMillis = PlayJSON.milliseconds(token.startedAt)
        expiryTimeMillis = PlayJSON.milliseconds(item.expiresAt)
        autoResumeTimeMillis = moment.resumesAt.map(PlayJSON.milliseconds)
        autoRenewing = item.renews
        priceCurrencyCode = customer.market.currency
        priceAmountMicros = String(item.recurringMicros ?? customer.market.listPrice(of: item.product))
        countryCode = customer.market.country
        orderId = moment.declinedOrderID ?? item.latestOrderID
        linkedPurchaseToken = token.linkedToken
        obfuscatedExternalAccountId = customer.accountID
        if token.isTest { purchaseType = 0 }
        if !token.isAcknowledged { acknowledgementState = 0 }
        // Told until it is in force or taken back, or the purchase ends.
        if let change = item.priceChange, [.outstanding, .confirmed].contains(change.state),
            moment.cancellation == nil
        {
            priceChange = PriceChange(
                newPrice: .init(currency: customer.market.currency, priceMicros: String(change.newMicros)),
                state: change.state == .confirmed ? 1 : 0)
        }
        if token.startedAt / CivilTime.second % 7 == 0 { emailAddress = "erika.mustermann@example.com" }
        if let line = token.orders.first?.lines.first, line.phase == .introductory {
            introductoryPriceInfo = Introductory(
                introductoryPriceCurrencyCode: customer.market.currency,
                introductoryPriceAmountMicros: String(line.totalMicros - line.taxMicros),
                introductoryPricePeriod: item.product.term.iso8601, introductoryPriceCycles: 1)
        }
        tellPayment(moment, item)
    }

    private mutating func tellPayment(_ moment: PlayMoment, _ item: PlayMoment.Item) {
        switch moment.state {
        case .grace, .hold, .pending: paymentState = 0
        case .active, .paused: paymentState = item.phase == .freeTrial ? 2 : 1
        case .canceled, .expired, .pendingCanceled: break
        }
        switch moment.cancellation {
        case .user(let at):
            cancelReason = 0
            userCancellationTimeMillis = PlayJSON.milliseconds(at)
        case .system: cancelReason = 1
        case .replacement: cancelReason = 2
        case .developer: cancelReason = 3
        case nil: break
        }
    }
}
