// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Model
import Stores
import Synchronization

/// One Pub/Sub subscription, asked with tokens of its own scope.
struct PubSub: Sendable {
    static let scope = "https://www.googleapis.com/auth/pubsub"
    static let baseURL = "https://pubsub.googleapis.com"
    /// Far below what Google publishes for a project.
    static let endpoint = Endpoint(
        name: "pubsub", publishedRate: GooglePlayConfiguration.publishedRequestsPerSecond)

    /// The token a request left with.
    private final class Used: Sendable {
        let token = Mutex<Secret?>(nil)
    }

    /// Without a slash at the end.
    let baseURL: String
    /// `projects/NAME/subscriptions/NAME`.
    let subscription: String
    let tokens: TokenManager
    let judge: PubSubJudge
    /// The wall clock.
    let clock: @Sendable () -> Instant

    /// What it answers to `pull` or `acknowledge`. A token that was refused is renewed, and the request sent anew, once.
    func post(_ verb: String, _ body: [UInt8], through conversation: Conversation) async throws(StoreFailure) -> [UInt8]
    {
        let used = Used()
        do throws(StoreFailure) {
            return try await send(verb, body, through: conversation, noting: used)
        } catch {
            guard error.reason == StoreFailure.tokenRefused, let token = used.token.withLock({ $0 }) else {
                throw error
            }
            tokens.refused(token)
            return try await send(verb, body, through: conversation, noting: used)
        }
    }

    private func send(
        _ verb: String, _ body: [UInt8], through conversation: Conversation, noting used: Used
    ) async throws(StoreFailure) -> [UInt8] {
        let (judge, clock, tokens) = (judge, clock, tokens)
        let path = subscription.split(separator: "/").map { URLPath.encode(segment: String($0)) }
        let url = "\(baseURL)/v1/\(path.joined(separator: "/")):\(verb)"
        return try await conversation.send(to: Self.endpoint, judge: { judge.verdict(on: $0, now: clock()) }) {
            () async throws(StoreFailure) in
            let token = try await tokens.token()
            used.token.withLock { $0 = token }
            return HTTPRequest(
                method: .post, url: url, route: "/v1/{subscription}:\(verb)",
                headers: [
                    ("authorization", "Bearer \(token.reveal())"), ("content-type", "application/json"),
                ], body: body)
        }.body
    }
}
