// SPDX-License-Identifier: Apache-2.0

import HTTP
import Model
import Stores
import Synchronization

/// Sends requests of one app with an access token that is fresh when they leave.
///
/// One that was refused is renewed, and the request sent again, once.
struct AuthorizedRequests: Sendable {
    /// The token a request left with.
    private final class Used: Sendable {
        let token = Mutex<Secret?>(nil)
    }

    let tokens: AccessTokens
    let appID: AppID

    /// `making`: a request with the token it is to carry.
    ///
    /// Throws the classifier's failure, or why there is no token.
    func send(
        to endpoint: Endpoint, through client: ThrottledClient,
        classify: @Sendable (HTTPResponse) -> ResponseDisposition,
        making: @Sendable (_ authorization: (name: String, value: String)) -> HTTPRequest
    ) async throws(StoreFailure) -> HTTPResponse {
        let used = Used()
        do throws(StoreFailure) {
            return try await attempt(at: endpoint, through: client, classify: classify, making: making, noting: used)
        } catch {
            guard error.cause == .tokenRefused, let token = used.token.withLock({ $0 }) else {
                throw error
            }
            tokens.refused(token)
            return try await attempt(at: endpoint, through: client, classify: classify, making: making, noting: used)
        }
    }

    private func attempt(
        at endpoint: Endpoint, through client: ThrottledClient,
        classify: @Sendable (HTTPResponse) -> ResponseDisposition,
        making: @Sendable (_ authorization: (name: String, value: String)) -> HTTPRequest, noting used: Used
    ) async throws(StoreFailure) -> HTTPResponse {
        try await client.send(to: endpoint, classify: classify) { () async throws(StoreFailure) in
            let token = try await token()
            used.token.withLock { $0 = token }
            return making(("authorization", "Bearer \(token.reveal())"))
        }
    }

    /// A credential may be that of several apps: which of them stops is said here.
    private func token() async throws(StoreFailure) -> Secret {
        do throws(StoreFailure) {
            return try await tokens.token()
        } catch {
            guard error.kind == .credential else { throw error }
            throw StoreFailure(.credential, reason: error.reason, message: error.sentence(stopping: appID))
        }
    }
}
