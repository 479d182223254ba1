// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Misbehaviour on request: the next so many answers of an endpoint go wrong in one way.
package final class Faults: Sendable {
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case emptyServerError, retryableServerError, tooMany, truncated, malformed, unauthorized, unknownStatus
        /// Google's: a refused credential, an account that may not read the app, an access token gone before its time.
        case invalidGrant, permissionDenied, expiredToken
        /// Google's: no more of this endpoint today.
        case dailyLimit
    }

    private let planned = Mutex<[String: [Kind]]>([:])

    /// The next `count` answers of that endpoint (`statuses`, `history`, `verify_receipt`; Google's `subscriptions`,
    /// `orders`, `voided_purchases`, `token`) go wrong.
    package func plan(_ kind: Kind, times count: Int, at endpoint: String) {
        planned.withLock { $0[endpoint, default: []] += Array(repeating: kind, count: count) }
    }

    package func clear() { planned.withLock { $0 = [:] } }

    func next(at endpoint: String) -> Kind? {
        planned.withLock { planned in
            guard planned[endpoint]?.isEmpty == false else { return nil }
            return planned[endpoint]?.removeFirst()
        }
    }

    /// The answer as this fault leaves it.
    static func apply(_ kind: Kind, to answer: DeskAnswer, nowMilliseconds: Int64) -> DeskAnswer {
        var answer = answer
        switch kind {
        case .emptyServerError: return DeskAnswer(status: 500, body: [])
        case .retryableServerError: return .failure(500, .retryable)
        case .unauthorized, .invalidGrant, .permissionDenied, .expiredToken: return .unauthorized
        case .tooMany, .dailyLimit:
            answer = .failure(429, .overTheRate)
            answer.headers["Retry-After"] = String(nowMilliseconds + 200)
        case .truncated: answer.body = Array(answer.body.prefix(answer.body.count / 2))
        case .malformed: answer.body = Array("{\"data\": [".utf8)
        case .unknownStatus:
            let text = String(decoding: answer.body, as: UTF8.self)
            answer.body = Array(text.replacing(#/"status":[1-5]/#, with: "\"status\":9").utf8)
        }
        return answer
    }
}
