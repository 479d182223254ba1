// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Signing
import Stores

/// A signed transaction that an app's backend handed in: verified like a row of an answer, and then asked about.
struct SignedPurchase {
    private struct Evidence: Encodable {
        let bundleId: String
        let environment: String
        let hasMore = false
        let signedTransactions: [String]
    }

    /// The environments that a transaction may name.
    private static let environments = Dictionary(
        uniqueKeysWithValues: PurchaseEnvironment.allCases.map { ($0.storeName, $0) })

    /// Three parts of base64url and two dots.
    let compact: String
    let verifier: JWSVerifier
    let bundleID: String
    /// The wall clock, for a transaction that does not say when it was signed.
    let now: Instant

    func examination() -> Examination {
        guard let environment = claimedEnvironment else { return .refused(Self.noStoreEnvironment) }
        let rows = RowVerifier(verifier: verifier, bundleID: bundleID, environment: environment, answeredAt: now)
        switch rows.transaction(compact) {
        case .success(let row): return examined(row.payload, environment)
        case .failure(let refusal): return examination(of: refusal)
        }
    }

    private func examination(of refusal: RowRefusal) -> Examination {
        switch refusal.kind {
        case .wrongBundle: .refused(.notOurs("The App Store signed it for another app."))
        // One in a million that are genuine.
        case .missingBundle: .undecided(.unreadablePurchase(refusal.detail))
        case .wrongEnvironment: .refused(Self.noStoreEnvironment)
        case .other: .refused(.notGenuine("It is no transaction that the App Store signed. \(refusal.detail)"))
        }
    }

    private func examined(_ payload: TransactionPayload, _ environment: PurchaseEnvironment) -> Examination {
        var unknownValues = UnknownValueCounts()
        do throws(RowRefusal) {
            let period = try payload.period(answeredAt: now, unknownValues: &unknownValues)
            var purchase = ExaminedPurchase(.storeKey(Secret(period.originalTransactionID)))
            purchase.environment = environment
            purchase.productID = period.productID
            purchase.transactionID = period.transactionID
            purchase.periodKey = period.periodKey
            purchase.expiresAt = period.end
            purchase.isProven = true
            if !period.isAutoRenewable { purchase.documents = evidence(environment) }
            return .toAsk(purchase)
        } catch {
            return .undecided(.unreadablePurchase(error.detail))
        }
    }

    /// A one-time sale as a page of its own history: the store has no status for it, and its signed word is complete.
    private func evidence(_ environment: PurchaseEnvironment) -> [StoreAnswer.Document] {
        let page = Evidence(bundleId: bundleID, environment: environment.storeName, signedTransactions: [compact])
        let body = (try? JSONEncoder().encode(page)).map(Array.init) ?? []
        return [StoreAnswer.Document(endpoint: AppStoreServer.DocumentName.history, body: body)]
    }

    /// Not believed before the signature: it only says as whose row it is verified.
    ///
    /// Nothing said is production.
    private var claimedEnvironment: PurchaseEnvironment? {
        let parts = compact.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let json = Base64URL.decode(parts[1]),
            let payload = TransactionPayload(json: json)
        else { return .production }
        return payload.environment.map { Self.environments[$0] } ?? .production
    }

    private static let noStoreEnvironment = PurchaseRefusal.notGenuine(
        "It is of no environment of the App Store's: data of Xcode and of local tests are nobody's purchases.")
}

extension StoreFailure {
    /// Signed, and yet not to be used as it is.
    fileprivate static func unreadablePurchase(_ detail: String) -> StoreFailure {
        StoreFailure(
            .unreadable, reason: "unusable_purchase",
            message: "The App Store signed it, and it cannot be used. \(detail)")
    }
}
