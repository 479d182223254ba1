// SPDX-License-Identifier: Apache-2.0

/// The answer of `purchases.productsv2.getproductpurchasev2`: something sold once.
struct PlayProductPurchase: Encodable {
    struct Line: Encodable {
        struct Offer: Encodable {
            var purchaseOptionId = "buy"
            var quantity: Int64
            var refundableQuantity: Int64?
            var consumptionState: String
        }
        var productId: String
        var productOfferDetails: Offer
    }
    struct Context: Encodable {
        var purchaseState: String
    }

    var kind = "androidpublisher#productPurchaseV2"
    var productLineItem: [Line]
    var purchaseStateContext: Context
    var orderId: String
    var obfuscatedExternalAccountId: String
    var regionCode: String
    var purchaseCompletionTime: String?
    var acknowledgementState: String

    /// What the store shows of a sale at its clock; nil of a purchase that is none.
    init?(_ token: PlayToken, of customer: PlayCustomer, in app: SimulatedApp, at now: Int64) {
        guard token.isOneTime, let order = token.orders.first else { return nil }
        let isPaid = order.isSettled(at: now)
        let isOver = order.isWhollyRefunded(at: now) || (order.canceledAt.map { $0 <= now } ?? false)
        let givenBack = order.refunds(at: now).map(\.micros).reduce(0, +)
        let left = order.quantity - (givenBack == 0 ? 0 : givenBack * order.quantity / order.totalMicros)
        productLineItem = [
            Line(
                productId: order.mainProduct.identifier(in: app.bundleID),
                productOfferDetails: .init(
                    quantity: order.quantity, refundableQuantity: left == 0 ? nil : left,
                    consumptionState: order.mainProduct == .coins && isPaid
                        ? "CONSUMPTION_STATE_CONSUMED" : "CONSUMPTION_STATE_YET_TO_BE_CONSUMED"))
        ]
        purchaseStateContext = Context(purchaseState: isOver ? "CANCELLED" : isPaid ? "PURCHASED" : "PENDING")
        orderId = order.id
        obfuscatedExternalAccountId = customer.accountID
        regionCode = customer.market.country
        purchaseCompletionTime = isPaid ? order.processedAt.map(PlayJSON.time) : nil
        acknowledgementState = isPaid ? "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED" : "ACKNOWLEDGEMENT_STATE_PENDING"
    }
}
