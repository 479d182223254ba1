// SPDX-License-Identifier: Apache-2.0

import Foundations
import HTTP
import Model
import Stores

/// Classifies Pub/Sub's answers.
///
/// What is wrong with the subscription only loses its notifications: the app goes on.
struct PubSubResponseClassifier: Sendable {
    let appID: AppID

    func disposition(of response: HTTPResponse, now: Instant) -> ResponseDisposition {
        let wait = response.headers["retry-after"].flatMap { RetryAfter.wait($0, nowMilliseconds: now.milliseconds) }
        switch response.status {
        case 200: return response.body.looksLikeObject ? .accept : .malformedByPlay
        case 401: return .fail(refused(StoreFailure.Cause.tokenRefused.rawValue, 401))
        case 429: return .tooMany(retryAfter: wait)
        case 400, 403, 404: return .fail(refused("http_\(response.status)", response.status))
        default: return .retry(after: wait, reason: "http_\(response.status)")
        }
    }

    private func refused(_ reason: String, _ status: Int) -> StoreFailure {
        StoreFailure(
            .notFound, reason: reason,
            message: "Pub/Sub refuses the app's subscription (\(status)): check that pubsub_subscription exists, that "
                + "the Cloud Pub/Sub API is enabled in its project, and that the credentials have the role Pub/Sub "
                + "Subscriber on it; a refresh token must have been granted the scope \(PubSub.scope)")
    }
}
