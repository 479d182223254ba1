// SPDX-License-Identifier: Apache-2.0

import Foundations
import Model
import Signing
import Stores

/// Accepts a signed row or says why not: signature and chain, the app, the environment.
///
/// Each row is verified by itself.
struct RowVerifier {
    /// A row that is the store's own and about this app.
    struct Verified<Payload> {
        let payload: Payload
        let document: JSONDocument
        let chainID: String
        /// The header that carried the chain, as the row spells it.
        let spelledHeader: String
    }

    let verifier: JWSVerifier
    let bundleID: String
    let environment: PurchaseEnvironment
    let answeredAt: Instant?

    func transaction(_ compact: String) -> Result<Verified<TransactionPayload>, RowRefusal> {
        let row = verified(compact, id: \TransactionPayload.transactionID, signedDate: \TransactionPayload.signedDate)
        return row.flatMap { row in
            let id = row.payload.transactionID
            guard let bundle = row.payload.bundleID else { return .failure(.missingBundle.of(id)) }
            guard bundle == bundleID else { return .failure(.wrongBundle.of(id)) }
            return isOurEnvironment(row.payload.environment) ? .success(row) : .failure(.wrongEnvironment.of(id))
        }
    }

    /// Renewal information names no app: the transaction beside it binds it.
    func renewal(_ compact: String, of originalTransactionID: String?) -> Result<Verified<RenewalPayload>, RowRefusal> {
        verified(compact, id: { _ in nil }, signedDate: \RenewalPayload.signedDate).flatMap { row in
            guard isOurEnvironment(row.payload.environment) else { return .failure(.wrongEnvironment) }
            return row.payload.originalTransactionID == originalTransactionID
                ? .success(row) : .failure(.strangeRenewal)
        }
    }

    /// Data of Xcode's and the local test environment is never signed by the store: refused like any other stranger.
    private func isOurEnvironment(_ name: String?) -> Bool { name == environment.storeName }

    private func verified<Payload: JSONReadable>(
        _ compact: String, id: (Payload) -> String?, signedDate: (Payload) -> Int64?
    ) -> Result<Verified<Payload>, RowRefusal> {
        var said: (document: JSONDocument, payload: Payload)?
        do throws(SigningError) {
            let signed = try verifier.verify(compact, fallbackValidAt: answeredAt?.milliseconds ?? 0) { json in
                said = JSONDocument(json).flatMap { document in Payload(document).map { (document, $0) } }
                return said.flatMap { signedDate($0.payload) }
            }
            guard let said else { return .failure(.notJSON) }
            return .success(
                Verified(
                    payload: said.payload, document: said.document, chainID: signed.chainID,
                    spelledHeader: signed.spelledHeader))
        } catch {
            return .failure(
                RowRefusal(
                    reason: AnswerFault.notVerified.rawValue, detail: error.description,
                    transactionID: said.flatMap { id($0.payload) }))
        }
    }
}
