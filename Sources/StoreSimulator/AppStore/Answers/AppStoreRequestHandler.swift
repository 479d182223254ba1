// SPDX-License-Identifier: Apache-2.0

/// The App Store's endpoints: checks who asks and how often, applies the planned fault, and answers.
struct AppStoreRequestHandler: Sendable {
    let backend: AppStoreBackend
    let verifier: BearerTokenVerifier
    let traffic: Traffic

    func answer(
        _ request: StoreRequest, path: [String], in environment: StoreEnvironment
    ) throws -> StoreResponse {
        switch (path.first, path.count) {
        case ("verifyReceipt", 1): return try verify(request, environment)
        case ("inApps", 4) where path[1] == "v1" && path[2] == "subscriptions":
            return try serve("statuses", request, environment) { try backend.statuses(of: path[3], for: $0) }
        case ("inApps", 4) where path[1] == "v2" && path[2] == "history":
            return try serve("history", request, environment) {
                try backend.history(of: path[3], HistoryQuery(request), for: $0)
            }
        case ("inApps", 5) where path[1...3] == ["v2", "refund", "lookup"]:
            return try serve("refund_history", request, environment) {
                try backend.refunds(of: path[4], revision: request.query["revision"], for: $0)
            }
        case ("inApps", 4) where path[1...2] == ["v1", "transactions"]:
            return try serve("transaction_info", request, environment) { try backend.transaction(path[3], for: $0) }
        case ("inApps", 4) where path[2...] == ["notifications", "history"]:
            return try serve("notification_history", request, environment) {
                try backend.notifications(request.body, token: request.query["paginationToken"], for: $0)
            }
        default: return StoreResponse(status: 404, body: [])
        }
    }

    private func serve(
        _ endpoint: String, _ request: StoreRequest, _ environment: StoreEnvironment,
        _ body: (AppStoreReader) throws -> StoreResponse
    ) throws -> StoreResponse {
        let now = Traffic.now
        guard let app = verifier.app(of: request.authorization, now: now / 1_000) else {
            traffic.quotas.countUnauthorized()
            return .unauthorized
        }
        if let until = traffic.quotas.refusal(of: endpoint, app: app.id, in: environment, at: now) {
            return .overTheRate(until: until)
        }
        return try respond(at: endpoint) { try body(AppStoreReader(app: app, environment: environment, usable: $0)) }
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

/// Who asks, where, and what becomes of the answer.
struct AppStoreReader: Sendable {
    let app: SimulatedApp
    let environment: StoreEnvironment
    let usable: UsableContent
}

/// How much of an answer its reader can use: the books count nothing else as disclosed.
enum UsableContent: Sendable {
    case everything
    /// The rows are good, but where the subscription stands is a word nobody knows.
    case rows
    case nothing
}
