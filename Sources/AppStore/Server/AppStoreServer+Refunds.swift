// SPDX-License-Identifier: Apache-2.0

import HTTP
import Model
import Stores

extension AppStoreServer {
    /// The refund watch of a subscription whose state is not in question: one call where nothing changed.
    ///
    /// The history from its cursor carries every change of every transaction of the customer: refunds whole, partial and
    /// reversed, revocations, and those of their other purchases. The status is asked only when it lists a transaction.
    /// Where there is no cursor, the refund history replaces a history that would be read from its beginning.
    ///
    /// - Returns: nil where neither was enough, or could not be read: then it is asked about as ever.
    /// - Throws: only what stops the app.
    func watched(
        _ due: DueSubscription, _ inquiry: Inquiry, in environment: PurchaseEnvironment,
        through client: ThrottledClient
    ) async throws(StoreFailure) -> StoreAnswer? {
        let id = URLPath.encode(segment: due.storeKey.reveal())
        do throws(StoreFailure) {
            guard let cursor = HistoryCursor(stored: due.historyCursor)?.revision, due.environment == environment else {
                return try await refunds(of: due, id: id, inquiry, in: environment, through: client)
            }
            let pages = try await HistoryFetch(server: self, id: id, environment: environment, client: client)
                .pages(from: cursor)
            var documents = pages.documents
            guard var response = pages.response else { return nil }
            if !pages.listsNothing {
                response = try await statuses(of: id, in: environment, through: client)
                documents.insert(StoreAnswer.Document(endpoint: DocumentName.statuses, body: response.body), at: 0)
            }
            return answer(to: inquiry, in: environment, documents, from: response)
        } catch {
            guard error.stopsApp else { return nil }
            throw error
        }
    }

    /// The refund history, which has a quota of its own.
    ///
    /// Nil unless it lists exactly the refunds that we know.
    private func refunds(
        of due: DueSubscription, id: String, _ inquiry: Inquiry, in environment: PurchaseEnvironment,
        through client: ThrottledClient
    ) async throws(StoreFailure) -> StoreAnswer? {
        let response = try await get(
            "/inApps/v2/refund/lookup/\(id)", route: "/inApps/v2/refund/lookup/{id}", in: environment,
            at: AppStoreEndpoints.refunds(environment), through: client)
        let document = StoreAnswer.Document(endpoint: DocumentName.refunds, body: response.body)
        guard KnownRefunds(due).areAll(of: try Self.read(document)) else { return nil }
        return answer(to: inquiry, in: environment, [document], from: response)
    }
}

/// What we hold as given back of a subscription, to be compared with what the store lists.
struct KnownRefunds {
    private let known: [KnownPeriod]

    init(_ due: DueSubscription) { known = due.known.filter { $0.refundedAt != nil } }

    /// The page lists each of them and nothing else.
    ///
    /// A partial refund may have grown, a page that is not the last may hide one, and what was given back of another
    /// purchase is an event of that one: none of these is an answer. A revocation need not be listed where no money moved.
    func areAll(of page: HistoryResponse) -> Bool {
        guard !page.position.hasMore else { return false }
        var listed: [KnownPeriod] = []
        for compact in page.signedTransactions {
            guard let payload = compact.flatMap(TransactionPayload.init(unverified:)) else { return false }
            guard let period = known.first(where: { $0.isGivenBack(as: payload) }) else { return false }
            listed.append(period)
        }
        return known.allSatisfy { $0.refundKind == .revoke && ($0.refundMicros ?? 0) == 0 || listed.contains($0) }
    }
}

extension KnownPeriod {
    fileprivate func isGivenBack(as payload: TransactionPayload) -> Bool {
        let isSame =
            facts.transactionID == payload.transactionID
            || (facts.periodKey == payload.periodKey && facts.productID == payload.productID)
        return isSame && isGivenBack && refund.refundedAt == Instant(storeMilliseconds: payload.revocationDate)
    }
}
