// SPDX-License-Identifier: Apache-2.0

import Model
import Signing
import Stores

extension VerifyReceipt {
    /// Runs in which the store calls a receipt "malformed, or temporarily not available" before the former is believed.
    private static let malformedAfter = 3

    func examine(_ purchase: SubmittedPurchase) -> Examination {
        let text = StoreID.trimmed(purchase.payload.reveal())
        switch purchase.kind {
        case .receipt:
            let compact = text.filter { !$0.isWhitespace }
            guard !compact.isEmpty, Base64.decode(compact) != nil else { return .refused(.notAReceipt) }
            return .toAsk(ExaminedPurchase(.receipt(Secret(compact))))
        case .originalTransactionID:
            guard (try? StoreID.checked(text, of: .appStore)) != nil else { return .refused(.receiptWanted) }
            return .toAsk(ExaminedPurchase(.storeKey(Secret(text))))
        case .signedTransaction:
            return .refused(.receiptWanted)
        case .playPurchase, .playToken:
            return .refused(.strange(purchase.kind))
        }
    }

    func refusal(for failure: StoreFailure, afterAttempts attempts: Int) -> PurchaseRefusal? {
        switch (failure.kind, failure.reason) {
        case (.notFound, Self.noReceipt): .receiptWanted
        case (.notFound, _): .notGenuine(failure.message)
        case (.unreadable, AnswerFault.wrongBundle.rawValue): .notOurs(failure.message)
        case (.refusedForNow, "status_21002") where attempts + 1 >= Self.malformedAfter:
            .notGenuine("The App Store said \(attempts + 1) times that the receipt is malformed (21002).")
        default: nil
        }
    }
}

extension PurchaseRefusal {
    fileprivate static let notAReceipt = notGenuine("It is no receipt: receipts are base64.")
    fileprivate static let receiptWanted = unusable(
        "This app is read by receipts, and nothing else can be asked about: hand in the receipt.")
}
