// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Signing
import Stores

extension PlayStore {
    func examine(_ purchase: SubmittedPurchase) -> Examination {
        switch purchase.kind {
        case .playPurchase: return examineSigned(purchase)
        case .playToken:
            return purchase.examinationOfID(in: .googlePlay)
        case .receipt, .signedTransaction, .originalTransactionID:
            return .refused(.strange(purchase.kind))
        }
    }

    /// The reason names what disagrees, in the store's words.
    func refusal(for failure: StoreFailure, afterAttempts attempts: Int) -> PurchaseRefusal? {
        switch (failure.kind, failure.reason) {
        case (.notFound, "purchaseTokenDoesNotMatchPackageName"): .notOurs(failure.message)
        case (.notFound, PlayV1.noProductID):
            .unusable(
                "The legacy interface of Google Play needs the product: hand in the whole purchase "
                    + "(play_purchase), give the product_id beside the token, or set api: v2.")
        case (.notFound, _): .notGenuine(failure.message)
        case (.gone, _): .over(failure.message)
        default: nil
        }
    }

    /// The signature proves who issued the purchase, not what became of it since: the store must still be asked.
    private func examineSigned(_ purchase: SubmittedPurchase) -> Examination {
        let bytes = Array(purchase.payload.reveal().utf8)
        do throws(StoreFailure) {
            guard let signature = purchase.signature, try verifier().verifies(signature: signature, over: bytes) else {
                return .refused(.notSigned)
            }
        } catch {
            return .undecided(error)
        }
        guard let data = PurchaseData(json: bytes) else {
            return .refused(.notPurchaseData)
        }
        guard data.packageName == packageName else {
            return .refused(.notOurs("Google Play signed it for another package."))
        }
        guard (try? StoreID.checked(data.purchaseToken.reveal(), of: .googlePlay)) != nil else {
            return .refused(.notAToken)
        }
        var examined = ExaminedPurchase(.storeKey(data.purchaseToken))
        examined.productID = data.productID
        examined.transactionID = data.orderID
        examined.periodKey = data.orderID
        examined.isBoundToProduct = true
        return .toAsk(examined)
    }

    private func verifier() throws(StoreFailure) -> LicenceKey {
        guard let licenceKey else {
            throw StoreFailure(
                .credential, reason: "no_licence_key",
                message: "App \(appID): purchases with a signature wait, for there is no licence key to verify them "
                    + "with. Put the key of the Play Console (Monetisation set-up) into a file and name it in "
                    + "licence_key_file.")
        }
        do throws(SigningError) {
            return try LicenceKey(base64SubjectPublicKeyInfo: licenceKey)
        } catch {
            throw StoreFailure(
                .credential, reason: "bad_licence_key",
                message: "App \(appID): purchases with a signature wait: licence_key_file: \(error)")
        }
    }
}

extension PurchaseRefusal {
    fileprivate static let notSigned = notGenuine(
        "Google Play's signature is missing, or is not over exactly these bytes under this app's licence key.")
    fileprivate static let notPurchaseData = unusable(
        "Google Play signed it, and it names no package, product and token: it is no purchase data.")
    fileprivate static let notAToken = notGenuine("It is no purchase token.")
}
