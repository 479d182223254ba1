// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Model
import Signing
import Stores

/// Accepts a signed row or says why not: signature and chain, the app, the environment. Each row is verified by itself.
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
                    reason: "not_verified", detail: error.description, transactionID: said.flatMap { id($0.payload) }))
        }
    }
}

/// Why a row of an answer was not taken.
struct RowRefusal: Error, Hashable {
    /// A short word for the table.
    let reason: String
    /// A sentence without any id.
    let detail: String
    /// As the row says itself, whether it can be believed or not; nil where it says none.
    var transactionID: String?

    static let missingBundle = RowRefusal(reason: "missing_bundle", detail: "The row names no app.")
    static let wrongBundle = RowRefusal(reason: "wrong_bundle", detail: "The row is about another app.")
    static let wrongEnvironment = RowRefusal(
        reason: "wrong_environment", detail: "The row is not of the environment that was asked.")
    static let strangeRenewal = RowRefusal(
        reason: "strange_renewal", detail: "The renewal information is about another subscription.")
    static let notJSON = RowRefusal(reason: "malformed_row", detail: "The signed payload is not the JSON of a row.")
    static let unreadableElement = RowRefusal(
        reason: "malformed_row", detail: "An element of the answer is not what the store documents.")

    static func missing(_ field: String) -> RowRefusal {
        RowRefusal(reason: "missing_field", detail: "The row has no usable \(field).")
    }

    /// - Parameter ids: those of the row that become keys, by the names of their fields.
    static func checkLength(of ids: KeyValuePairs<String, String?>) throws(RowRefusal) {
        if let fault = KeyText.fault(in: ids) { throw RowRefusal(reason: KeyText.tooLong, detail: fault) }
    }

    func of(_ transactionID: String?) -> RowRefusal {
        RowRefusal(reason: reason, detail: detail, transactionID: transactionID)
    }

    /// A transaction's row that was refused.
    func row(of storeKey: String?) -> RefusedRow {
        RefusedRow(
            storeKey: storeKey.map(Secret.init), reason: reason, detail: detail,
            transactionID: transactionID ?? SetAside.unidentified)
    }

    /// Renewal information that was refused: it is about no single transaction.
    func renewal(of storeKey: String?) -> RefusedRow {
        RefusedRow(storeKey: storeKey.map(Secret.init), reason: reason, detail: detail, transactionID: nil)
    }
}
