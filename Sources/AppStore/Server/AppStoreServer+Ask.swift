// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Model
import Signing
import Stores

extension AppStoreServer {
    /// The names of the documents of an answer.
    enum DocumentName {
        static let statuses = "statuses"
        static let history = "history"
        static let refunds = "refund_history"
        static let transaction = "transaction"
        static let notification = "notification"
        /// Those that hold no subscription state.
        static let ofChanges: Set<String> = [history, refunds]
    }

    /// Production first, then the sandbox, where the environment is unknown; an id that neither knows may be that of a later
    /// transaction.
    func ask(_ inquiry: Inquiry, through client: ThrottledClient) async throws(StoreFailure) -> StoreAnswer {
        guard let due = inquiry.subscriptions.first else { throw .emptyInquiry }
        let first = due.environment ?? configuration.environment
        let environments: [PurchaseEnvironment] = first == .production ? [.production, .sandbox] : [.sandbox]
        if due.isSale { return try await lookedAt(due, inquiry, in: environments, through: client) }
        if due.wantsOnlyRefunds, !due.historyReach.isWhole,
            let answer = try await watched(due, inquiry, in: first, through: client)
        {
            return answer
        }
        do throws(StoreFailure) {
            return try await looking(in: environments) { (environment) async throws(StoreFailure) in
                try await ask(inquiry, about: due.storeKey, in: environment, through: client)
            }
        } catch {
            guard error.isOfAnID, due.mayBeALaterOne else { throw error }
            return try await resolve(inquiry, due, in: environments, failing: error, through: client)
        }
    }

    /// In one environment after the other, while the store says that it does not know the id here.
    func looking<Found>(
        in environments: [PurchaseEnvironment],
        _ body: (PurchaseEnvironment) async throws(StoreFailure) -> Found
    ) async throws(StoreFailure) -> Found {
        for environment in environments.dropLast() {
            do throws(StoreFailure) {
                return try await body(environment)
            } catch {
                guard error.isUnknownHere else { throw error }
            }
        }
        return try await body(environments.last ?? configuration.environment)
    }

    func ask(
        _ inquiry: Inquiry, about storeKey: Secret, in environment: PurchaseEnvironment,
        through client: ThrottledClient
    ) async throws(StoreFailure) -> StoreAnswer {
        guard let due = inquiry.subscriptions.first else { throw .emptyInquiry }
        let id = URLPath.encode(segment: storeKey.reveal())
        let response = try await statuses(of: id, in: environment, through: client)
        let document = StoreAnswer.Document(endpoint: DocumentName.statuses, body: response.body)
        let statuses: StatusResponse = try Self.read(document)
        let documents = [document] + (try await notified(due, besides: statuses, in: environment, through: client))
        guard HistoryNeed.of(due, latest: statuses.latest(of: storeKey.reveal())) != nil else {
            return answer(to: inquiry, in: environment, documents, from: response)
        }
        let pages = try await HistoryFetch(server: self, id: id, environment: environment, client: client)
            .pages(resumingAt: HistoryCursor.start(of: due, in: environment))
        return answer(to: inquiry, in: environment, documents + pages.documents, from: response)
    }

    /// `id`: encoded.
    ///
    /// `noting`: is given every response, a refusal too.
    func statuses(
        of id: String, in environment: PurchaseEnvironment, through client: ThrottledClient,
        noting: @escaping @Sendable (HTTPResponse) -> Void = { _ in }
    ) async throws(StoreFailure) -> HTTPResponse {
        try await get(
            "/inApps/v1/subscriptions/\(id)", route: "/inApps/v1/subscriptions/{id}", in: environment,
            at: AppStoreEndpoints.statuses(environment), through: client, noting: noting)
    }

    func answer(
        to inquiry: Inquiry, in environment: PurchaseEnvironment, _ documents: [StoreAnswer.Document],
        from response: HTTPResponse
    ) -> StoreAnswer {
        StoreAnswer(
            inquiry: inquiry, environment: environment, documents: documents,
            answeredAt: response.date.map { Instant(milliseconds: $0 * 1_000) } ?? clock())
    }

    func get(
        _ path: String, route: String, in environment: PurchaseEnvironment, at endpoint: Endpoint,
        through client: ThrottledClient, noting: @escaping @Sendable (HTTPResponse) -> Void = { _ in }
    ) async throws(StoreFailure) -> HTTPResponse {
        let url = (environment == .production ? server.productionURL : server.sandboxURL) + path
        let (classifier, clock, tokens) = (classifier, clock, tokens)
        return try await client.send(
            to: endpoint,
            classify: { response in
                noting(response)
                return classifier.disposition(of: response, now: clock())
            }
        ) { () async throws(StoreFailure) in
            let token = try tokens.token(now: clock().milliseconds / 1_000)
            return HTTPRequest(url: url, route: route, headers: [("authorization", "Bearer \(token.reveal())")])
        }
    }

    static func read<Body: JSONReadable>(_ document: StoreAnswer.Document) throws(StoreFailure) -> Body {
        guard let body: Body = document.read() else {
            throw StoreFailure(
                .malformedJSON, message: "The App Store's answer is not the JSON it documents.")
        }
        return body
    }
}

extension StatusResponse {
    /// The latest transaction of a subscription, not verified yet: it only decides what else is asked.
    fileprivate func latest(of originalTransactionID: String) -> HistoryNeed.Latest? {
        let payloads = lastTransactions.compactMap(\.self)
            .filter { $0.originalTransactionID == originalTransactionID }
            .compactMap { $0.signedTransaction.flatMap(TransactionPayload.init(unverified:)) }
        let newest = payloads.max {
            ($0.purchaseDate ?? 0, $0.transactionID ?? "") < ($1.purchaseDate ?? 0, $1.transactionID ?? "")
        }
        guard let payload = newest else { return nil }
        return HistoryNeed.Latest(
            transactionID: payload.transactionID, periodKey: payload.periodKey, productID: payload.productID,
            purchasedAt: Instant(storeMilliseconds: payload.purchaseDate),
            isOneOfSeveral: payloads.count > 1 || payload.isOneOfSeveral)
    }
}

extension TransactionPayload {
    /// What a signed row says, before anybody has verified it: never booked, it only decides what else is asked.
    init?(unverified compact: String) {
        guard let json = JWSVerifier.unverifiedPayload(of: compact),
            let payload = TransactionPayload(json: json)
        else { return nil }
        self = payload
    }
}

extension StoreFailure {
    /// No such id in this environment; older texts of the store name the second code.
    fileprivate var isUnknownHere: Bool {
        kind == .notFound && errorCode?.disposition == .unknownHere
    }

    /// No id of a subscription, which it may be all the same: one of its later transactions (4000008 and 4000187 are
    /// the store's words for an id that is not the original one).
    fileprivate var isOfAnID: Bool {
        let isOfAnother = errorCode == .invalidOriginalTransactionID || errorCode == .notOriginalTransactionID
        return isUnknownHere || (kind == .notFound && isOfAnother)
    }

    fileprivate static let emptyInquiry = StoreFailure(
        .unreadable, reason: "empty_inquiry", message: "The inquiry names no subscription.")
}

extension DueSubscription {
    /// Nothing was ever known of it but that it is no subscription's own id, if that.
    fileprivate var mayBeALaterOne: Bool { snapshot.lastCheckedAt == nil || snapshot.endReason == .replaced }
}
