// SPDX-License-Identifier: Apache-2.0

import HTTP
import Model
import Stores

extension AppStoreServer {
    /// The refund watch of a subscription whose state is not in question: one call of the refund history, which has a
    /// quota of its own, in place of two for statuses and history.
    ///
    /// It is enough where it tells what we know. Nil: it tells something new, a refund that we know is not in it, or it
    /// could not be read; then statuses and history are asked as ever, for only they tell what became of the
    /// subscription. Elsewhere it is not asked: the history from its cursor carries every revocation already.
    ///
    /// - Throws: only what stops the app.
    func refunds(
        of due: DueSubscription, _ inquiry: Inquiry, in environment: PurchaseEnvironment,
        through conversation: Conversation
    ) async throws(StoreFailure) -> StoreAnswer? {
        do throws(StoreFailure) {
            let id = URLPath.encode(segment: due.storeKey.reveal())
            let response = try await get(
                "/inApps/v2/refund/lookup/\(id)", route: "/inApps/v2/refund/lookup/{id}", in: environment,
                at: AppStoreEndpoints.refunds(environment), through: conversation)
            let page: HistoryResponse = try Self.decode(response.body)
            guard KnownRefunds(due).areAll(of: page) else { return nil }
            let document = StoreAnswer.Document(endpoint: DocumentName.refunds, body: response.body)
            return answer(to: inquiry, environment, [document], response)
        } catch {
            guard error.stopsApp else { return nil }
            throw error
        }
    }
}

/// What we hold as given back of a subscription, to be compared with what the store lists.
struct KnownRefunds {
    private let storeKey: String
    private let known: [KnownPeriod]

    init(_ due: DueSubscription) {
        storeKey = due.storeKey.reveal()
        known = due.known.filter { $0.refundedAt != nil }
    }

    /// The page lists each of them and nothing else of this subscription. A partial refund may have grown, and a page
    /// that is not the last may hide one: neither is an answer. A family's revocation need not be listed: no money moved.
    func areAll(of page: HistoryResponse) -> Bool {
        guard !page.hasMore else { return false }
        var listed: [KnownPeriod] = []
        for compact in page.signedTransactions {
            guard let payload = compact.flatMap(TransactionPayload.init(unverified:)) else { return false }
            guard payload.originalTransactionID == storeKey else { continue }
            guard let period = known.first(where: { $0.isGivenBack(as: payload) }) else { return false }
            listed.append(period)
        }
        return known.allSatisfy { $0.refundKind == .revoke || listed.contains($0) }
    }
}

extension KnownPeriod {
    fileprivate func isGivenBack(as payload: TransactionPayload) -> Bool {
        let isSame =
            transactionID == payload.transactionID || (periodKey == payload.periodKey && productID == payload.productID)
        return isSame && isGivenBack && refundedAt == Instant(storeMilliseconds: payload.revocationDate)
    }
}
