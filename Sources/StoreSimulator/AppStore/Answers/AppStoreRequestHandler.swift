// SPDX-License-Identifier: Apache-2.0

import Signing

/// The App Store's endpoints: checks who asks and how often, applies the planned fault, and answers.
struct AppStoreRequestHandler: Sendable {
    let backend: AppStoreBackend
    let traffic: Traffic

    func answer(
        _ request: StoreRequest, path: [String], in environment: StoreEnvironment
    ) throws -> StoreResponse {
        let last = path.last ?? ""
        switch path.dropLast().joined(separator: "/") {
        case "" where last == "verifyReceipt": return try verify(request, environment)
        case "inApps/v1/subscriptions":
            return try serve(request, at: "statuses", in: environment) { try backend.statuses(of: last, for: $0) }
        case "inApps/v1/transactions":
            return try serve(request, at: "transaction_info", in: environment) {
                try backend.transaction(last, for: $0)
            }
        case "inApps/v2/history":
            return try serve(request, at: "history", in: environment) {
                try backend.history(of: last, HistoryQuery(request: request), for: $0)
            }
        case "inApps/v2/refund/lookup":
            return try serve(request, at: "refund_history", in: environment) {
                try backend.refunds(of: last, revision: request.query["revision"], for: $0)
            }
        // Of whatever version.
        case _ where path.first == "inApps" && path.dropFirst(2) == ["notifications", "history"]:
            return try serve(request, at: "notification_history", in: environment) {
                try backend.notifications(request.body, token: request.query["paginationToken"], for: $0)
            }
        default: return StoreResponse(status: 404, body: [])
        }
    }

    private func serve(
        _ request: StoreRequest, at endpoint: String, in environment: StoreEnvironment,
        _ body: (AppStoreReader) throws -> StoreResponse
    ) throws -> StoreResponse {
        let now = Traffic.now
        guard let app = app(of: request.authorization, now: now / 1_000) else {
            traffic.quotas.countUnauthorized()
            return .unauthorized
        }
        if let until = traffic.quotas.refusal(of: endpoint, app: app.id, in: environment, at: now) {
            return .overTheRate(until: until)
        }
        return try respond(at: endpoint) { try body(AppStoreReader(app: app, environment: environment, usable: $0)) }
    }

    /// The app a bearer token speaks for, by the wall clock; nil for one that the App Store refuses: it must be signed by the
    /// app's key, for this app, and be in force, for an hour at most.
    private func app(of authorization: String?, now: Int64) -> SimulatedApp? {
        guard let text = authorization?.split(separator: " ").last, authorization?.hasPrefix("Bearer ") == true,
            let token = UnverifiedToken(text)
        else { return nil }
        let (header, claims) = (token.header, token.claims)
        let app = backend.apps.first { backend.keys.apps[$0.id]?.keyID == header.kid }
        guard let app, let key = backend.keys.apps[app.id], header.alg == "ES256", claims.iss == key.issuerID,
            claims.aud == "appstoreconnect-v1", claims.bid == app.bundleID
        else { return nil }
        guard claims.exp > now, claims.exp <= now + 3_600, (claims.iat ?? now) <= now else { return nil }
        return key.verifier.verifies(token.signature, over: token.message) ? app : nil
    }

    private func verify(_ request: StoreRequest, _ environment: StoreEnvironment) throws -> StoreResponse {
        _ = traffic.quotas.refusal(of: "verify_receipt", app: "", at: Traffic.now)
        return try respond(at: "verify_receipt") { try backend.verify(request.body, in: environment, usable: $0) }
    }

    /// The answer, or what the planned fault leaves of it.
    private func respond(
        at endpoint: String, _ body: (UsableContent) throws -> StoreResponse
    ) throws -> StoreResponse {
        guard let fault = traffic.faults.next(at: endpoint) else { return try body(.everything) }
        let answer = try body(fault == .unknownStatus ? .rows : .nothing)
        return fault.applied(to: answer, by: .appStore(now: Traffic.now))
    }
}

extension StoreResponse {
    static let unauthorized = StoreResponse(status: 401, body: [])

    static func failure(_ status: Int, _ failure: AppStoreFailure) -> StoreResponse {
        refusal(status, ["errorCode": failure.code, "errorMessage": failure.message])
    }

    /// Asked too often; `until`: the wall-clock millisecond from which on another request may pass.
    fileprivate static func overTheRate(until: Int64) -> StoreResponse {
        var answer = StoreResponse.failure(429, .overTheRate)
        answer.headers["Retry-After"] = String(until)
        return answer
    }
}

extension FaultAnswers {
    fileprivate static func appStore(now: Int64) -> FaultAnswers {
        FaultAnswers(
            retryable: .failure(500, .retryable), tooMany: .overTheRate(until: now + 200),
            dailyLimit: .overTheRate(until: now + 200), badCredentials: .unauthorized,
            permissionDenied: .unauthorized, invalidGrant: .unauthorized, malformed: "{\"data\": [",
            unknownStatus: { $0.replacing(#/"status":[1-5]/#, with: "\"status\":9") })
    }
}
