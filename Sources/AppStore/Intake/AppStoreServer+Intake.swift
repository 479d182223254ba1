// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

extension AppStoreServer {
    func examine(_ purchase: SubmittedPurchase) -> Examination {
        let text = purchase.payload.reveal().trimmed
        switch purchase.kind {
        case .signedTransaction:
            return SignedPurchase(
                compact: text, verifier: verifier, bundleID: configuration.bundleID, now: clock()
            ).examination()
        case .originalTransactionID:
            guard text.isTransactionID else { return .refused(.notATransactionID) }
            return .toAsk(ExaminedPurchase(.storeKey(Secret(text))))
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
        switch (failure.kind, failure.reason) {
        case (.unreadable, "wrong_bundle"), (.unreadable, "wrong_app_apple_id"): .notOurs(failure.message)
        case (.notFound, _): .notGenuine(failure.message)
        case (.gone, _): .over(failure.message)
        default: nil
        }
    }
}

extension PurchaseRefusal {
    fileprivate static let notATransactionID = notGenuine(
        "It is not the id of a transaction: the App Store's consist of up to 30 digits.")
}

extension String {
    var trimmed: String {
        var text = self[...]
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text.drop { $0.isWhitespace })
    }

    /// As the App Store makes them.
    var isTransactionID: Bool { (1...30).contains(utf8.count) && utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
