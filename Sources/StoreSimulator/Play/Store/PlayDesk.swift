// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Google Play's counter: finds the endpoint, checks who asks and how often, plays the planned fault, and answers.
package final class PlayDesk: Sendable {
    /// The access tokens that were given out.
    package let tokens: TokenOffice
    let front: PlayFront
    private let quotaRefusal = Mutex(PlayQuotaRefusal.tooMany)

    init(front: PlayFront, tokens: TokenOffice) {
        self.front = front
        self.tokens = tokens
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
    func answer(
        _ request: Desk.Request, path: [String], at now: Int64, quotas: Quotas, faults: Faults
    ) throws -> DeskAnswer {
        let path = path.map { $0.removingPercentEncoding ?? $0 }
        guard path.count > 4, path[1] == "v3", path[2] == "applications", let question = Question(path.dropFirst(4))
        else { return DeskAnswer(status: 404, type: "text/html", body: Array("<html>404</html>".utf8)) }
        let wall = Int64(Date().timeIntervalSince1970 * 1_000)
        let bearer = TokenOffice.bearer(request.authorization)
        guard let owner = tokens.app(of: bearer, now: wall / 1_000) else {
            quotas.countUnauthorized()
            return GoogleError.badCredentials
        }
        guard let app = front.app(ofPackage: path[3]), app.id == owner else { return GoogleError.permissionDenied }
        if quotas.refusal(of: question.endpoint, app: app.id, at: wall) != nil {
            return GoogleError.overQuota(quotaRefusal.withLock { $0 })
        }
        guard let fault = faults.next(at: question.endpoint) else {
            return try reply(to: question, request, app, at: now, isTold: true)
        }
        if fault == .expiredToken { tokens.revoke(bearer) }
        let whole = try reply(to: question, request, app, at: now, isTold: false)
        return fault.applied(toPlay: whole, quotaRefusal.withLock { $0 })
    }

    private func reply(
        to question: Question, _ request: Desk.Request, _ app: SimulatedApp, at now: Int64, isTold: Bool
    ) throws -> DeskAnswer {
        switch question {
        case .subscriptionV2(let token): try front.subscriptionV2(token, app, at: now, isTold: isTold)
        case .subscriptionV1(let product, let token):
            try front.subscriptionV1(token, product: product, app, at: now, isTold: isTold)
        case .product(let token): try front.product(token, app, at: now)
        case .order(let id): try front.order(id, app, at: now, isTold: isTold)
        case .orders: try front.orders(request.values(of: "orderIds"), app, at: now, isTold: isTold)
        case .voided: try front.voided(request.query, app, at: now)
        }
    }

    /// `POST /token`.
    func token(_ request: Desk.Request, quotas: Quotas, faults: Faults) -> DeskAnswer {
        let wall = Int64(Date().timeIntervalSince1970 * 1_000)
        let refusal = quotas.refusal(of: "token", app: "", at: wall)
        guard refusal == nil else { return GoogleError.overQuota(quotaRefusal.withLock { $0 }) }
        guard let fault = faults.next(at: "token") else {
            return tokens.answer(TokenOffice.fields(ofForm: request.body), now: wall / 1_000)
        }
        return fault.applied(toPlay: DeskAnswer(status: 200, body: Array("{}".utf8)), quotaRefusal.withLock { $0 })
    }
}

extension Faults.Kind {
    /// An answer of Google's as this fault leaves it. Nothing of it counts as told: a word the store invented keeps the
    /// last state, too.
    func applied(toPlay answer: DeskAnswer, _ quotaRefusal: PlayQuotaRefusal) -> DeskAnswer {
        var answer = answer
        switch self {
        case .emptyServerError: return DeskAnswer(status: 500, body: [])
        case .retryableServerError: return GoogleError.backend
        case .tooMany: return GoogleError.overQuota(quotaRefusal)
        case .dailyLimit: return GoogleError.overDailyQuota
        case .unauthorized, .expiredToken: return GoogleError.badCredentials
        case .permissionDenied: return GoogleError.permissionDenied
        case .invalidGrant: return TokenOffice.refuse(.invalidGrant("Token has been expired or revoked."))
        case .truncated: answer.body = Array(answer.body.prefix(answer.body.count / 2))
        case .malformed: answer.body = Array("{\"lineItems\": [".utf8)
        case .unknownStatus:
            let text = String(decoding: answer.body, as: UTF8.self)
            let dormant = text.replacing(#/SUBSCRIPTION_STATE_[A-Z_]+/#, with: "SUBSCRIPTION_STATE_DORMANT")
            answer.body = Array(dormant.replacing(#/"state":"[A-Z_]+"/#, with: "\"state\":\"DORMANT\"").utf8)
        }
        return answer
    }
}
