// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The store's counter: takes a request, checks who asks and how often, and answers from behind.
struct Desk: Sendable {
    struct Request: Sendable {
        let path: String
        let query: [String: String]
        let authorization: String?
        let body: [UInt8]
    }

    let front: StoreFront
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
            case ("verifyReceipt", 1): return try verify(request, environment)
            case ("inApps", 4) where path[1] == "v1" && path[2] == "subscriptions":
                return try serve("statuses", request) { try front.statuses(of: path[3], app: $0, in: environment) }
            case ("inApps", 4) where path[1] == "v2" && path[2] == "history":
                return try serve("history", request) {
                    try front.history(of: path[3], revision: request.query["revision"], app: $0, in: environment)
                }
            default: return DeskAnswer(status: 404, body: [])
            }
        } catch {
            return DeskAnswer(status: 500, body: Array("\(error)".utf8))
        }
    }

    private var wallMilliseconds: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    private func serve(
        _ endpoint: String, _ request: Request, _ body: (SimulatedApp) throws -> DeskAnswer
    ) throws -> DeskAnswer {
        let now = wallMilliseconds
        guard let app = judge.app(of: request.authorization, now: now / 1_000) else {
            quotas.countUnauthorized()
            return .unauthorized
        }
        if let until = quotas.refusal(of: endpoint, app: app.id, at: now) {
            var answer = DeskAnswer.failure(429, .overTheRate)
            answer.headers["Retry-After"] = String(until)
            return answer
        }
        guard let fault = faults.next(at: endpoint) else { return try body(app) }
        return Faults.apply(
            fault, to: fault.hidesTheAnswer ? DeskAnswer(status: 200, body: []) : try body(app), nowMilliseconds: now)
    }

    private func verify(_ request: Request, _ environment: StoreEnvironment) throws -> DeskAnswer {
        _ = quotas.refusal(of: "verify_receipt", app: "", at: wallMilliseconds)
        guard let fault = faults.next(at: "verify_receipt") else {
            return try front.verify(request.body, in: environment)
        }
        let answer =
            fault.hidesTheAnswer ? DeskAnswer(status: 200, body: []) : try front.verify(request.body, in: environment)
        return Faults.apply(fault, to: answer, nowMilliseconds: wallMilliseconds)
    }
}

extension Faults.Kind {
    /// The reader learns nothing from it: the books must not count the answer as told.
    var hidesTheAnswer: Bool { self != .unknownStatus }
}
