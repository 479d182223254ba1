// SPDX-License-Identifier: Apache-2.0

import HTTP
import Model
import Stores

extension AppStoreServer {
    /// Looks an id up as a transaction, when it is asked about for the first time and is no subscription's: a backend
    /// may have handed in the id of a later transaction.
    ///
    /// The subscription is then asked about under its original one.
    ///
    /// Once only, and never for what has answered before: what vanished later was no later transaction's id.
    func resolve(
        _ inquiry: Inquiry, _ due: DueSubscription, in environments: [PurchaseEnvironment], failing: StoreFailure,
        through client: ThrottledClient
    ) async throws(StoreFailure) -> StoreAnswer {
        let found: StoreAnswer
        do throws(StoreFailure) {
            found = try await looking(in: environments) { (environment) async throws(StoreFailure) in
                try await transaction(due.storeKey, inquiry, in: environment, through: client)
            }
        } catch {
            // That it is no transaction either is no better answer than the first.
            throw error.kind == .notFound ? failing : error
        }
        guard let original = Self.original(in: found), original != due.storeKey else { return found }
        let answer = try await ask(inquiry, about: original, in: found.environment, through: client)
        return StoreAnswer(
            inquiry: inquiry, environment: answer.environment, documents: answer.documents + found.documents,
            answeredAt: answer.answeredAt)
    }

    func transaction(
        _ id: Secret, _ inquiry: Inquiry, in environment: PurchaseEnvironment, through client: ThrottledClient
    ) async throws(StoreFailure) -> StoreAnswer {
        let response = try await get(
            "/inApps/v1/transactions/\(URLPath.encode(segment: id.reveal()))", route: "/inApps/v1/transactions/{id}",
            in: environment, at: AppStoreEndpoints.transactionInfo(environment), through: client)
        let document = StoreAnswer.Document(endpoint: DocumentName.transaction, body: response.body)
        return answer(to: inquiry, in: environment, [document], from: response)
    }

    /// Not verified yet: the reader takes the row only if it is the store's, and the answer only if it is about the id.
    private static func original(in answer: StoreAnswer) -> Secret? {
        let info: TransactionInfoResponse? = answer.documents.first?.read()
        return info?.signedTransaction.flatMap(TransactionPayload.init(unverified:))?.originalTransactionID
            .map(Secret.init)
    }
}

/// The answer to Get Transaction Info.
struct TransactionInfoResponse: JSONReadable {
    let signedTransaction: String?
    let unknownFields: [String]

    init(_ fields: Fields) {
        signedTransaction = fields.text("signedTransactionInfo")
        unknownFields = fields.names(outside: ["signedTransactionInfo"])
    }
}
