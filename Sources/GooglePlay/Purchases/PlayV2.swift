// SPDX-License-Identifier: Apache-2.0

import HTTP
import Model
import Stores

/// `purchases.subscriptionsv2`: the status of a purchase, with all its items.
struct PlayV2: PlayInterface {
    func path(of token: Secret, productID: String?) throws(StoreFailure) -> (path: String, route: String) {
        let encoded = URLPath.encode(segment: token.reveal())
        return ("/purchases/subscriptionsv2/tokens/\(encoded)", "/purchases/subscriptionsv2/tokens/{token}")
    }

    func purchase(
        _ document: StoreAnswer.Document, of due: DueSubscription?, readAt: Instant,
        unknownValues: inout UnknownValueCounts
    ) throws(UnreadableAnswer) -> Purchase {
        guard let answer: SubscriptionV2 = document.read(), answer.state != nil else {
            throw .malformed(DocumentName.subscription)
        }
        return answer.purchase(
            readAt: readAt, wasAwaitingPayment: due?.snapshot.state.isAwaitingPayment ?? false,
            unknownValues: &unknownValues)
    }
}
