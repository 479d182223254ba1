// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// The answer of `purchases.productsv2.getproductpurchasev2`: a one-time purchase, asked about by its token alone.
struct ProductPurchase: JSONReadable {
    /// One product of it.
    struct Line: JSONReadable {
        let productID: String?
        let offerID: String?
        /// 1 where the store does not say.
        let quantity: Int64

        init(_ fields: Fields) {
            let offer = fields.object("productOfferDetails")
            productID = fields.text("productId")
            offerID = offer?.text("offerId")
            quantity = max(1, offer?.integer("quantity") ?? 1)
        }
    }

    private static let names: Set<String> = [
        "acknowledgementState", "kind", "obfuscatedExternalAccountId", "obfuscatedExternalProfileId", "orderId",
        "productLineItem", "purchaseCompletionTime", "purchaseStateContext", "regionCode", "testPurchaseContext",
    ]

    /// Nil where there is no order, as of a code.
    let orderID: String?
    /// `PURCHASED`, `CANCELLED` or `PENDING`, or an unknown word.
    let state: String
    /// Nil until it is paid for.
    let completedAt: Instant?
    /// ISO 3166-1 alpha-2.
    let country: String?
    let isTest: Bool
    /// Nil for each that cannot be read.
    let lines: [Line?]
    let unknownFields: [String]

    init(_ fields: Fields) throws {
        guard let state = fields.object("purchaseStateContext")?.text("purchaseState") else { throw NoPurchase() }
        self.state = state
        orderID = fields.text("orderId")
        completedAt = fields.time("purchaseCompletionTime")
        country = fields.text("regionCode")
        isTest = fields.has("testPurchaseContext")
        lines = fields.list("productLineItem") ?? []
        unknownFields = fields.names(outside: Self.names)
    }

    /// Nil: not what the store documents.
    init?(_ body: [UInt8]) {
        guard let purchase = Self(json: body) else { return nil }
        self = purchase
    }

    /// The order to ask for: before it is paid, there is nothing to book of it.
    ///
    /// Nil, too, where its id is too long to be a key.
    var settledOrderID: String? { state == "PENDING" ? nil : orderID.flatMap { KeyText.fits($0) ? $0 : nil } }

    var environment: PurchaseEnvironment { isTest ? .sandbox : .production }

    private struct NoPurchase: Error {}
}
