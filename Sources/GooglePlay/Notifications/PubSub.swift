// SPDX-License-Identifier: Apache-2.0

import HTTP
import Model
import Stores

/// One Pub/Sub subscription, asked with tokens of its own scope.
struct PubSub: Sendable {
    static let scope = "https://www.googleapis.com/auth/pubsub"
    static let baseURL = "https://pubsub.googleapis.com"
    /// Far below what Google publishes for a project.
    static let endpoint = Endpoint(
        name: "pubsub", publishedRate: GooglePlayConfiguration.publishedRequestsPerSecond, part: .hint)

    /// Without a slash at the end.
    let baseURL: String
    /// `projects/NAME/subscriptions/NAME`.
    let subscription: String
    let requests: AuthorizedRequests
    let classifier: PubSubResponseClassifier
    /// The wall clock.
    let clock: @Sendable () -> Instant

    /// What it answers to `pull` or `acknowledge`.
    ///
    /// `limits`: nil: those of any request.
    func post(
        _ verb: String, _ body: [UInt8], limits: HTTPLimits? = nil, through client: ThrottledClient
    ) async throws(StoreFailure) -> [UInt8] {
        let (classifier, clock) = (classifier, clock)
        let path = subscription.split(separator: "/").map { URLPath.encode(segment: String($0)) }
        let url = "\(baseURL)/v1/\(path.joined(separator: "/")):\(verb)"
        return try await requests.send(
            to: Self.endpoint, through: client, classify: { classifier.disposition(of: $0, now: clock()) }
        ) { authorization in
            HTTPRequest(
                method: .post, url: url, route: "/v1/{subscription}:\(verb)",
                headers: [authorization, ("content-type", "application/json")], body: body,
                limits: limits)
        }.body
    }
}
