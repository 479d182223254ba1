// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

extension AppStoreServer {
    func examine(_ purchase: SubmittedPurchase) -> Examination {
        let text = StoreID.trimmed(purchase.payload.reveal())
        switch purchase.kind {
        case .signedTransaction:
            return SignedPurchase(
                compact: text, verifier: verifier, bundleID: configuration.bundleID, now: clock()
            ).examination()
        case .originalTransactionID:
            return purchase.examinationOfID(in: .appStore)
        case .receipt:
            return .refused(
                .unusable(
                    "This app is read through the App Store Server API, which takes no receipts: hand in the signed "
                        + "transaction or the original transaction id."))
        case .playPurchase, .playToken:
            return .refused(.strange(purchase.kind))
        }
    }

    func refusal(for failure: StoreFailure, afterAttempts attempts: Int) -> PurchaseRefusal? {
        switch (failure.kind, failure.fault) {
        case (_, .wrongBundle), (_, .wrongAppAppleID): .notOurs(failure.message)
        case (.notFound, _): .notGenuine(failure.message)
        case (.gone, _): .over(failure.message)
        default: nil
        }
    }
}
