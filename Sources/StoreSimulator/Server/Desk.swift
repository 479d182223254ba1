// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The store's counter: takes a request, checks who asks and how often, and answers from behind.
struct Desk: Sendable {
    struct Request: Sendable {
        let path: String
        let query: [String: String]
        let authorization: String?
        let body: [UInt8]
        /// Every value of the parameters that were given more than once.
        var repeated: [String: [String]] = [:]

        /// All values of a parameter, in their order.
        func values(of name: String) -> [String] { repeated[name] ?? query[name].map { [$0] } ?? [] }
    }

    let front: StoreFront
    let play: PlayDesk
    let pubSub: PubSubDesk
    let judge: TokenJudge
    let quotas: Quotas
    let faults: Faults

    func answer(_ request: Request) -> DeskAnswer {
        let parts = request.path.split(separator: "/").map(String.init)
        let isSandbox = parts.first == "sandbox"
        let environment: StoreEnvironment = isSandbox ? .sandbox : .production
        let path = isSandbox ? Array(parts.dropFirst()) : parts
        do {
            switch (path.first, path.count) {
            case ("androidpublisher", _):
                return try play.answer(request, path: path, at: front.clock, quotas: quotas, faults: faults)
            case ("v1", 5) where path[1] == "projects":
                return try pubSub.answer(request, path: path, at: front.clock, quotas: quotas, faults: faults)
            case ("token", 1): return play.token(request, quotas: quotas, faults: faults)
            case ("verifyReceipt", 1): return try verify(request, environment)
            case ("inApps", 4) where path[1] == "v1" && path[2] == "subscriptions":
                return try serve("statuses", request, environment) { app, telling in
                    try front.statuses(of: path[3], app: app, in: environment, telling: telling)
                }
            case ("inApps", 4) where path[1] == "v2" && path[2] == "history":
                return try serve("history", request, environment) { app, telling in
                    try front.history(
                        of: path[3], asking: HistoryQuery(request), app: app, in: environment, telling: telling)
                }
            case ("inApps", 5) where path[1...3] == ["v2", "refund", "lookup"]:
                return try serve("refund_history", request, environment) { app, telling in
                    try front.refunds(
                        of: path[4], revision: request.query["revision"], app: app, in: environment, telling: telling)
                }
            case ("inApps", 4) where path[1...2] == ["v1", "transactions"]:
                return try serve("transaction_info", request, environment) { app, telling in
                    try front.transaction(path[3], app: app, in: environment, telling: telling)
                }
            case ("inApps", 4) where path[2...] == ["notifications", "history"]:
                return try serve("notification_history", request, environment) { app, _ in
                    try front.notifications(
                        request.body, token: request.query["paginationToken"], app: app, in: environment)
                }
            default: return DeskAnswer(status: 404, body: [])
            }
        } catch {
            return DeskAnswer(status: 500, body: Array("\(error)".utf8))
        }
    }

    private var wallMilliseconds: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    private func serve(
        _ endpoint: String, _ request: Request, _ environment: StoreEnvironment,
        _ body: (SimulatedApp, Telling) throws -> DeskAnswer
    ) throws -> DeskAnswer {
        let now = wallMilliseconds
        guard let app = judge.app(of: request.authorization, now: now / 1_000) else {
            quotas.countUnauthorized()
            return .unauthorized
        }
        if let until = quotas.refusal(of: endpoint, app: app.id, in: environment, at: now) {
            var answer = DeskAnswer.failure(429, .overTheRate)
            answer.headers["Retry-After"] = String(until)
            return answer
        }
        guard let fault = faults.next(at: endpoint) else { return try body(app, .everything) }
        return Faults.apply(fault, to: try body(app, fault.telling), nowMilliseconds: now)
    }

    private func verify(_ request: Request, _ environment: StoreEnvironment) throws -> DeskAnswer {
        _ = quotas.refusal(of: "verify_receipt", app: "", at: wallMilliseconds)
        guard let fault = faults.next(at: "verify_receipt") else {
            return try front.verify(request.body, in: environment, telling: .everything)
        }
        return Faults.apply(
            fault, to: try front.verify(request.body, in: environment, telling: fault.telling),
            nowMilliseconds: wallMilliseconds)
    }
}

extension Faults.Kind {
    /// What a reader still learns from an answer that it spoils.
    var telling: Telling { self == .unknownStatus ? .rows : .nothing }
}
