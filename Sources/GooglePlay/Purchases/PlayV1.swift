// SPDX-License-Identifier: Apache-2.0

import HTTP
import Model
import Stores

/// `purchases.subscriptions`, the legacy interface: one product, whose id the request must name.
struct PlayV1: PlayInterface {
    /// The reason of a purchase whose product is not known.
    static let noProductID = "no_product_id"

    func path(of token: Secret, productID: String?) throws(StoreFailure) -> (path: String, route: String) {
        guard let productID else { throw .noProductID }
        let (product, token) = (URLPath.encode(segment: productID), URLPath.encode(segment: token.reveal()))
        return (
            "/purchases/subscriptions/\(product)/tokens/\(token)",
            "/purchases/subscriptions/{subscriptionId}/tokens/{token}"
        )
    }

    func purchase(
        _ document: StoreAnswer.Document, of due: DueSubscription?, readAt: Instant,
        unknownValues: inout UnknownValueCounts
    ) throws(UnreadableAnswer) -> Purchase {
        guard let answer: SubscriptionV1 = document.read(),
            let expiresAt = answer.expiresAt
        else { throw .malformed(DocumentName.subscription) }
        return answer.purchase(until: expiresAt, of: due, readAt: readAt, unknownValues: &unknownValues)
    }
}

extension StoreFailure {
    fileprivate static let noProductID = StoreFailure(
        .notFound, reason: PlayV1.noProductID,
        message: "The legacy interface of Google Play needs the product of a purchase, and this one was "
            + "registered without: register it with its product id, or set api: v2.")
}
