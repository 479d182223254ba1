// SPDX-License-Identifier: Apache-2.0

import HTTP
import Model
import Stores
import Synchronization

/// Asks the Android Publisher API on behalf of one app, with an access token that is fresh when the request leaves.
struct PlayConnection: Sendable {
    /// The token a request left with.
    private final class Used: Sendable {
        let token = Mutex<Secret?>(nil)
    }

    let baseURL: String
    let tokens: TokenManager
    let judge: PlayJudge
    /// The wall clock.
    let clock: @Sendable () -> Instant

    /// What the API answers at the path.
    ///
    /// - Parameters:
    ///   - path: with its query, encoded.
    ///   - route: the path as a template: the only form that may be read by people.
    /// - Throws: the judge's failure; a token that was refused is renewed, and the request sent anew, once.
    func get(
        _ path: String, route: String, at endpoint: Endpoint, through conversation: Conversation
    ) async throws(StoreFailure) -> HTTPResponse {
        let used = Used()
        do throws(StoreFailure) {
            return try await send(path, route: route, at: endpoint, through: conversation, noting: used)
        } catch {
            guard error.reason == StoreFailure.tokenRefused, let token = used.token.withLock({ $0 }) else {
                throw error
            }
            tokens.refused(token)
            return try await send(path, route: route, at: endpoint, through: conversation, noting: used)
        }
    }

    /// A credential may be that of several apps: which of them stops is said here.
    private static func token(from tokens: TokenManager, of app: AppID) async throws(StoreFailure) -> Secret {
        do throws(StoreFailure) {
            return try await tokens.token()
        } catch {
            guard error.kind == .credential else { throw error }
            throw StoreFailure(.credential, reason: error.reason, message: "App \(app) stops: \(error.message)")
        }
    }

    private func send(
        _ path: String, route: String, at endpoint: Endpoint, through conversation: Conversation, noting used: Used
    ) async throws(StoreFailure) -> HTTPResponse {
        let (judge, clock, tokens, url) = (judge, clock, tokens, baseURL + path)
        return try await conversation.send(to: endpoint, judge: { judge.verdict(on: $0, now: clock()) }) {
            () async throws(StoreFailure) in
            let token = try await Self.token(from: tokens, of: judge.appID)
            used.token.withLock { $0 = token }
            return HTTPRequest(url: url, route: route, headers: [("authorization", "Bearer \(token.reveal())")])
        }
    }
}
