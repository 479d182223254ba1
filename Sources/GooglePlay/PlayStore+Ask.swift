// SPDX-License-Identifier: Apache-2.0

import HTTP
import Model
import Stores

extension PlayStore {
    /// Older purchases of a chain that are looked at.
    static let longestChain = 8

    /// Asks for the status of a purchase.
    ///
    /// Its orders are asked for when the chunk is complete.
    func ask(_ inquiry: Inquiry, through client: ThrottledClient) async throws(StoreFailure) -> StoreAnswer {
        guard let due = inquiry.subscriptions.first else { throw .emptyInquiry }
        guard !due.wantsOnlyRefunds, !due.isSale else {
            return answer(to: inquiry, due.environment ?? .production, [])
        }
        let body: [UInt8]
        do throws(StoreFailure) {
            body = try await status(
                of: due.storeKey, productID: due.productID, by: interface, through: client)
        } catch {
            // The token has died, its orders have not: what is given back after the end must be seen.
            if let sale = try await sale(due, unlessOf: error, through: client) {
                return answer(to: inquiry, due.environment ?? .production, [sale])
            }
            guard error.kind == .gone, due.wantsOrders, due.snapshot.state.isEnded, !due.known.isEmpty else {
                throw error
            }
            return answer(to: inquiry, due.environment ?? .production, [])
        }
        var documents = [StoreAnswer.Document(endpoint: DocumentName.subscription, body: body)]
        let purchase = try purchase(documents[0], of: due)
        if due.isFirstCheck {
            documents += try await linked(to: purchase, of: due, through: client)
        }
        return answer(to: inquiry, purchase.environment, documents)
    }

    /// The older purchases that this one continues, the youngest first, as far as the store still knows them.
    private func linked(
        to purchase: Purchase, of due: DueSubscription, through client: ThrottledClient
    ) async throws(StoreFailure) -> [StoreAnswer.Document] {
        var documents: [StoreAnswer.Document] = []
        var (next, seen) = (purchase.linkedToken, [due.storeKey] as Set<Secret>)
        while let token = next, documents.count < Self.longestChain, seen.insert(token).inserted {
            do throws(StoreFailure) {
                let body = try await status(of: token, productID: nil, by: linkInterface, through: client)
                let document = StoreAnswer.Document(endpoint: DocumentName.linkedSubscription, body: body)
                next = try self.purchase(document, of: nil).linkedToken
                documents.append(document)
            } catch {
                guard error.kind == .notFound || error.kind == .gone else { throw error }
                break
            }
        }
        return documents
    }

    private func status(
        of token: Secret, productID: String?, by interface: any PlayInterface, through client: ThrottledClient
    ) async throws(StoreFailure) -> [UInt8] {
        let (path, route) = try interface.path(of: token, productID: productID)
        return try await connection.get(
            applicationPath + path, route: "/applications/{package}" + route, at: PlayEndpoints.subscriptions,
            through: client
        ).body
    }

    /// `due`: nil for an older purchase.
    private func purchase(_ document: StoreAnswer.Document, of due: DueSubscription?) throws(StoreFailure) -> Purchase {
        let interface: any PlayInterface = due == nil ? linkInterface : interface
        var unknownValues = UnknownValueCounts()
        do throws(UnreadableAnswer) {
            return try interface.purchase(document, of: due, readAt: readAt, unknownValues: &unknownValues)
        } catch {
            throw StoreFailure(.unreadable, reason: error.reason, message: error.message)
        }
    }

    private func answer(
        to inquiry: Inquiry, _ environment: PurchaseEnvironment, _ documents: [StoreAnswer.Document]
    ) -> StoreAnswer {
        StoreAnswer(inquiry: inquiry, environment: environment, documents: documents, answeredAt: readAt)
    }
}

extension PlayStore {
    /// Asks for the orders of all the answers together, a hundred in a request.
    func complete(
        _ answers: [StoreAnswer], through client: ThrottledClient
    ) async throws(StoreFailure) -> [Result<StoreAnswer, StoreFailure>] {
        let plans = answers.map(plannedOrders)
        let outcomes = try await orders.fetch(plans.flatMap(\.self).uniqued(), through: client)
        return zip(answers, plans).map { answer, plan in
            var documents = answer.documents
            for id in plan {
                switch outcomes[id] {
                case .found(let body): documents.append(StoreAnswer.Document(endpoint: DocumentName.order, body: body))
                case .failed(let failure): return .failure(failure)
                case .unknown, nil: continue
                }
            }
            return .success(
                StoreAnswer(
                    inquiry: answer.inquiry, environment: answer.environment, documents: documents,
                    answeredAt: answer.answeredAt))
        }
    }

    private func plannedOrders(of answer: StoreAnswer) -> [String] {
        guard let due = answer.inquiry.subscriptions.first else { return [] }
        guard !due.isSale else { return [due.storeKey.reveal()] }
        if let sale = answer.documents.first(where: { $0.endpoint == DocumentName.product }) {
            return ProductPurchase(sale.body)?.settledOrderID.map { [$0] } ?? []
        }
        var ids: [String] = []
        var own: Purchase?
        for document in answer.documents {
            // What cannot be read was refused when it came.
            guard let purchase = try? purchase(document, of: own == nil ? due : nil) else { continue }
            if own == nil {
                own = purchase
            } else {
                ids += OrderPlan.orders(ofLinked: purchase)
            }
        }
        return (OrderPlan.orders(of: due, own) + ids).uniqued()
    }
}

extension DueSubscription {
    /// Its orders are looked at, whatever became of its token.
    fileprivate var wantsOrders: Bool { wantsHistory || !awaited.isEmpty }

    /// It never answered before: where it comes from is not known yet.
    fileprivate var isFirstCheck: Bool { snapshot.lastCheckedAt == nil || snapshot.state == .unverified }
}

extension StoreFailure {
    fileprivate static let emptyInquiry = StoreFailure(
        .unreadable, reason: "empty_inquiry", message: "The inquiry names no subscription.")
}
