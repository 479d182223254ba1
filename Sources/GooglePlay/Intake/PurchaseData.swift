// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// `INAPP_PURCHASE_DATA`: what Play gave the device, and signed byte for byte.
struct PurchaseData: JSONReadable {
    /// Absent from test purchases and promotions.
    let orderID: String?
    let packageName: String
    let productID: String
    let purchaseToken: Secret

    init(_ fields: Fields) throws {
        let products: [String?]? = fields.texts("productIds")
        guard let packageName = fields.text("packageName"), let token = fields.text("purchaseToken"),
            let productID = fields.text("productId") ?? products?.lazy.compactMap(\.self).first
        else { throw Incomplete() }
        orderID = fields.text("orderId")
        self.packageName = packageName
        self.productID = productID
        purchaseToken = Secret(token)
    }

    private struct Incomplete: Error {}
}
