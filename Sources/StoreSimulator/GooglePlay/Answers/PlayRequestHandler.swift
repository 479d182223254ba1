// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Google Play's endpoints: finds the endpoint, checks who asks and how often, applies the planned fault, and answers.
package final class PlayRequestHandler: Sendable {
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
    private var refusalOverQuota: PlayQuotaRefusal { quotaRefusal.withLock { $0 } }

    /// The answer of a path below `/androidpublisher`; `now` is the store's clock.
    func answer(_ request: StoreRequest, path: [String], at now: Int64) throws -> StoreResponse {
        let path = path.map { $0.removingPercentEncoding ?? $0 }
        guard path.count > 4, path[1] == "v3", path[2] == "applications",
            let (endpoint, reply) = question(path.dropFirst(4), request, at: now)
        else { return StoreResponse(status: 404, type: "text/html", body: Array("<html>404</html>".utf8)) }
        let wall = Traffic.now
        let bearer = TokenEndpoint.bearer(request.authorization)
        guard let owner = tokens.app(of: bearer, now: wall / 1_000) else {
            traffic.quotas.countUnauthorized()
            return GoogleError.badCredentials
        }
        guard let app = backend.app(ofPackage: path[3]), app.id == owner else { return GoogleError.permissionDenied }
        if traffic.quotas.refusal(of: endpoint, app: app.id, at: wall) != nil {
            return GoogleError.overQuota(refusalOverQuota)
        }
        guard let fault = traffic.faults.next(at: endpoint) else { return try reply(app, true) }
        if fault == .expiredToken { tokens.revoke(bearer) }
        return fault.applied(to: try reply(app, false), by: .google(refusalOverQuota))
    }

    /// What gives an endpoint's answer; `isReported`: whether it will arrive as it is.
    private typealias Reply = (_ app: SimulatedApp, _ isReported: Bool) throws -> StoreResponse

    /// What is asked for by the path after the package's name; nil where there is no such endpoint.
    private func question(
        _ path: ArraySlice<String>, _ request: StoreRequest, at now: Int64
    ) -> (endpoint: String, reply: Reply)? {
        let (last, product) = (path.last ?? "", path.dropLast(2).last ?? "")
        return switch path.dropLast().joined(separator: "/") {
        case "purchases/subscriptionsv2/tokens":
            ("subscriptions", { try self.backend.subscriptionV2(last, $0, at: now, isReported: $1) })
        case "purchases/subscriptions/\(product)/tokens":
            ("subscriptions", { try self.backend.subscriptionV1(last, product: product, $0, at: now, isReported: $1) })
        case "purchases/productsv2/tokens": ("products", { app, _ in try self.backend.product(last, app, at: now) })
        case "purchases" where last == "voidedpurchases":
            ("voided_purchases", { app, _ in try self.backend.voided(request.query, app, at: now) })
        case "orders": ("orders", { try self.backend.order(last, $0, at: now, isReported: $1) })
        case "" where last == "orders:batchGet":
            ("orders", { try self.backend.orders(request.values(of: "orderIds"), $0, at: now, isReported: $1) })
        default: nil
        }
    }

    /// `POST /token`.
    func token(_ request: StoreRequest) throws -> StoreResponse {
        let wall = Traffic.now
        let refusal = traffic.quotas.refusal(of: "token", app: "", at: wall)
        guard refusal == nil else { return GoogleError.overQuota(refusalOverQuota) }
        guard let fault = traffic.faults.next(at: "token") else {
            return try tokens.answer(TokenEndpoint.fields(ofForm: request.body), now: wall / 1_000)
        }
        return fault.applied(to: try .json([:]), by: .google(refusalOverQuota))
    }
}

extension FaultAnswers {
    /// Google's.
    ///
    /// Nothing of a spoiled answer counts as disclosed: a word the store invented keeps the last state, too.
    static func google(_ quotaRefusal: PlayQuotaRefusal) -> FaultAnswers {
        FaultAnswers(
            retryable: GoogleError.backend, tooMany: GoogleError.overQuota(quotaRefusal),
            dailyLimit: GoogleError.overDailyQuota, badCredentials: GoogleError.badCredentials,
            permissionDenied: GoogleError.permissionDenied,
            invalidGrant: TokenRefusal.expired.answer,
            malformed: "{\"lineItems\": [",
            unknownStatus: { text in
                text.replacing(#/SUBSCRIPTION_STATE_[A-Z_]+/#, with: "SUBSCRIPTION_STATE_DORMANT")
                    .replacing(#/"state":"[A-Z_]+"/#, with: "\"state\":\"DORMANT\"")
            })
    }
}
