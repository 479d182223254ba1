// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores

extension AppStoreServer {
    /// The rows that notifications reported as changed: each as the notification has it where that is newer than what
    /// we hold of it, else as the store has it now.
    ///
    /// The statuses show the newest row alone, and a history from its cursor need not list the others again.
    func notified(
        _ due: DueSubscription, besides statuses: StatusResponse, in environment: PurchaseEnvironment,
        through client: ThrottledClient
    ) async throws(StoreFailure) -> [StoreAnswer.Document] {
        guard !due.notifiedRows.isEmpty else { return [] }
        let listed = Set(statuses.transactions.map(\.transactionID))
        var (documents, asked) = ([StoreAnswer.Document](), Set<String>())
        for signed in due.notifiedRows {
            guard let row = TransactionPayload(unverified: signed.reveal()), let id = row.transactionID,
                !listed.contains(id)
            else { continue }
            if due.isAsNew(as: row) {
                guard asked.insert(id).inserted else { continue }
                documents += try await current(id, of: due, in: environment, through: client)
            } else if let document = Self.document(of: signed) {
                documents.append(document)
            }
        }
        return documents
    }

    /// A row as the store has it now; none where it does not give this one: what we hold is as new as the notification, and the
    /// statuses were answered.
    private func current(
        _ id: String, of due: DueSubscription, in environment: PurchaseEnvironment, through client: ThrottledClient
    ) async throws(StoreFailure) -> [StoreAnswer.Document] {
        do throws(StoreFailure) {
            return try await transaction(
                Secret(id), Inquiry(subscriptions: [due]), in: environment, through: client
            ).documents
        } catch {
            guard error.isOfOneRow else { throw error }
            return []
        }
    }

    /// In the shape of Get Transaction Info.
    private static func document(of signed: Secret) -> StoreAnswer.Document? {
        let object = ["signedTransactionInfo": signed.reveal()]
        guard let body = try? JSONSerialization.data(withJSONObject: object) else { return nil }
        return StoreAnswer.Document(endpoint: DocumentName.notification, body: Array(body))
    }
}

extension StoreFailure {
    /// Not of the store, the app or the line to it.
    fileprivate var isOfOneRow: Bool { [.notFound, .gone, .refusedForNow].contains(kind) }
}

extension StatusResponse {
    /// The rows that it shows, not verified yet.
    fileprivate var transactions: [TransactionPayload] {
        lastTransactions.compactMap { $0?.signedTransaction.flatMap(TransactionPayload.init(unverified:)) }
    }
}

extension DueSubscription {
    /// What we hold of a row is as new as that, or newer.
    fileprivate func isAsNew(as row: TransactionPayload) -> Bool {
        guard let signedAt = Instant(storeMilliseconds: row.signedDate) else { return true }
        return known.contains { period in
            let isSame =
                period.transactionID == row.transactionID
                || (period.periodKey == row.periodKey && period.productID == row.productID)
            return isSame && period.sourceVersion.map { $0 >= signedAt } ?? false
        }
    }
}
