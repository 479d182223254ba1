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

    /// Nil: a good answer between two faults.
    private let planned = Mutex<[String: [Kind?]]>([:])

    /// The next `count` answers of that endpoint (`statuses`, `history`, `verify_receipt`; Google's `subscriptions`,
    /// `orders`, `voided_purchases`, `token`) go wrong; after each of them so many are spared.
    package func plan(_ kind: Kind, times count: Int, at endpoint: String, sparing good: Int = 0) {
        let fault = [kind] + Array(repeating: nil, count: good)
        planned.withLock { $0[endpoint, default: []] += Array(repeating: fault, count: count).flatMap(\.self) }
    }

    package func clear() { planned.withLock { $0 = [:] } }

    /// Answers of that endpoint for which something is planned, those that are spared among them.
    package func remaining(at endpoint: String) -> Int { planned.withLock { $0[endpoint]?.count ?? 0 } }

    func next(at endpoint: String) -> Kind? {
        planned.withLock { planned in
            guard planned[endpoint]?.isEmpty == false else { return nil }
            return planned[endpoint]?.removeFirst()
        }
    }
}

/// A store's own way to say that something went wrong.
struct FaultAnswers {
    let retryable, tooMany, dailyLimit, badCredentials, permissionDenied, invalidGrant: StoreResponse
    /// A body that breaks off in its first list.
    let malformed: String
    /// The same body with words for the state that nobody knows.
    let unknownStatus: (String) -> String
}

extension Faults.Kind {
    /// The answer as this fault leaves it.
    func applied(to answer: StoreResponse, by store: FaultAnswers) -> StoreResponse {
        var answer = answer
        switch self {
        case .emptyServerError: return StoreResponse(status: 500, body: [])
        case .retryableServerError: return store.retryable
        case .tooMany: return store.tooMany
        case .dailyLimit: return store.dailyLimit
        case .unauthorized, .expiredToken: return store.badCredentials
        case .permissionDenied: return store.permissionDenied
        case .invalidGrant: return store.invalidGrant
        case .truncated: answer.body = Array(answer.body.prefix(answer.body.count / 2))
        case .malformed: answer.body = Array(store.malformed.utf8)
        case .unknownStatus:
            answer.body = Array(store.unknownStatus(String(decoding: answer.body, as: UTF8.self)).utf8)
        }
        return answer
    }
}
