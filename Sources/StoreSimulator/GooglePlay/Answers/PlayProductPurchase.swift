// SPDX-License-Identifier: Apache-2.0

/// The answer of `purchases.productsv2.getproductpurchasev2`: something sold once.
enum PlayProductPurchase {
    /// What the store shows of a sale at its clock; nil of a purchase that is none.
    static func answer(
        _ token: PlayToken, of customer: PlayCustomer, in app: SimulatedApp, at now: Int64
    ) -> WireObject? {
        guard token.isOneTime, let order = token.orders.first else { return nil }
        let boughtAt = token.moments.first { $0.state == .active }?.at
        let isPaid = boughtAt.map { $0 <= now } ?? false
        // What is given back without being taken away stays bought.
        let isOver =
            (order.void != nil && order.isWhollyRefunded(at: now)) || (order.canceledAt.map { $0 <= now } ?? false)
        let refunded = order.refunds(at: now).map(\.micros).reduce(0, +)
        let left = order.quantity - (refunded == 0 ? 0 : refunded * order.quantity / order.totalMicros)
        let isConsumed = order.mainProduct == .coins && isPaid
        let offer: WireObject = [
            "purchaseOptionId": "buy", "quantity": order.quantity, "refundableQuantity": left == 0 ? nil : left,
            "consumptionState": "CONSUMPTION_STATE_\(isConsumed ? "CONSUMED" : "YET_TO_BE_CONSUMED")",
        ]
        let line: WireObject = [
            "productId": order.mainProduct.identifier(in: app.bundleID), "productOfferDetails": offer,
        ]
        let state: WireObject = ["purchaseState": isOver ? "CANCELLED" : isPaid ? "PURCHASED" : "PENDING"]
        return [
            "kind": "androidpublisher#productPurchaseV2", "productLineItem": [line], "purchaseStateContext": state,
            "orderId": order.id, "obfuscatedExternalAccountId": customer.accountID,
            "regionCode": customer.market.country,
            "purchaseCompletionTime": isPaid ? boughtAt.map(PlayJSON.time) : nil,
            "acknowledgementState": "ACKNOWLEDGEMENT_STATE_\(isPaid ? "ACKNOWLEDGED" : "PENDING")",
        ]
    }
}
