// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Google Play's endpoints: finds the endpoint, checks who asks and how often, applies the planned fault, and answers.
package final class PlayRequestHandler: Sendable {
    /// The access tokens that were given out.
    package let tokens: TokenEndpoint
    let backend: PlayBackend
    private let traffic: Traffic
    private let quotaRefusal = Mutex(PlayQuotaRefusal.tooMany)

    init(backend: PlayBackend, tokens: TokenEndpoint, traffic: Traffic) {
        self.backend = backend
        self.tokens = tokens
        self.traffic = traffic
    }

    /// How requests over the quota are refused from now on; by 429 at first.
    package func refuseOverQuota(by way: PlayQuotaRefusal) { quotaRefusal.withLock { $0 = way } }

    /// What is asked for.
    private enum Question {
        case subscriptionV2(token: String)
        case subscriptionV1(product: String, token: String)
        case product(token: String)
        case order(String)
        case orders
        case voided

        var endpoint: String {
            switch self {
            case .subscriptionV1, .subscriptionV2: "subscriptions"
            case .product: "products"
            case .order, .orders: "orders"
            case .voided: "voided_purchases"
            }
        }

        /// Of the path after the package's name.
        init?(_ path: ArraySlice<String>) {
            let path = Array(path)
            switch (path.first, path.count) {
            case ("purchases", 4) where path[1] == "subscriptionsv2" && path[2] == "tokens":
                self = .subscriptionV2(token: path[3])
            case ("purchases", 4) where path[1] == "productsv2" && path[2] == "tokens":
                self = .product(token: path[3])
            case ("purchases", 5) where path[1] == "subscriptions" && path[3] == "tokens":
                self = .subscriptionV1(product: path[2], token: path[4])
            case ("purchases", 2) where path[1] == "voidedpurchases": self = .voided
            case ("orders", 2): self = .order(path[1])
            case ("orders:batchGet", 1): self = .orders
            default: return nil
            }
        }
    }

    /// The answer of a path below `/androidpublisher`; `now` is the store's clock.
    func answer(_ request: StoreRequest, path: [String], at now: Int64) throws -> StoreResponse {
        let path = path.map { $0.removingPercentEncoding ?? $0 }
        guard path.count > 4, path[1] == "v3", path[2] == "applications", let question = Question(path.dropFirst(4))
        else { return StoreResponse(status: 404, type: "text/html", body: Array("<html>404</html>".utf8)) }
        let wall = Traffic.now
        let bearer = TokenEndpoint.bearer(request.authorization)
        guard let owner = tokens.app(of: bearer, now: wall / 1_000) else {
            traffic.quotas.countUnauthorized()
            return GoogleError.badCredentials
        }
        guard let app = backend.app(ofPackage: path[3]), app.id == owner else { return GoogleError.permissionDenied }
        if traffic.quotas.refusal(of: question.endpoint, app: app.id, at: wall) != nil {
            return GoogleError.overQuota(quotaRefusal.withLock { $0 })
        }
        guard let fault = traffic.faults.next(at: question.endpoint) else {
            return try reply(to: question, request, app, at: now, isTold: true)
        }
        if fault == .expiredToken { tokens.revoke(bearer) }
        let whole = try reply(to: question, request, app, at: now, isTold: false)
        return fault.applied(to: whole, by: .google(quotaRefusal.withLock { $0 }))
    }

    private func reply(
        to question: Question, _ request: StoreRequest, _ app: SimulatedApp, at now: Int64, isTold: Bool
    ) throws -> StoreResponse {
        switch question {
        case .subscriptionV2(let token): try backend.subscriptionV2(token, app, at: now, isTold: isTold)
        case .subscriptionV1(let product, let token):
            try backend.subscriptionV1(token, product: product, app, at: now, isTold: isTold)
        case .product(let token): try backend.product(token, app, at: now)
        case .order(let id): try backend.order(id, app, at: now, isTold: isTold)
        case .orders: try backend.orders(request.values(of: "orderIds"), app, at: now, isTold: isTold)
        case .voided: try backend.voided(request.query, app, at: now)
        }
    }

    /// `POST /token`.
    func token(_ request: StoreRequest) -> StoreResponse {
        let wall = Traffic.now
        let refusal = traffic.quotas.refusal(of: "token", app: "", at: wall)
        guard refusal == nil else { return GoogleError.overQuota(quotaRefusal.withLock { $0 }) }
        guard let fault = traffic.faults.next(at: "token") else {
            return tokens.answer(TokenEndpoint.fields(ofForm: request.body), now: wall / 1_000)
        }
        return fault.applied(
            to: StoreResponse(status: 200, body: Array("{}".utf8)), by: .google(quotaRefusal.withLock { $0 }))
    }
}

extension FaultAnswers {
    /// Google's. Nothing of a spoiled answer counts as disclosed: a word the store invented keeps the last state, too.
    static func google(_ quotaRefusal: PlayQuotaRefusal) -> FaultAnswers {
        FaultAnswers(
            retryable: GoogleError.backend, tooMany: GoogleError.overQuota(quotaRefusal),
            dailyLimit: GoogleError.overDailyQuota, badCredentials: GoogleError.badCredentials,
            permissionDenied: GoogleError.permissionDenied,
            invalidGrant: TokenEndpoint.refuse(.invalidGrant("Token has been expired or revoked.")),
            malformed: "{\"lineItems\": [",
            unknownStatus: { text in
                text.replacing(#/SUBSCRIPTION_STATE_[A-Z_]+/#, with: "SUBSCRIPTION_STATE_DORMANT")
                    .replacing(#/"state":"[A-Z_]+"/#, with: "\"state\":\"DORMANT\"")
            })
    }
}
