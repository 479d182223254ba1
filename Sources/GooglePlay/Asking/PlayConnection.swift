// SPDX-License-Identifier: Apache-2.0

import HTTP
import Model
import Stores

/// Asks the Android Publisher API on behalf of one app.
struct PlayConnection: Sendable {
    let baseURL: String
    let requests: AuthorizedRequests
    let classifier: PlayResponseClassifier
    /// The wall clock.
    let clock: @Sendable () -> Instant

    /// What the API answers at the path.
    ///
    /// `path`: with its query, encoded.
    /// `route`: the path as a template: the only form that may be read by people.
    /// `noting`: is given every response, a refusal too.
    /// Throws the classifier's failure, or why there is no access token.
    func get(
        _ path: String, route: String, at endpoint: Endpoint, through client: ThrottledClient,
        noting: @escaping @Sendable (HTTPResponse) -> Void = { _ in }
    ) async throws(StoreFailure) -> HTTPResponse {
        let (classifier, clock, url) = (classifier, clock, baseURL + path)
        return try await requests.send(
            to: endpoint, through: client,
            classify: { response in
                noting(response)
                return classifier.disposition(of: response, now: clock())
            }
        ) { authorization in
            HTTPRequest(url: url, route: route, headers: [authorization])
        }
    }
}
